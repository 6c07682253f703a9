// Package shortlog formats the records of the gateway's log as short lines of text, one line per record:
//
//	17:20:05 200 243ms ada fast -> llamahost/llama-3.3-70b healed: call in tags
//	17:20:06 retry lab/m in 447ms: 500 provider error
package shortlog

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/outcome"
)

// A Handler is a slog.Handler that writes records from a minimum level. It is safe for concurrent use.
type Handler struct {
	level slog.Leveler
	paint func(paint.Style, string) string
	out   *lockedWriter
	attrs []slog.Attr // keys include group names
	group string      // names of open groups, each followed by a dot
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

// New returns a handler that writes to w. style applies a style to a text; nil means no styles.
func New(w io.Writer, level slog.Leveler, style func(paint.Style, string) string) *Handler {
	if style == nil {
		style = func(_ paint.Style, text string) string { return text }
	}
	return &Handler{level: level, paint: style, out: &lockedWriter{w: w}}
}

var _ slog.Handler = (*Handler)(nil)

// Enabled reports whether the handler writes records of the level.
func (h *Handler) Enabled(_ context.Context, level slog.Level) bool { return level >= h.level.Level() }

// WithAttrs returns a handler that adds the attributes attrs to its records.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := *h
	out.attrs = h.attrs[:len(h.attrs):len(h.attrs)]
	for _, a := range attrs {
		out.attrs = flatten(out.attrs, h.group, a)
	}
	return &out
}

// WithGroup returns a handler that prefixes attribute keys with the name of a group.
func (h *Handler) WithGroup(name string) slog.Handler {
	out := *h
	if name != "" {
		out.group += name + "."
	}
	return &out
}

// flatten appends an attribute to out. For a group it appends each attribute of the group.
func flatten(out []slog.Attr, group string, a slog.Attr) []slog.Attr {
	a.Value = a.Value.Resolve()
	if a.Value.Kind() != slog.KindGroup {
		if a.Equal(slog.Attr{}) {
			return out
		}
		return append(out, slog.Attr{Key: group + a.Key, Value: a.Value})
	}
	if a.Key != "" {
		group += a.Key + "."
	}
	for _, inner := range a.Value.Group() {
		out = flatten(out, group, inner)
	}
	return out
}

// Handle writes a log record as one line.
func (h *Handler) Handle(_ context.Context, r slog.Record) error {
	l := line{Handler: h, level: r.Level, attrs: append(make([]slog.Attr, 0, len(h.attrs)+r.NumAttrs()), h.attrs...)}
	r.Attrs(func(a slog.Attr) bool {
		l.attrs = flatten(l.attrs, h.group, a)
		return true
	})
	if !r.Time.IsZero() {
		l.word(paint.Faint, r.Time.Format(time.TimeOnly))
	}
	switch {
	case r.Message == "request" && l.text("status") != "":
		l.request()
	case isNotice(r.Message) && l.text("model") != "":
		l.notice(r.Message)
	default:
		l.other(r.Message)
	}
	l.b.WriteByte('\n')
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	_, err := io.WriteString(h.out.w, l.b.String())
	return err
}

// A line is the short line of a log record while it is formatted.
type line struct {
	*Handler
	level slog.Level
	attrs []slog.Attr
	b     strings.Builder
}

// value returns the value of the last attribute with a key. ok is false if there is none.
func (l *line) value(key string) (slog.Value, bool) {
	for i := len(l.attrs) - 1; i >= 0; i-- {
		if l.attrs[i].Key == key {
			return l.attrs[i].Value, true
		}
	}
	return slog.Value{}, false
}

// text returns an attribute of the log record as text, "" if it is missing.
func (l *line) text(key string) string {
	v, ok := l.value(key)
	if !ok {
		return ""
	}
	return paint.Visible(v.String())
}

// count returns an integer attribute of the log record, 0 if it is missing.
func (l *line) count(key string) int64 {
	if v, ok := l.value(key); ok && v.Kind() == slog.KindInt64 {
		return v.Int64()
	}
	return 0
}

// number returns a numeric attribute of the log record, 0 if it is missing.
func (l *line) number(key string) float64 {
	if v, ok := l.value(key); ok && v.Kind() == slog.KindFloat64 {
		return v.Float64()
	}
	return float64(l.count(key))
}

// word appends a space and a text. An empty text appends nothing.
func (l *line) word(style paint.Style, text string) {
	if text == "" {
		return
	}
	if l.b.Len() > 0 {
		l.b.WriteByte(' ')
	}
	l.b.WriteString(l.paint(style, text))
}

