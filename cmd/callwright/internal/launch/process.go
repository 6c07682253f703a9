package launch

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

// A Process is an agent that is to be started.
type Process struct {
	Path     string
	Args     []string // without the program's name
	Env      []string
	In       io.Reader
	Out, Err io.Writer
}

// signalled is added to the number of the signal that ended a process, as shells do.
const signalled = 128

// passed are the signals that an agent gets when this process does.
var passed = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Run runs the agent until it ends and returns its exit status. Signals that this process gets meanwhile are the
// agent's to answer. The error says that it could not be started.
func (p Process) Run(ctx context.Context) (status int, err error) {
	signals := make(chan os.Signal, len(passed))
	signal.Notify(signals, passed...)
	defer signal.Stop(signals)
	cmd := exec.CommandContext(context.WithoutCancel(ctx), p.Path, p.Args...) // it ends by its own signals
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Env, p.In, p.Out, p.Err
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	shared := hasTerminal()
	for {
		select {
		case s := <-signals:
			if !shared || !slices.Contains(fromTerminal, s) {
				_ = cmd.Process.Signal(s) // it may have ended
			}
		case err := <-ended:
			return exitStatus(cmd.ProcessState, err)
		}
	}
}

// fromTerminal are the signals that a terminal sends to all processes in its foreground, to the agent as to this one:
// passed on they would count twice.
var fromTerminal = []os.Signal{os.Interrupt, syscall.SIGQUIT, syscall.SIGHUP}

// hasTerminal reports whether the process has a terminal that it gets signals from.
func hasTerminal() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}

// exitStatus is the agent's exit status.
func exitStatus(state *os.ProcessState, err error) (int, error) {
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return 0, err
	}
	if w, ok := state.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return signalled + int(w.Signal()), nil
	}
	return state.ExitCode(), nil
}

// Environ returns an environment with the variables of a setup and without those that lead the agent elsewhere.
func (a Agent) Environ(base []string, set []Variable) []string {
	out := slices.DeleteFunc(slices.Clone(base), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(a.Clear, name) || slices.ContainsFunc(set, func(v Variable) bool { return v.Name == name })
	})
	for _, v := range set {
		out = append(out, v.Name+"="+v.Value)
	}
	return out
}
