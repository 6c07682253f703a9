package gateway

import (
	"context"
	"log/slog"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notice"
)

// noticeLevels are the log levels of notices. A notice that another model is used is a warning.
var noticeLevels = map[notice.Event]slog.Level{
	notice.Slow: slog.LevelWarn, notice.Retry: slog.LevelInfo, notice.Wait: slog.LevelInfo, notice.Skip: slog.LevelInfo,
	notice.NextTarget: slog.LevelInfo, notice.Fallback: slog.LevelWarn,
	notice.BreakerOpen: slog.LevelWarn, notice.BreakerClosed: slog.LevelInfo,
}

// withNotices returns a context in which each retry, wait or fallback of the request is logged when it begins. report
// is the id of the request's report, "" for none.
func (s *Server) withNotices(ctx context.Context, report string) context.Context {
	if !s.cfg.Logger.Enabled(ctx, slog.LevelWarn) {
		return ctx
	}
	return notice.With(ctx, func(n notice.Notice) { s.logNotice(ctx, n, report) })
}

// logNotice writes the log line of a notice.
func (s *Server) logNotice(ctx context.Context, n notice.Notice, report string) {
	level := noticeLevels[n.Event]
	if !s.cfg.Logger.Enabled(ctx, level) {
		return
	}
	var attrs []slog.Attr
	add := func(key, value string) {
		if value != "" {
			attrs = append(attrs, slog.String(key, value))
		}
	}
	add("report", report)
	add("model", callwright.Excerpt(string(n.Model)))
	add("next", string(n.Next))
	add("kind", string(n.Kind))
	add("reason", n.Reason)
	if ms := n.Wait.Round(time.Millisecond).Milliseconds(); ms > 0 {
		attrs = append(attrs, slog.Float64("seconds", float64(ms)/1000))
	}
	line := slog.NewRecord(time.Now(), level, string(n.Event), 0) // no source position: it would always be this one
	line.AddAttrs(attrs...)
	_ = s.cfg.Logger.Handler().Handle(context.WithoutCancel(ctx), line) // Logger drops the error too
}
