package dashboard

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/callwright/callwright/internal/trace"
)

// A Bundler makes evidence bundles, archives with the trace of a request. It is called concurrently, once per download.
type Bundler interface {
	// Bundle returns an archive about the request with these entries, without secrets, and the name of its file. If the
	// entries are not sufficient, the error is of [callwright.KindInvalid].
	Bundle(ctx context.Context, entries []trace.Entry) (name string, archive []byte, err error)
}

// bundleTime is the maximum time to make a bundle.
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
		s.problem(w, v.Request, http.StatusNotFound, "No trace of this request is kept, so there is no bundle.")
		return
	}
	name, archive, err := s.Bundler.Bundle(ctx, entries)
	switch {
	case err != nil && ctx.Err() != nil:
		s.problem(w, v.Request, http.StatusServiceUnavailable,
			"The bundle took longer than "+bundleTime.String()+". Other bundles may be in progress: try again later.")
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
