package gateway

import (
	"net/http"

	"github.com/callwright/callwright/internal/wire"
)

// compact answers clients that ask for a compaction of their conversation at a path of its own.
func (s *Server) compact(client wire.Codec, x *exchange, r *http.Request) error {
	c, ok := client.(wire.Compactor)
	if !ok {
		return s.refuseUnknown(client, x, r)
	}
	return s.readAndAnswer(c.Compacts(), x, r, nil)
}
