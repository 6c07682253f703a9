package eval

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/trace"
)

// defaultTimeout is the default time limit of a cell.
const defaultTimeout = 10 * time.Minute

// grace is how long a cell may continue after its time limit. After that its goroutine is abandoned.
const grace = 5 * time.Second

func (r *Runner) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}

// cell plays one cell. It always returns a result.
func (r *Runner) cell(ctx context.Context, c Cell) Result {
	began := r.now()
	limit := r.Timeout
	if limit == 0 {
		limit = defaultTimeout
	}
	cancel := func() {}
	if limit > 0 {
		ctx, cancel = context.WithTimeout(ctx, limit)
	}
	defer cancel()
	out := make(chan Result, 1)
	go func() { out <- r.playWithRecover(ctx, c) }()
	var res Result
	select {
	case res = <-out:
	case <-ctx.Done():
		select {
		case res = <-out:
		case <-time.After(grace):
			res = Result{Cell: c}
			res.end(Broken, classTimeout, "the cell did not end at its time limit")
		}
	}
	res.Started, res.Duration = began.UTC(), r.now().Sub(began)
	return res
}

// playWithRecover plays a cell. A panic becomes a result with outcome Broken.
func (r *Runner) playWithRecover(ctx context.Context, c Cell) (res Result) {
	res = Result{Cell: c}
	defer func() {
		if broken := recover(); broken != nil {
			res = Result{Cell: c}
			res.end(Broken, classPanic, fmt.Sprintf("panic: %v at %s", broken, place(debug.Stack())))
		}
	}()
	s := r.Plan.Scenario(c.Scenario)
	if s == nil {
		res.end(Broken, classHarness, fmt.Sprintf("the plan has no scenario %q", c.Scenario))
		return res
	}
	t, err := r.record(c)
	if err != nil {
		res.end(Broken, classHarness, err.Error())
		return res
	}
	r.open(ctx, s, t, &res)
	keep := r.KeepTrace == nil || r.KeepTrace(res)
	if !keep {
		res.Trace = ""
	}
	if err := t.close(keep); err != nil {
		res.end(Broken, classHarness, err.Error())
	}
	return res
}

// place returns the source position of a panic, such as file.go:12, by its stack trace.
func place(stack []byte) string {
	lines := strings.Split(string(stack), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic(") && i+3 < len(lines) {
			at, _, _ := strings.Cut(strings.TrimSpace(lines[i+3]), " ")
			return filepath.Base(at)
		}
	}
	return "an unknown place"
}

// open opens the session of a cell, plays the scenario, and stores the outcome in res. A session may skip the cell.
func (r *Runner) open(ctx context.Context, s *Scenario, t *recording, res *Result) {
	se, err := r.Open(ctx, Task{Cell: res.Cell, Scenario: s, Trace: t.writer})
	if err != nil {
		res.refuse(err)
		return
	}
	if se.Close != nil {
		defer se.Close()
	}
	if se.Skip != "" {
		res.end(Skipped, classSkipped, se.Skip)
		return
	}
	own := *se
	if t.writer != nil {
		res.Trace = t.name
		own.Model = trace.Record(se.Model, t.writer)
	}
	p, err := s.play(ctx, res.Cell, &own, r.now)
	if err != nil {
		res.end(Broken, classHarness, err.Error())
		return
	}
	res.fill(p)
	res.judge(ctx, p, s.check(p, r.Strict))
}

// refuse sets the outcome of a cell whose session could not be opened.
func (r *Result) refuse(err error) {
	r.Kind = callwright.KindOf(err)
	for _, k := range kindsRefused {
		if k == r.Kind {
			r.end(Refused, classRefused+string(k), err.Error())
			return
		}
	}
	r.end(Broken, classError+string(r.Kind), err.Error())
}

// fill adds the counts of a played scenario to the result.
func (r *Result) fill(p *playResult) {
	p.meter.count(r)
	r.Steps, r.Text = p.steps, jsonx.Clip(strings.ToValidUTF8(p.text, "\ufffd"), maxText)
	r.note(p.notes)
	ownInvalid := 0 // tool errors with a code of the agent itself
	for _, c := range p.log.calls {
		r.Calls++
		if c.code == agent.CodeInvalidArguments {
			ownInvalid++
		}
	}
	for _, m := range p.messages {
		for _, part := range m.Parts {
			result, ok := part.(callwright.Result)
			if !ok || !result.IsError {
				continue
			}
			switch {
			case hasCode(&result, agent.CodeUnknownTool):
				r.UnknownName++
			case hasCode(&result, agent.CodeInvalidArguments) && ownInvalid > 0:
				ownInvalid--
			case hasCode(&result, agent.CodeInvalidArguments):
				r.SchemaMismatch++
			}
		}
	}
}

// A recording is the trace file of one cell. It records nothing if writer is nil.
type recording struct {
	writer *trace.Writer
	name   string
	path   string
	file   *os.File
}

// record creates the trace file of a cell if Runner.Traces is set.
func (r *Runner) record(c Cell) (*recording, error) {
	if r.Traces == "" {
		return &recording{}, nil
	}
	if err := os.MkdirAll(r.Traces, 0o700); err != nil {
		return nil, err
	}
	t := &recording{name: TraceName(c)}
	t.path = filepath.Join(r.Traces, t.name)
	if err := os.Remove(t.path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err // left by an earlier attempt
	}
	f, err := trace.OpenFile(t.path)
	if err != nil {
		return nil, err
	}
	t.file, t.writer = f, trace.NewWriter(f)
	return t, nil
}

// close closes the trace file and removes it unless keep is set.
func (t *recording) close(keep bool) error {
	if t.file == nil {
		return nil
	}
	err := errors.Join(t.writer.Err(), t.file.Close())
	if !keep {
		err = errors.Join(err, os.Remove(t.path))
	}
	return err
}

// TraceName returns the file name of a cell's trace: its URL-escaped id, shortened to 160 bytes, and its seed.
func TraceName(c Cell) string {
	id := strings.NewReplacer("/", "_", "%2F", "_", "%7C", "_", "%", "_").Replace(url.PathEscape(strings.ReplaceAll(string(c.ID), "|", "_")))
	return fmt.Sprintf("%s-%016x.jsonl", jsonx.Clip(id, 160), c.Seed)
}
