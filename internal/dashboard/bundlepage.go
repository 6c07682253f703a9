package dashboard

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/callwright/callwright/internal/trace"
)

// A Bundler makes evidence bundles. It is called concurrently, once for each time that somebody asks for one.
type Bundler interface {
	// Bundle returns an archive with all that is known of the request that has these entries, without secrets, and the
	// name of its file. It fails with [callwright.KindInvalid] where the entries do not suffice for one.
	Bundle(ctx context.Context, entries []trace.Entry) (name string, archive []byte, err error)
}

// bundleTime bounds the time in which a bundle is made.
const bundleTime = time.Minute

// bundle sends the evidence bundle of a request.
func (s *server) bundle(w http.ResponseWriter, v *visit) {
	ctx, cancel := context.WithTimeout(v.Context(), bundleTime)
	defer cancel()
	entries, err := s.entries(ctx, v.PathValue("id"))
	if err != nil {
		s.writeErrorPage(w, v.Request, err)
		return
	}
	if entries == nil || s.Bundler == nil {
		s.problem(w, v.Request, http.StatusNotFound, "Nothing is kept of such a request that a bundle could be made of.")
		return
	}
	name, archive, err := s.Bundler.Bundle(ctx, entries)
	switch {
	case err != nil && ctx.Err() != nil:
		s.problem(w, v.Request, http.StatusServiceUnavailable, "The bundle took longer than "+bundleTime.String()+". Other bundles may be in the making: try again later.")
		return
	case err != nil:
		s.writeErrorPage(w, v.Request, err)
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Length", strconv.Itoa(len(archive)))
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = w.Write(archive)
}
