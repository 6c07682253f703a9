package gateway

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/progress"
)

// listRunning lists the request as one that is being answered. ServeHTTP takes it off the list.
func (s *Server) listRunning(x *exchange, req *callwright.Request) {
	r := &x.running
	r.Report, r.Began, r.Key, r.Wire, r.Model, r.Stream = x.reportID, x.began, x.key(), x.wire, x.asked, req.Params.Stream
	s.cfg.Running.Add(r)
}

// runningPath is where the requests are that are being answered.
const runningPath = "/callwright/running"

// showRunning answers with the requests that are being answered, also while the gateway drains.
func (s *Server) showRunning(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(s.cfg.Running.At(time.Now()))
}

// The log is told of a request that is running after logAfter, and again each time that this has doubled. It looks for
// some every logEvery.
const (
	logAfter = 30 * time.Second
	logEvery = 5 * time.Second
)

// logLong tells the log of requests that are running for long, until stop is called, which waits for it.
func (s *Server) logLong(ctx context.Context) (stop func()) {
	if !s.cfg.Logger.Enabled(ctx, slog.LevelInfo) {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(logEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case now := <-tick.C:
				for _, r := range s.cfg.Running.Due(now, logAfter) {
					s.logRunning(ctx, &r)
				}
			}
		}
	}()
	return func() { cancel(); <-done }
}

// logRunning writes the log line of a request that is running.
func (s *Server) logRunning(ctx context.Context, r *progress.Running) {
	attrs := []slog.Attr{slog.String("report", r.Report), slog.String("model", string(r.Model)), slog.String("asked", string(r.Asked)),
		slog.Int("seconds", r.Elapsed), slog.String("state", r.Now.State), slog.Int("state_seconds", r.Now.Seconds),
		slog.Int("attempts", r.Attempts)}
	if r.Key != "" {
		attrs = append(attrs, slog.String("key", r.Key))
	}
	if r.Now.Tool != "" {
		attrs = append(attrs, slog.String("tool", r.Now.Tool))
	}
	attrs = appendInt(attrs, "bytes", int(r.Now.Bytes))
	attrs = appendInt(attrs, "silent_seconds", r.Now.Silent)
	line := slog.NewRecord(time.Now(), slog.LevelInfo, "running", 0) // without the caller: it is always this one
	line.AddAttrs(attrs...)
	_ = s.cfg.Logger.Handler().Handle(ctx, line) // Logger drops the error too
}
