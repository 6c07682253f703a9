package main

import (
	"context"
	"errors"
	"io"

	"github.com/callwright/callwright/cmd/callwright/internal/jsonlines"
	"github.com/callwright/callwright/internal/boundedfile"
)

// errInterrupted is the error of a read that an interrupt signal ended.
var errInterrupted = errors.New("interrupted")

// input returns standard input as a reader that fails when ctx is done, although a read of the terminal may still
// block.
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

// readFile reads a file of at most maxRequest bytes. It returns when ctx is done, even if the file is a pipe without a
// writer.
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

// answerLines reads JSON lines from standard input and prints the result of answer for each.
func answerLines(ctx context.Context, a *app, answer func(line []byte) (any, error)) error {
	awaitTerminal(a, "JSON lines")
	return jsonlines.Answer(ctx, a.input(ctx), a.std.out, answer)
}
