package gateway

import (
	"net/http"

	"github.com/callwright/callwright/internal/wire"
)

// compact answers requests that compact a conversation, for APIs with a separate path for it. Other APIs get an error.
func (s *Server) compact(client wire.Codec, x *exchange, r *http.Request) error {
	c, ok := client.(wire.Compactor)
	if !ok {
		return s.refuseUnknown(client, x, r)
	}
	return s.readAndAnswer(c.Compacts(), x, r, nil)
}
