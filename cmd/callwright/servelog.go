package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/linebuffer"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/cmd/callwright/internal/shortlog"
)

// A serveLog is the output of serve on standard error: a structured log and plain lines. In the JSON format the plain
// lines become log records.
type serveLog struct {
	level, format string

	*slog.Logger
	plain io.Writer
	lines *linebuffer.Writer
}

// Values of the flag --log-format.
const (
	logText  = "text"
	logJSON  = "json"
	logShort = "short"
)

// open creates the log for the flags. The default format is short on a terminal and text elsewhere. The caller must
// flush l.lines.
func (l *serveLog) open(w io.Writer, env func(string) (string, bool)) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.level)); err != nil {
		return misuseError{fmt.Errorf("--log-level: expected debug, info, warn or error, got %q", l.level)}
	}
	if l.format == "" {
		if l.format = logText; paint.IsTerminal(w) {
			l.format = logShort
		}
	}
	l.lines = linebuffer.New(w)
	switch l.format {
	case logShort:
		style := paint.New(w, env).Paint
		l.Logger = slog.New(l.lines.Handler(func(w io.Writer) slog.Handler { return shortlog.New(w, level, style) }))
		l.plain = l.lines
	case logText:
		l.Logger = slog.New(l.lines.Handler(func(w io.Writer) slog.Handler { return linebuffer.NewTextHandler(w, level) }))
		l.plain = l.lines
	case logJSON:
		l.Logger = slog.New(l.lines.Handler(func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}) }))
		l.plain = lineLog{l.Logger}
	default:
		return misuseError{fmt.Errorf("--log-format: expected text, json or short, got %q", l.format)}
	}
	return nil
}

// A lineLog is a writer that logs each line at level info.
type lineLog struct{ to *slog.Logger }

func (l lineLog) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if text := strings.TrimSpace(string(line)); text != "" {
			l.to.Info(text)
		}
	}
	return len(b), nil
}
