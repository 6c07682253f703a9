package edit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Bounds of reading: the bytes of a line, and the lines that nobody has asked for yet.
const (
	maxLine  = 256 << 10
	maxAhead = 256
)

// errInterrupted is Ctrl-C while a line is waited for.
var errInterrupted = errors.New("interrupted")

// Lines are those of a person, from a terminal or another stream. Use NewLines.
type Lines struct {
	interrupts <-chan os.Signal
	typed      <-chan typed
	early      []typed // before they were waited for
}

type typed struct {
	text string
	err  error // behind the last one, io.EOF where nothing broke
}

// NewLines reads lines, ahead of when they are asked for, for the life of the process. A signal of interrupts, which
// may be nil, ends a wait.
func NewLines(r io.Reader, interrupts <-chan os.Signal) *Lines {
	lines := make(chan typed, maxAhead)
	go func() {
		defer close(lines)
		s := bufio.NewScanner(r)
		s.Buffer(nil, maxLine)
		for s.Scan() {
			lines <- typed{text: s.Text()}
		}
		err := s.Err()
		switch {
		case errors.Is(err, bufio.ErrTooLong):
			err = &UseError{fmt.Errorf("a line has more than %d bytes", maxLine)}
		case err == nil:
			err = io.EOF
		}
		lines <- typed{err: err}
	}()
	return &Lines{interrupts: interrupts, typed: lines}
}

// next waits for a line. io.EOF says that there is none any more.
func (l *Lines) next(ctx context.Context) (string, error) {
	if len(l.early) > 0 {
		first := l.early[0]
		if first.err == nil {
			l.early = l.early[1:]
		}
		return first.text, first.err
	}
	return l.wait(ctx)
}

// ask waits for a line that was typed after a question was put: one from before cannot be its answer.
func (l *Lines) ask(ctx context.Context, put func() error) (string, error) {
	for waiting := true; waiting; {
		select {
		case t, ok := <-l.typed:
			if waiting = ok; ok {
				l.early = append(l.early, t)
			}
		default:
			waiting = false
		}
	}
	if err := put(); err != nil {
		return "", err
	}
	if n := len(l.early); n > 0 && l.early[n-1].err != nil {
		return "", l.early[n-1].err
	}
	return l.wait(ctx)
}

func (l *Lines) wait(ctx context.Context) (string, error) {
	select {
	case t, ok := <-l.typed:
		if !ok {
			return "", io.EOF
		}
		if t.err != nil {
			l.early = append(l.early, t)
		}
		return t.text, t.err
	case <-l.interrupts:
		return "", errInterrupted
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
