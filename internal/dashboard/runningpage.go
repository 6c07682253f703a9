package dashboard

import (
	"net/http"

	"github.com/callwright/callwright/internal/progress"
)

// A runningPage lists the requests in progress.
type runningPage struct {
	Configured bool
	List       progress.Listing
}

func (s *server) listRunning(w http.ResponseWriter, v *visit) {
	p := &runningPage{Configured: s.Running != nil}
	if p.Configured {
		p.List = s.Running()
	}
	s.show(w, v, http.StatusOK, "running", "Running", p)
}
