// Command callwright makes tool calls reliable on every language model: a gateway, and tools to inspect its work.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/callwright/callwright/cmd/callwright/internal/runcmd"
)

// Exit statuses: success, failure, invalid command line, and a run or proposal that waits for a person.
const (
	exitDone    = 0
	exitFailed  = 1
	exitMisused = 2
	exitParked  = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // after that, a second signal ends the process
	os.Exit(run(ctx, os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}, os.LookupEnv))
}

// run executes one command line and returns the exit status. env looks up environment variables.
func run(ctx context.Context, args []string, std streams, env func(string) (string, bool)) int {
	out := &output{Writer: std.out}
	std.out = out
	root := newRoot(&app{std: std, env: env})
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = out.failed
	}
	var misuse misuseError
	var ended agentExit
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &ended):
		return int(ended) // the agent has printed its error
	case errors.Is(err, runcmd.ErrWaits):
		return exitParked // the command has printed the questions
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		err = errInterrupted
	case errors.As(err, &misuse):
		fmt.Fprintf(std.err, "callwright: %v\n", err)
		return exitMisused
	}
	fmt.Fprintf(std.err, "callwright: %v\n", err)
	return exitFailed
}

// A misuseError is the error of an invalid command line. The exit status is exitMisused.
type misuseError struct{ error }

func (e misuseError) Unwrap() error { return e.error }
