package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/prerequisite"
)

// A console is an output that says when something stands in it.
type console struct {
	mu   sync.Mutex
	text bytes.Buffer
	some chan struct{}
}

func newConsole() *console { return &console{some: make(chan struct{}, 1)} }

func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case c.some <- struct{}{}:
	default:
	}
	return c.text.Write(p)
}

func (c *console) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

// A command that waits for input ends when it is interrupted, whatever it waits for, and keeps what was finished.
func TestInterrupted(t *testing.T) {
	for _, c := range []struct {
		about string
		args  []string
		typed string
		want  string // on standard output, before the interruption
	}{
		{"parse", []string{"parse"}, "half an ans", ""},
		{"parse in lines", []string{"parse", "--batch"}, "{\"id\": 1, \"text\": \"a\"}\n{\"id\": 2, \"te", `{"id":1,"content":"a"`},
		{"explain", []string{"explain", "-"}, "{\"model\": ", ""},
		{"explain with a model", []string{"explain", "--model", "sim/native", "-"}, "", ""},
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		out, errs := newConsole(), newConsole()
		in, typing := io.Pipe()
		status := make(chan int, 1)
		go func() {
			status <- run(ctx, c.args, streams{in: in, out: out, err: errs}, noEnv)
		}()
		if _, err := io.WriteString(typing, c.typed); err != nil {
			t.Fatal(err)
		}
		if c.want != "" {
			<-out.some
		}
		interrupt()
		select {
		case got := <-status:
			if got != exitFailed || !strings.HasPrefix(out.String(), c.want) || !strings.Contains(errs.String(), "callwright: interrupted") {
				t.Errorf("%s: exit status %d, output %q, errors %q", c.about, got, out, errs)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s does not end", c.about)
		}
		_ = typing.Close()
	}
}

// Of a file that is too long no more is read than shows it.
func TestLongInput(t *testing.T) {
	long := filepath.Join(t.TempDir(), "long.json")
	if err := errors.Join(os.WriteFile(long, nil, 0o600), os.Truncate(long, 1<<40)); err != nil {
		prerequisite.Missing(t, err) // not every file system has files with holes
	}
	for _, args := range [][]string{
		{"explain", long}, {"parse", "--tools", long}, {"run", "--model", "sim/native", "--conversation", long, "x"}, {"serve", "--config", long}, {"eval", "diff", long, long},
	} {
		status, _, errs := command(t, "", args...)
		if status == exitDone || !strings.Contains(errs, long+": expected a file of at most ") {
			t.Errorf("%s: exit status %d, %s", args, status, errs)
		}
	}
}

// Each line of a batch is answered before the next one is waited for.
func TestBatchAnswersAtOnce(t *testing.T) {
	out := newConsole()
	in, typing := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(t.Context(), []string{"parse", "--batch"}, streams{in: in, out: out, err: io.Discard}, noEnv)
	}()
	for range 3 {
		if _, err := io.WriteString(typing, "{\"text\": \"a\"}\n"); err != nil {
			t.Fatal(err)
		}
		select {
		case <-out.some:
		case <-time.After(time.Minute):
			t.Fatal("a line is not answered")
		}
	}
	_ = typing.Close()
	if status := <-done; status != exitDone {
		t.Errorf("exit status %d", status)
	}
}

// A file that cannot be read to its end does not hold a command that is interrupted.
func TestReadFileInterrupted(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := makeFIFO(fifo); err != nil {
		prerequisite.Missing(t, "named pipes:", err)
	}
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	if _, err := readFile(ctx, fifo); err != errInterrupted { //nolint:errorlint // it is that one
		t.Errorf("got %v", err)
	}
	w, err := os.OpenFile(fifo, os.O_WRONLY, 0) // now the read of it ends, too
	if err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
}

func noEnv(string) (string, bool) { return "", false }
