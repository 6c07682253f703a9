package main

import (
	"errors"
	"testing"

	"github.com/callwright/callwright/internal/trace"
)

// lateFile is a file whose lines are written after Write, as those of a folder are: what fails is known when it is closed.
type lateFile struct{ closed int }

var errLate = errors.New("no space left on device")

func (*lateFile) Write(p []byte) (int, error) { return len(p), nil }
func (f *lateFile) Close() error {
	if f.closed++; f.closed > 1 {
		return errors.New("closed twice")
	}
	return errLate
}

// A trace whose last lines could not be written says so at its end, each time it is asked.
func TestTraceNotWritten(t *testing.T) {
	file := &lateFile{}
	tf := &traceFile{end: file.Close, w: trace.NewWriter(file)}
	for range 2 {
		if err := tf.close(); !errors.Is(err, errLate) {
			t.Errorf("got %v", err)
		}
	}
	if err := (*traceFile)(nil).close(); err != nil {
		t.Errorf("no trace: %v", err)
	}
}
