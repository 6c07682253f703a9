package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/linebuffer"
)

// A serveLog is where serve says what happens: plain lines and a log, or the log alone where it is for machines.
type serveLog struct {
	level, format string

	*slog.Logger
	plain io.Writer
	lines *linebuffer.Writer
}

// open makes the log of what the flags say. Its lines are flushed at the end.
func (l *serveLog) open(w io.Writer) error {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.level)); err != nil {
		return misuseError{fmt.Errorf("--log-level: expected debug, info, warn or error, got %q", l.level)}
	}
	opts := &slog.HandlerOptions{Level: level}
	l.lines = linebuffer.New(w)
	switch l.format {
	case "text":
		l.Logger = slog.New(l.lines.Handler(func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, opts) }))
		l.plain = l.lines
	case "json":
		l.Logger = slog.New(l.lines.Handler(func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, opts) }))
		l.plain = lineLog{l.Logger}
	default:
		return misuseError{fmt.Errorf("--log-format: expected text or json, got %q", l.format)}
	}
	return nil
}

// A lineLog turns lines into records of a log.
type lineLog struct{ to *slog.Logger }

func (l lineLog) Write(b []byte) (int, error) {
	for line := range bytes.Lines(b) {
		if text := strings.TrimSpace(string(line)); text != "" {
			l.to.Info(text)
		}
	}
	return len(b), nil
}
