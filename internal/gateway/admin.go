package gateway

import (
	"net/http"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/wire"
)

// An AdminHandler serves one path of the API for operators. The gateway calls it only if the key of the caller may use
// that path. If it returns an error, it must not have written to w: the gateway then writes the error in the format of
// the client's API.
type AdminHandler func(w http.ResponseWriter, r *http.Request, c *access.Caller) error

// UsagePath is the path at which a client reads the usage of its API key.
const UsagePath = "/callwright/usage"

// adminHandler returns an http.Handler that calls h. Its ResponseWriter must be an *exchange.
func (s *Server) adminHandler(h AdminHandler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := w.(*exchange)
		w.Header().Set("Cache-Control", "no-store") // the response may contain a secret
		if err := h(x, r, x.caller); err != nil {
			client, _ := s.codecOf(r)
			s.fail(client, x, r, err)
		}
	})
}

// showUsage writes the usage and the remaining limits of the caller's key as JSON. A handler for UsagePath in
// Config.Admin replaces it.
func (s *Server) showUsage(_ wire.Codec, x *exchange, r *http.Request) error {
	if h := s.cfg.Admin[UsagePath]; h != nil {
		return h(x, r, x.caller)
	}
	return writeJSON(x, x.caller.Usage(r.Context()))
}
