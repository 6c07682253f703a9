package gateway

import (
	"net/http"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/wire"
)

// An AdminHandler serves a path for operators to a caller whose key is for it. An error is answered in the form of the
// client's API: nothing may have been written then.
type AdminHandler func(w http.ResponseWriter, r *http.Request, c *access.Caller) error

// UsagePath is the path where a key reads its own usage.
const UsagePath = "/callwright/usage"

// adminHandler returns the handler of the mux for an AdminHandler. It is called with an exchange.
func (s *Server) adminHandler(h AdminHandler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := w.(*exchange)
		w.Header().Set("Cache-Control", "no-store") // there may be a secret in it
		if err := h(x, r, x.caller); err != nil {
			client, _ := s.codecOf(r)
			s.fail(client, x, r, err)
		}
	})
}

// showUsage shows a key its usage and the rest of its limits. A program may add more.
func (s *Server) showUsage(_ wire.Codec, x *exchange, r *http.Request) error {
	if h := s.cfg.Admin[UsagePath]; h != nil {
		return h(x, r, x.caller)
	}
	return writeJSON(x, x.caller.Usage(r.Context()))
}
