package gateway

import (
	"encoding/json"
	"net/http"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/version"
	"github.com/callwright/callwright/internal/wire"
)

// probes are the handlers of paths that need no key.
var probes = map[string]func(*Server, *exchange, *http.Request){
	"GET /healthz": (*Server).showHealth,
	"GET /readyz":  (*Server).showReadiness,
	// Ollama clients and Claude Code request these paths to check whether a server is running.
	"GET /{$}":       (*Server).greet,
	"GET /api/hello": (*Server).greet,
}

func (s *Server) greet(x *exchange, _ *http.Request) {
	writeText(x, http.StatusOK, "callwright is running\n")
}

func (s *Server) showHealth(x *exchange, _ *http.Request) { writeText(x, http.StatusOK, "ok\n") }

// statusPath is the path of the gateway's status.
const statusPath = "/callwright/status"

// refuseMethod writes error 405 for a path that only supports GET.
func (s *Server) refuseMethod(x *exchange, r *http.Request) {
	client, _ := s.codecOf(r)
	x.Header().Set("Allow", http.MethodGet)
	s.fail(client, x, r, &callwright.Error{Kind: callwright.KindInvalid, Status: http.StatusMethodNotAllowed,
		Message: "expected GET, got " + r.Method})
}

// A readiness is the JSON response of /readyz.
type readiness struct {
	Status  string   `json:"status"`            // "ready", "degraded", or, with status 503, "not ready"
	Reasons []string `json:"reasons,omitempty"` // one line per problem, the worst first
}

// showReadiness writes whether new requests should be sent to this gateway, with its current problems. It writes status
// 503 during shutdown, and while no request can be answered.
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

// unready returns the reasons why new requests should not be sent to this gateway. It returns nil if there are none.
func (s *Server) unready(r *http.Request) []string {
	switch {
	case s.draining.Load():
		return []string{"shutting down"}
	case s.cfg.Unready != nil:
		return s.cfg.Unready(r.Context())
	}
	return nil
}

// showVersion writes the version and build of the gateway as JSON.
func (s *Server) showVersion(_ wire.Codec, x *exchange, _ *http.Request) error {
	return writeJSON(x, version.This())
}

// showStatus writes the status of the gateway as JSON, even while it drains.
func (s *Server) showStatus(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(s.cfg.Health.Status())
}
