package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/statetool"
)

// codeNoRecord is the error code of a tool call without a recorded result.
const codeNoRecord agent.Code = "NO_SUCH_RECORD"

// A madeCall is a tool call that reached its tool.
type madeCall struct {
	name      string
	arguments json.RawMessage
	code      agent.Code // code of the tool's error; "" if it succeeded
}

// A log records, in order, the calls that reached tools and the questions to the person.
type log struct {
	mu    sync.Mutex
	calls []madeCall
	asked []string
}

func (l *log) call(c madeCall) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, c)
}

// wrapTool returns a tool that logs its calls.
func (l *log) wrapTool(t agent.Tool) agent.Tool {
	run := t.Run
	if run == nil {
		return t
	}
	t.Run = func(ctx context.Context, arguments json.RawMessage) (agent.Output, error) {
		out, err := run(ctx, arguments)
		c := madeCall{name: t.Name, arguments: slices.Clone(arguments)}
		if e, ok := err.(*agent.ToolError); ok {
			c.code = e.Code
		}
		l.call(c)
		return out, err
	}
	return t
}

// A recorded is a tool that returns recorded results. used counts the uses of each result.
type recorded struct {
	tool *Tool
	mu   sync.Mutex
	used []int
}

func (r *recorded) agentTool() agent.Tool {
	r.used = make([]int, len(r.tool.Results))
	return agent.Tool{Name: r.tool.Name, Description: r.tool.Description, Schema: r.tool.Schema, Approval: r.tool.Approval, Run: r.run}
}

func (r *recorded) run(_ context.Context, arguments json.RawMessage) (agent.Output, error) {
	if len(r.tool.Results) == 0 {
		return agent.Output{Data: json.RawMessage("null")}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.tool.Results {
		rec := &r.tool.Results[i]
		if rec.Times > 0 && r.used[i] >= rec.Times || rec.When != nil && !within(rec.When, arguments) {
			continue
		}
		r.used[i]++
		if rec.Error != nil {
			e := *rec.Error
			return agent.Output{}, &e
		}
		out := agent.Output{Data: rec.Data}
		if rec.Image != nil {
			out.Parts = []callwright.Part{callwright.Image{MediaType: rec.Image.MediaType, Data: rec.Image.Data}}
		}
		return out, nil
	}
	return agent.Output{}, &agent.ToolError{Code: codeNoRecord, Message: "there is nothing for these arguments"}
}

// within reports whether got contains want: objects may have additional members, other values must be equal.
func within(want, got []byte) bool {
	if !jsonx.IsObject(want) || !jsonx.IsObject(got) {
		return jsonx.Equal(want, got)
	}
	for k, v := range jsonx.Members(want) {
		has, ok := jsonx.Find(got, k.String())
		if !ok || !within(v, has) {
			return false
		}
	}
	return true
}

// first creates the workspace with its draft, facts and locks in a new store.
func (w *Workspace) first() (*workspace.Editor, error) {
	e := workspace.NewEditor(workspace.NewMemory(), workspace.WithClock(func() time.Time { return time.Unix(0, 0).UTC() }))
	by := workspace.Author{Actor: workspace.Person}
	st, err := e.Create(context.Background(), workspace.Origin{ID: w.id(), By: by, Draft: w.Draft, Facts: w.Facts})
	for _, path := range w.Locks {
		if err == nil {
			st, err = e.Edit(context.Background(), st.ID, workspace.Edit{Kind: workspace.Lock, By: by, Path: path})
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the workspace cannot be created:  %w", err)
	}
	return e, nil
}

// tools returns the workspace tools. The tool to propose facts is only included if the workspace has facts.
func (w *Workspace) tools(e *workspace.Editor) []agent.Tool {
	var opts []statetool.Option
	if w.StrictID {
		opts = append(opts, statetool.Strict())
	}
	return slices.DeleteFunc(statetool.Tools(e, w.id(), opts...),
		func(t agent.Tool) bool { return t.Name == statetool.Propose && w.Facts == nil })
}

// toolNames returns the names of the tools offered to the model.
func (s *Scenario) toolNames() []string {
	var out []string
	for i := range s.Tools {
		out = append(out, s.Tools[i].Name)
	}
	if s.Workspace != nil {
		out = append(out, statetool.Get, statetool.Patch)
		if s.Workspace.Facts != nil {
			out = append(out, statetool.Propose)
		}
	}
	return out
}