// because appends ": " and a reason, unless the reason is empty.
func (l *line) because(reason string) {
	if reason != "" {
		l.b.WriteString(": " + reason)
	}
}

// request formats a request: status, duration, key, requested model, serving model, outcome, numbers of attempts and
// retries, and the reason.
func (l *line) request() {
	status, style := l.count("status"), paint.Plain
	if status >= 400 {
		style = paint.Red
	}
	l.word(style, strconv.FormatInt(status, 10))
	l.word(paint.Plain, took(time.Duration(l.number("duration_ms")*float64(time.Millisecond))))
	l.word(paint.Plain, l.text("key"))
	asked, served := l.text("model"), l.text("served")
	if asked == "" {
		l.word(paint.Plain, l.text("method"))
		l.word(paint.Plain, l.text("path"))
	}
	l.word(paint.Plain, asked)
	if served != "" && served != asked {
		l.word(paint.Plain, "-> "+served)
	}
	came := outcome.Outcome(l.text("outcome"))
	switch came {
	case outcome.Failed:
		l.word(paint.Red, string(came))
	case outcome.Healed:
		l.word(paint.Green, string(came))
	default:
		l.word(paint.Plain, string(came))
	}
	if tries := l.tries(); tries != "" {
		l.word(paint.Plain, "("+tries+")")
	}
	if class := l.text("class"); class != "" {
		l.because(outcome.Words(class))
	}
	l.because(l.failure(asked, served))
}

// tries returns the number of attempts, if more than one, and the number of retries, if any.
func (l *line) tries() string {
	var out []string
	if n := l.count("attempts"); n > 1 {
		out = append(out, plural(n, "attempt", "attempts"))
	}
	if n := l.count("retries"); n > 0 {
		out = append(out, plural(n, "retry", "retries"))
	}
	return strings.Join(out, ", ")
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}

// failure returns why a request failed, "" if it did not fail.
func (l *line) failure(models ...string) string {
	kind, text := errorkind.Words(callwright.Kind(l.text("kind"))), withoutModel(l.text("error"), models...)
	switch {
	case kind == "" && text == "" && l.text("aborted") == "true":
		return "interrupted"
	case kind == "" || text == "" || strings.HasPrefix(text, kind):
		return cmp.Or(text, kind)
	}
	return kind + ": " + text
}

// withoutModel returns an error message without the operation and the model at its start, because the line already
// contains the models.
func withoutModel(text string, models ...string) string {
	for _, m := range models {
		if before, behind, ok := strings.Cut(text, m+": "); ok && m != "" && !strings.Contains(strings.TrimSuffix(before, ": "), " ") {
			return behind
		}
	}
	return text
}

// isNotice reports whether a message is a notice: an event that delays or redirects a request.
func isNotice(message string) bool {
	_, ok := noticeTimes[message]
	return ok
}

// noticeTimes maps the message of a notice to the word in front of its duration.
var noticeTimes = map[string]string{"slow": "for", "retry": "in", "wait": "for", "skip": "for", "fallback": "",
	"breaker open": "for", "breaker closed": ""}

// notice formats a notice: event, model, next model, duration, and reason.
func (l *line) notice(event string) {
	style := paint.Plain
	if l.level >= slog.LevelWarn {
		style = paint.Bold
	}
	l.word(style, event)
	l.word(paint.Plain, l.text("model"))
	if next := l.text("next"); next != "" {
		l.word(paint.Plain, "-> "+next)
	}
	if seconds := l.number("seconds"); seconds > 0 {
		l.word(paint.Plain, noticeTimes[event])
		l.word(paint.Plain, took(time.Duration(seconds*float64(time.Second))))
	}
	kind, reason := l.text("kind"), withoutModel(l.text("reason"), l.text("model"))
	if kind != "" {
		words := errorkind.Words(callwright.Kind(kind))
		reason = cmp.Or(strings.ReplaceAll(reason, kind, words), words)
	}
	l.because(reason)
}

// other formats any other record: its level if it is at least a warning, its message and all attributes.
func (l *line) other(message string) {
	switch {
	case l.level >= slog.LevelError:
		l.word(paint.Red, "error:")
	case l.level >= slog.LevelWarn:
		l.word(paint.Bold, "warning:")
	}
	l.word(paint.Plain, paint.Visible(message))
	for _, a := range l.attrs {
		value := a.Value.String()
		if strings.ContainsAny(value, " \"=\n") || value == "" {
			value = strconv.Quote(value)
		}
		l.word(paint.Plain, paint.Visible(a.Key)+"="+paint.Visible(value))
	}
}

// took formats a duration with a precision suitable for its size, such as "1.2ms".
func took(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64) + "ms"
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < 10*time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}
