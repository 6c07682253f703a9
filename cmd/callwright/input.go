package main

import (
	"context"
	"errors"
	"io"

	"github.com/callwright/callwright/cmd/callwright/internal/jsonlines"
	"github.com/callwright/callwright/internal/boundedfile"
)

// errInterrupted ends a wait for input after an interrupt by the person or the system.
var errInterrupted = errors.New("interrupted")

// input returns standard input as a stream that ends with ctx, though a read of it may not.
func (a *app) input(ctx context.Context) io.Reader { return interruptible(ctx, a.std.in) }

func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	stop := context.AfterFunc(ctx, func() { _ = in.CloseWithError(errInterrupted) })
	go func() {
		_, err := io.Copy(in, r)
		_ = in.CloseWithError(err)
		stop()
	}()
	return out
}

// readFile reads a file of at most maxRequest bytes, which may be a pipe that nobody writes to, until ctx ends.
func readFile(ctx context.Context, name string) ([]byte, error) {
	type outcome struct {
		data []byte
		err  error
	}
	done := make(chan outcome, 1)
	go func() {
		data, err := boundedfile.Read(name, maxRequest)
		done <- outcome{data, err}
	}()
	select {
	case o := <-done:
		return o.data, o.err
	case <-ctx.Done():
		return nil, errInterrupted
	}
}

// answerLines answers the lines of standard input.
func answerLines(ctx context.Context, a *app, answer func(line []byte) (any, error)) error {
	awaitTerminal(a, "JSON lines")
	return jsonlines.Answer(ctx, a.input(ctx), a.std.out, answer)
}
