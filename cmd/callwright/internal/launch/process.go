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

// A Process is the process of an agent to start.
type Process struct {
	Path     string
	Args     []string // without the program name
	Env      []string
	In       io.Reader
	Out, Err io.Writer
}

// signalled is added to a signal number for the exit status of a killed process, as in shells.
const signalled = 128

// passed are the signals that are forwarded to the agent.
var passed = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}

// Run runs the agent and returns its exit status. Signals to this process do not end it: they are forwarded to the
// agent, except those that a shared terminal sends to both. An error usually means that the agent could not be started.
func (p Process) Run(ctx context.Context) (status int, err error) {
	signals := make(chan os.Signal, len(passed))
	signal.Notify(signals, passed...)
	defer signal.Stop(signals)
	cmd := exec.CommandContext(context.WithoutCancel(ctx), p.Path, p.Args...) // signals end it, not ctx
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
				_ = cmd.Process.Signal(s) // the agent may have ended
			}
		case err := <-ended:
			return exitStatus(cmd.ProcessState, err)
		}
	}
}

// fromTerminal are signals that a terminal sends to all processes in the foreground, so also to the agent. They must
// not be forwarded, because the agent would receive them twice.
var fromTerminal = []os.Signal{os.Interrupt, syscall.SIGQUIT, syscall.SIGHUP}

// hasTerminal reports whether the process has a controlling terminal.
func hasTerminal() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	_ = tty.Close()
	return true
}

// exitStatus returns the exit status of the agent's process, 128 plus the signal if it was killed.
func exitStatus(state *os.ProcessState, err error) (int, error) {
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		return 0, err
	}
	if w, ok := state.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return signalled + int(w.Signal()), nil
	}
	return state.ExitCode(), nil
}

// Environ returns the environment base with the variables in set and without those in a.Clear.
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
