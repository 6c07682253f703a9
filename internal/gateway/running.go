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

// listRunning adds the request to the list of requests in progress. ServeHTTP removes it.
func (s *Server) listRunning(x *exchange, req *callwright.Request) {
	r := &x.running
	r.Report, r.Began, r.Key, r.Wire, r.Model, r.Stream = x.reportID, x.began, x.key(), x.wire, x.asked, req.Params.Stream
	s.cfg.Running.Add(r)
}

// runningPath is the path of the list of requests in progress.
const runningPath = "/callwright/running"

// showRunning writes the list of requests in progress as JSON, even while the gateway drains.
func (s *Server) showRunning(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	_ = e.Encode(s.cfg.Running.At(time.Now()))
}

// A request in progress is logged after logAfter, and again each time its duration has doubled. logEvery is the
// interval of the checks.
const (
	logAfter = 30 * time.Second
	logEvery = 5 * time.Second
)

// logLong starts a goroutine that logs a request in progress after logAfter, and again each time that its running time
// has doubled. stop ends the goroutine and waits for it.
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

// logRunning writes the log line of a request in progress.
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
	line := slog.NewRecord(time.Now(), slog.LevelInfo, "running", 0) // no source position: it would always be this one
	line.AddAttrs(attrs...)
	_ = s.cfg.Logger.Handler().Handle(ctx, line) // Logger drops the error too
}
