package gateway

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
)

// level returns the level of the request's log line: info for requests for a model, and debug for other requests.
// Failed requests have error for a status from 500, except 503, and warn otherwise.
func (x *exchange) level(aborted bool) slog.Level {
	switch {
	case x.status == http.StatusUpgradeRequired: // clients check this once at the start of a session
		return slog.LevelDebug
	case x.status >= 500 && x.status != http.StatusServiceUnavailable:
		return slog.LevelError
	case x.status >= 400 || aborted:
		return slog.LevelWarn
	case x.report != nil || x.asked != "":
		return slog.LevelInfo
	}
	return slog.LevelDebug
}

// logRequest writes the log line of a request that has ended. aborted means that the connection was reset.
func (s *Server) logRequest(x *exchange, r *http.Request, aborted bool) {
	ctx, level := context.WithoutCancel(r.Context()), x.level(aborted)
	if !s.cfg.Logger.Enabled(ctx, level) {
		return
	}
	now := time.Now()
	var room [mostAttrs]slog.Attr
	attrs := append(room[:0], slog.String("method", r.Method), slog.String("path", callwright.Excerpt(r.URL.Path)),
		slog.Int("status", x.status),
		slog.Float64("duration_ms", float64(now.Sub(x.began).Microseconds())/1000))
	if x.wire != "" {
		attrs = append(attrs, slog.String("wire", string(x.wire)))
	}
	if key := x.key(); key != "" {
		attrs = append(attrs, slog.String("key", key))
	}
	if aborted {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	if x.asked != "" {
		attrs = append(attrs, slog.String("model", callwright.Excerpt(string(x.asked))))
	}
	if came, class := x.ending.Outcome(); came != "" {
		attrs = append(attrs, slog.String("outcome", string(came)))
		if class != "" {
			attrs = append(attrs, slog.String("class", class))
		}
	}
	if x.report != nil {
		attrs = appendReport(attrs, x.report)
	}
	if e := x.failed; e != nil {
		attrs = append(attrs, slog.String("kind", string(e.Kind)), slog.String("error", e.Error()))
	}
	line := slog.NewRecord(now, level, "request", 0) // no source position: it would always be this one
	line.AddAttrs(attrs...)
	_ = s.cfg.Logger.Handler().Handle(ctx, line) // Logger drops the error too
}

// mostAttrs is the maximum number of attributes of a log line.
const mostAttrs = 25

// statusGone is the status recorded for a request whose client left before the response.
const statusGone = 499

// rulesLogged is the maximum number of rules in a log line.
const rulesLogged = 20

// appendInt appends an attribute unless n is zero.
func appendInt(out []slog.Attr, key string, n int) []slog.Attr {
	if n == 0 {
		return out
	}
	return append(out, slog.Int(key, n))
}

// appendReport appends the attributes of a report that are not zero.
func appendReport(out []slog.Attr, rep *callwright.Report) []slog.Attr {
	out = append(out, slog.String("report", rep.ID))
	var used callwright.Usage
	for _, a := range rep.Attempts {
		used.Input, used.Output = used.Input+a.Usage.Input, used.Output+a.Usage.Output
	}
	if n := len(rep.Attempts); n > 0 {
		last := &rep.Attempts[n-1]
		out = append(out, slog.String("served", string(last.Model)), slog.Int("attempts", n))
		if rep.Mode != "" {
			out = append(out, slog.String("mode", string(rep.Mode)))
		}
		out = appendInt(out, "input_tokens", used.Input)
		out = appendInt(out, "cached_tokens", rep.CachedTokens)
		out = appendInt(out, "cache_hits", rep.CacheHits)
		out = appendInt(out, "output_tokens", used.Output)
	}
	if rep.Untouched {
		out = append(out, slog.Bool("untouched", true))
	}
	out = appendInt(out, "retries", outcome.Retries(rep))
	if outcome.FellBack(rep) {
		out = append(out, slog.Bool("fallback", true))
	}
	var rules []string
	for i, n := range rep.Notes {
		if i == rulesLogged {
			break
		}
		rules = append(rules, n.Rule)
	}
	if len(rules) > 0 {
		out = append(out, slog.Int("notes", len(rep.Notes)), slog.Any("rules", rules))
	}
	return out
}
