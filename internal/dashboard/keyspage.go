package dashboard

import (
	"net/http"

	"github.com/callwright/callwright/internal/access"
)

// A keysPage shows what each key is for and what it used.
type keysPage struct {
	Configured bool // there is a gate
	Open       bool // it lets everybody in
	Keys       []access.Usage
}

func (s *server) keys(w http.ResponseWriter, v *visit) {
	p := &keysPage{Configured: s.Access != nil, Open: s.open()}
	if s.Access != nil {
		ctx, cancel := bounded(v.Request)
		defer cancel()
		p.Keys = s.Access.Usages(ctx)
	}
	s.show(w, v, http.StatusOK, "keys", "Keys and usage", p)
}
