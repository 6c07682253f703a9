package gateway

import (
	"net/http"
	"strings"
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

// showReadiness says whether new requests are to be sent here, and which problems there are all the same. It says no while the gateway shuts down, and from its
// start until its state is shared with the other gateways.
func (s *Server) showReadiness(x *exchange, r *http.Request) {
	if s.draining.Load() {
		writeText(x, http.StatusServiceUnavailable, "shutting down\n")
		return
	}
	if s.cfg.Unshared != nil {
		if why := s.cfg.Unshared(r.Context()); len(why) > 0 {
			writeText(x, http.StatusServiceUnavailable, "not ready\n"+strings.Join(why, "\n")+"\n")
			return
		}
	}
	if s.cfg.Health != nil {
		if problems := s.cfg.Health(); len(problems) > 0 {
			writeText(x, http.StatusOK, "degraded\n"+strings.Join(problems, "\n")+"\n")
			return
		}
	}
	writeText(x, http.StatusOK, "ready\n")
}
