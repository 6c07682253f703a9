package gateway

import (
	"encoding/json"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/version"
	"github.com/callwright/callwright/internal/wire"
)

// probes are the paths that need no key.
var probes = map[string]func(*Server, *exchange, *http.Request){
	"GET /healthz": (*Server).showHealth,
	"GET /readyz":  (*Server).showReadiness,
	// Clients look here whether somebody is there: Ollama's, and Claude Code.
	"GET /{$}":       (*Server).greet,
	"GET /api/hello": (*Server).greet,
}

func (s *Server) greet(x *exchange, _ *http.Request) {
	writeText(x, http.StatusOK, "callwright is running\n")
}

func (s *Server) showHealth(x *exchange, _ *http.Request) { writeText(x, http.StatusOK, "ok\n") }

// statusPath is where the status of the gateway is.
const statusPath = "/callwright/status"

// refuseMethod answers a request with another method than the GET of its path.
func (s *Server) refuseMethod(x *exchange, r *http.Request) {
	client, _ := s.codecOf(r)
	x.Header().Set("Allow", http.MethodGet)
	s.fail(client, x, r, &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusMethodNotAllowed,
		Message: "expected GET, got " + r.Method})
}

// A readiness is the answer of /readyz.
type readiness struct {
	Status  string   `json:"status"`            // "ready", "degraded", or "not ready" beside status 503
	Reasons []string `json:"reasons,omitempty"` // a line for each problem, the worst first
}

// showReadiness says whether new requests are to be sent here, and which problems there are all the same. It says no
// while the gateway shuts down, and while no request can be answered.
func (s *Server) showReadiness(x *exchange, r *http.Request) {
	out, status := readiness{Status: health.Ready}, http.StatusOK
	if why := s.unready(r); len(why) > 0 {
		out, status = readiness{"not ready", why}, http.StatusServiceUnavailable
	} else if problems := s.cfg.Health.Problems(); len(problems) > 0 {
		out = readiness{health.DegradedNow, health.Lines(problems)}
	}
	x.Header().Set("Content-Type", "application/json")
	x.WriteHeader(status)
	_ = json.NewEncoder(x).Encode(out)
}

// unready returns why new requests are not to be sent here, nothing where they are.
func (s *Server) unready(r *http.Request) []string {
	switch {
	case s.draining.Load():
		return []string{"shutting down"}
	case s.cfg.Unready != nil:
		return s.cfg.Unready(r.Context())
	}
	return nil
}

// showVersion answers with how the gateway was built.
func (s *Server) showVersion(_ wire.Codec, x *exchange, _ *http.Request) error {
	return writeJSON(x, version.This())
}

// showStatus answers with the status of the gateway, also while it drains.
func (s *Server) showStatus(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(s.cfg.Health.Status())
}
