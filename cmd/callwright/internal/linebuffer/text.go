package linebuffer

import (
	"context"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// NewTextHandler returns a handler that writes the same lines to w as slog.NewTextHandler does for records from a
// minimum level. It is faster for a record whose values are strings, numbers, Booleans, times and
// durations.
func NewTextHandler(w io.Writer, level slog.Leveler) slog.Handler {
	return &textHandler{TextHandler: slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}), w: w}
}

// A textHandler formats records with plain values. The embedded handler formats the others, and all records of loggers
// with attributes or groups of their own.
type textHandler struct {
	*slog.TextHandler
	w io.Writer

	mu   sync.Mutex
	line []byte // memory of the last line
}

var _ slog.Handler = (*textHandler)(nil)

// Handle writes a record.
func (h *textHandler) Handle(ctx context.Context, r slog.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	line, plain := appendRecord(h.line[:0], &r)
	h.line = line[:0]
	if !plain {
		return h.TextHandler.Handle(ctx, r)
	}
	_, err := h.w.Write(line)
	return err
}

// appendRecord appends the line of a record to dst. plain is false if a value is not plain: the line is then useless.
func appendRecord(dst []byte, r *slog.Record) (line []byte, plain bool) {
	if !r.Time.IsZero() {
		dst = append(dst, "time="...)
		dst = append(appendTime(dst, r.Time), ' ')
	}
	dst = append(dst, "level="...)
	dst = appendText(dst, r.Level.String())
	dst = append(dst, " msg="...)
	dst = appendText(dst, r.Message)
	plain = true
	r.Attrs(func(a slog.Attr) bool {
		dst = append(dst, ' ')
		dst = append(appendText(dst, a.Key), '=')
		dst, plain = appendValue(dst, a.Value)
		return plain
	})
	return append(dst, '\n'), plain
}

// appendValue appends a value to dst. plain is false if the value is none of the kinds that it formats.
func appendValue(dst []byte, v slog.Value) (out []byte, plain bool) {
	switch v.Kind() {
	case slog.KindString:
		return appendText(dst, v.String()), true
	case slog.KindInt64:
		return strconv.AppendInt(dst, v.Int64(), 10), true
	case slog.KindUint64:
		return strconv.AppendUint(dst, v.Uint64(), 10), true
	case slog.KindFloat64:
		return strconv.AppendFloat(dst, v.Float64(), 'g', -1, 64), true
	case slog.KindBool:
		return strconv.AppendBool(dst, v.Bool()), true
	case slog.KindDuration:
		return append(dst, v.Duration().String()...), true
	case slog.KindTime:
		return appendTime(dst, v.Time()), true
	}
	return dst, false
}

// appendTime appends a time in the format of RFC 3339, truncated to milliseconds. Package time formats only RFC3339Nano
// fast. This format drops trailing zeros of the fraction, so appendTime adds a fourth digit 1 and then removes it.
func appendTime(dst []byte, t time.Time) []byte {
	const width = len("2006-01-02T15:04:05.000")
	start := len(dst)
	dst = t.Truncate(time.Millisecond).Add(time.Millisecond/10).AppendFormat(dst, time.RFC3339Nano)
	return slices.Delete(dst, start+width, start+width+1)
}

// appendText appends a string to dst, in quotes if it is empty or has white space, an equals sign, a quote or a
// character that cannot be printed.
func appendText(dst []byte, s string) []byte {
	if isBare(s) {
		return append(dst, s...)
	}
	return strconv.AppendQuote(dst, s)
}

// isBare reports whether package slog writes a string without quotes.
func isBare(s string) bool {
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b >= utf8.RuneSelf:
			return isBareUnicode(s[i:])
		case b <= ' ' || b == '"' || b == '=':
			return false
		}
	}
	return s != ""
}

// isBareUnicode is isBare for the rest of a string from its first character that is not ASCII.
func isBareUnicode(s string) bool {
	for _, r := range s {
		if r <= ' ' || r == '"' || r == '=' || r == utf8.RuneError || r >= utf8.RuneSelf && (unicode.IsSpace(r) || !unicode.IsPrint(r)) {
			return false
		}
	}
	return true
}
