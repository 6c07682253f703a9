package eval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/directive"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/toolglob"
	"github.com/callwright/callwright/workspace"
)

// defaultSteps is the default maximum number of model answers in a run.
const defaultSteps = 12

// A playResult is the result of playing a scenario, before it is compared with the expected one.
type playResult struct {
	text       string
	stop       agent.Stop
	err        error
	steps      int
	messages   []callwright.Message
	notes      []callwright.Note
	log        log
	directives *directiveModel // nil if the scenario has no directives
	draft      json.RawMessage
	meter      *meter
}

// play runs the agent through the scenario once. An error is an error of the evaluation itself; the model's errors are
// in playResult.err.
func (s *Scenario) play(ctx context.Context, c Cell, se *Session, now func() time.Time) (*playResult, error) {
	p := &playResult{meter: &meter{model: se.Model, now: now}}
	var model callwright.Model = p.meter
	if len(s.Directives) > 0 {
		types, err := s.registry()
		if err != nil {
			return nil, err
		}
		p.directives = &directiveModel{client: directive.New(p.meter, types)}
		model = p.directives
	}
	messages, err := s.messages()
	if err != nil {
		return nil, err
	}
	var editor *workspace.Editor
	if s.Workspace != nil {
		if editor, err = s.Workspace.first(); err != nil {
			return nil, err
		}
	}
	journal, id := agent.NewMemory(), agent.RunID(fmt.Sprintf("run_%016x", c.Seed))
	opts := append(s.options(&p.log, editor), agent.WithJournal(journal), agent.WithRunID(func() agent.RunID { return id }))
	a := agent.New(model, append(opts, sessionOptions(se)...)...)
	p.run(ctx, a, s.Stream, messages)
	if st, err := agent.Status(context.WithoutCancel(ctx), journal, id); err == nil {
		p.messages, p.steps = st.Messages, st.Steps
	}
	if p.directives != nil {
		p.notes = append(p.notes, p.directives.notes...)
	}
	if editor != nil {
		st, err := editor.Store().Load(context.WithoutCancel(ctx), s.Workspace.id(), 0)
		if err != nil {
			return nil, err
		}
		p.draft = st.Draft
	}
	return p, nil
}

// messages returns the history and the prompt.
func (s *Scenario) messages() ([]callwright.Message, error) {
	var out []callwright.Message
	if s.History != nil {
		var err error
		if out, err = conversation.UnmarshalMessages(s.History); err != nil {
			return nil, err
		}
	}
	return append(out, callwright.UserText(s.Prompt)), nil
}

// options returns the agent options of the scenario. Tools run sequentially, so that their results are reproducible.
func (s *Scenario) options(l *log, editor *workspace.Editor) []agent.Option {
	var tools []agent.Tool
	for i := range s.Tools {
		tools = append(tools, l.wrapTool((&recorded{tool: &s.Tools[i]}).agentTool()))
	}
	if editor != nil {
		for _, t := range s.Workspace.tools(editor) {
			tools = append(tools, l.wrapTool(t))
		}
	}
	failures := s.Failures
	if failures == "" {
		failures = agent.FailuresTold
	}
	steps := s.Limits.Steps
	if steps == 0 {
		steps = defaultSteps
	}
	opts := []agent.Option{agent.Tools(tools...), agent.WithParallel(1), agent.WithMaxSteps(steps),
		agent.WithFailures(failures), agent.WithChoice(s.choice()), agent.WithApprover(s.approver(l))}
	if s.System != "" {
		opts = append(opts, agent.WithSystem(s.System))
	}
	if n := s.Limits.MaxArguments; n > 0 {
		opts = append(opts, agent.WithMaxArguments(n))
	}
	if n := s.Limits.MaxOutput; n > 0 {
		opts = append(opts, agent.WithMaxOutput(n))
	}
	if s.Parallel != nil {
		opts = append(opts, agent.WithRequest(func(r *callwright.Request) { r.Params.Parallel = s.Parallel }))
	}
	return opts
}

func sessionOptions(se *Session) []agent.Option {
	opts := slices.Clone(se.Options)
	if se.Change != nil {
		opts = append(opts, agent.WithRequest(se.Change))
	}
	return opts
}

// approver returns the function that decides about tool calls in place of a person. Each configured decision is used
// once. The default is no.
func (s *Scenario) approver(l *log) func(context.Context, agent.Question) (agent.Decision, error) {
	used := make([]bool, len(s.Approvals))
	return func(_ context.Context, q agent.Question) (agent.Decision, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.asked = append(l.asked, q.Name)
		for i, a := range s.Approvals {
			if !used[i] && (a.Tool == "" || toolglob.Matches(a.Tool, q.Name)) {
				used[i] = true
				return a.Decision, nil
			}
		}
		return agent.No, nil
	}
}

// run runs the agent, streamed or not.
func (p *playResult) run(ctx context.Context, a *agent.Agent, streamed bool, messages []callwright.Message) {
	var res *agent.Result
	if !streamed {
		if res, p.err = a.Run(ctx, messages...); res != nil {
			p.notes = res.Notes
		}
	} else {
		for ev, err := range a.Stream(ctx, messages...) {
			if ev.Note != nil {
				p.notes = append(p.notes, *ev.Note)
			}
			res, p.err = ev.Final, err
		}
	}
	for _, a := range p.meter.requests {
		if a.err != nil && a.report != nil {
			p.notes = append(p.notes, a.report.Notes...)
		}
	}
	if res != nil {
		p.text, p.stop = res.Text, res.Stop
	}
	if stopped, ok := errors.AsType[*agent.StopError](p.err); ok {
		p.stop = stopped.Stop
	}
}
