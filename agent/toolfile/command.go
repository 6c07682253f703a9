package toolfile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/processgroup"
)

// A command is the action of a tool that runs a program once per call.
type command struct {
	argv  []string
	env   []string
	dir   string
	limit int64 // maximum size of the output in bytes
}

// kept are the environment variables that every command inherits: search paths and folders for files.
var kept = []string{"PATH", "HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PATHEXT", "COMSPEC"}

// grace is the time for which child processes may keep the output open after the command has ended.
const grace = time.Second

// command parses the members "command", "env" and "dir" of a tool's "run".
func (r *reader) command(m members, at string) command {
	c := command{limit: r.options.MaxOutput, dir: r.text(m["dir"], below(at, "dir")), env: []string{}}
	if c.dir != "" && !filepath.IsAbs(c.dir) {
		c.dir = filepath.Join(r.options.Dir, c.dir)
	}
	place := below(at, "command")
	if !jsonx.IsArray(m["command"]) {
		r.fail(place, "expected a list of a program and its arguments, got %s", jsonx.KindOf(m["command"]))
	}
	for v := range jsonx.Elements(m["command"]) {
		here := element(place, len(c.argv))
		word := r.text(v, here)
		switch {
		case strings.ContainsRune(word, 0):
			r.fail(here, "expected text without NUL")
		case len(c.argv) == 0 && word == "" && jsonx.IsText(v):
			r.fail(here, "expected the name of a program")
		}
		c.argv = append(c.argv, word)
	}
	if len(c.argv) == 0 && jsonx.IsArray(m["command"]) {
		r.fail(place, "expected a program and its arguments, got none")
	}
	for _, name := range kept {
		if value, set := r.options.Env(name); set {
			c.env = append(c.env, name+"="+value)
		}
	}
	for _, pair := range r.texts(m["env"], below(at, "env"), "an object of environment variables") {
		if name := pair[0]; name == "" || strings.ContainsAny(name, "=\x00") || strings.ContainsRune(pair[1], 0) {
			r.fail(below(below(at, "env"), name), "expected a name without = and a value without NUL")
		}
		c.env = append(c.env, pair[0]+"="+pair[1])
	}
	return c
}

// run runs the program with the arguments as a line of JSON on its standard input, and returns its standard output.
func (c command) run(ctx context.Context, arguments json.RawMessage) (agent.Output, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &bounds{limit: c.limit, over: cancel}
	told := &tail{}
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Env, cmd.Dir = c.env, c.dir
	cmd.Stdin = bytes.NewReader(append(jsonx.Compact(nil, arguments), '\n'))
	cmd.Stdout, cmd.Stderr = out, told
	cmd.WaitDelay = grace
	processgroup.EndTogether(cmd)
	if err := cmd.Start(); err != nil {
		return agent.Output{}, toolErrorf("the command cannot be started: %v", err)
	}
	err := cmd.Wait()
	switch exit, _ := errors.AsType[*exec.ExitError](err); {
	case out.full:
		return agent.Output{}, tooLarge(c.limit)
	case errors.Is(err, exec.ErrWaitDelay):
		o := outputOf(out.b)
		o.Warnings = append(o.Warnings, "what the command started kept its output open and was not waited for")
		return o, nil
	case exit != nil:
		return agent.Output{}, toolErrorf("%s", strings.TrimSuffix(exit.String()+": "+told.text(), ": "))
	case err != nil:
		return agent.Output{}, toolErrorf("the command failed: %v", err)
	}
	return outputOf(out.b), nil
}

// bounds is an io.Writer that stores at most limit bytes.
type bounds struct {
	b     []byte
	limit int64
	full  bool
	over  func() // called when the limit is exceeded
}

// Write returns an error if the data would exceed the limit.
func (w *bounds) Write(p []byte) (int, error) {
	if int64(len(p)) > w.limit-int64(len(w.b)) {
		w.full = true
		w.over()
		return 0, errors.New("too much output")
	}
	w.b = append(w.b, p...)
	return len(p), nil
}

// tail is an io.Writer that stores the last maxTold bytes.
type tail struct {
	b   []byte
	cut bool
}

// Write stores the last maxTold bytes of all writes. It never fails.
func (w *tail) Write(p []byte) (int, error) {
	w.b = append(w.b, p[max(0, len(p)-maxTold):]...)
	w.cut = w.cut || len(p) > maxTold
	if len(w.b) > maxTold {
		w.b = slices.Clone(w.b[len(w.b)-maxTold:])
		w.cut = true
	}
	return len(p), nil
}

// text returns the stored end as valid UTF-8 without surrounding white space. It begins with "..." if earlier bytes
// were dropped.
func (w *tail) text() string {
	s := strings.TrimSpace(strings.ToValidUTF8(string(w.b), "\ufffd"))
	if w.cut {
		return "... " + s
	}
	return s
}
