package edit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// Input limits: bytes per line, and number of lines read in advance.
const (
	maxLine  = 256 << 10
	maxAhead = 256
)

// errInterrupted is the error of a read that Ctrl-C interrupted.
var errInterrupted = errors.New("interrupted")

// Lines reads a person's lines from a terminal or another stream. Create it with NewLines.
type Lines struct {
	interrupts <-chan os.Signal
	typed      <-chan typed
	early      []typed // read before a question was shown
}

type typed struct {
	text string
	err  error // after the last line; io.EOF at the normal end
}

// NewLines starts to read lines from r in the background until the process ends. A signal on interrupts, which may be
// nil, interrupts a read.
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

// next returns the next line. It returns io.EOF at the end of the input, and errInterrupted after Ctrl-C.
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

// ask calls put to show a question, and returns the first line that is typed after it. Earlier lines are kept for next.
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
