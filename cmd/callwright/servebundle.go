package main

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/bundle"
	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/trace"
)

// A bundler creates evidence bundles of recorded requests. It creates one bundle at a time, because each one replays
// its request many times.
type bundler struct {
	log  trace.LogReader // nil if recorded requests cannot be looked up
	live *config.Live
	env  func(name string) (value string, ok bool)
	turn chan struct{}
}

// bundler returns the bundler for the gateway's trace, which may be nil.
func (b *backend) bundler(traced *traceFile, env func(name string) (value string, ok bool)) *bundler {
	out := &bundler{live: b.models, env: env, turn: make(chan struct{}, 1)}
	if traced != nil && traced.log != nil {
		out.log = traced.log
	}
	return out
}

// Bundle creates the bundle of the request with these trace entries. name is its file name. It fails with
// [callwright.KindInvalid] if the trace has no contents.
func (b *bundler) Bundle(ctx context.Context, entries []trace.Entry) (name string, archive []byte, err error) {
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	defer func() { <-b.turn }()
	conf := b.live.Config()
	made, err := bundle.Make(ctx, bundle.Input{Entries: entries, Config: conf, Credentials: conf.Credentials(b.env)})
	if errors.Is(err, casefile.ErrContent) {
		return "", nil, &callwright.Error{Kind: callwright.KindInvalid, Message: err.Error()}
	}
	if err != nil {
		return "", nil, err
	}
	archive, err = made.Zip()
	return made.FileName(), archive, err
}

// serve serves the bundle of the request whose id is in the URL path.
func (b *bundler) serve(w http.ResponseWriter, r *http.Request, _ *access.Caller) error {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return keyapi.Refuse(w, r, http.MethodGet)
	}
	if b.log == nil {
		return &callwright.Error{Kind: callwright.KindNotFound,
			Message: "this gateway has no trace in a folder: start it with callwright serve --trace traces/, or set trace.file to a folder"}
	}
	entries, err := b.log.Entries(r.Context(), r.PathValue("id"))
	if callwright.KindOf(err) == callwright.KindNotFound {
		return &callwright.Error{Kind: callwright.KindNotFound,
			Message: "the trace has no request with this id: it may have been deleted to make room for newer ones"}
	}
	if err != nil {
		return err
	}
	name, archive, err := b.Bundle(r.Context(), entries)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Length", strconv.Itoa(len(archive)))
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	_, _ = w.Write(archive)
	return nil
}
