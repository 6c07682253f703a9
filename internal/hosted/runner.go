package hosted

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/hostedform"
)

// The kinds of tools.
const (
	WebSearch = hostedform.WebSearch
	WebFetch  = hostedform.WebFetch
	Code      = hostedform.Code
)

// Kinds lists the kinds. The caller owns the list.
func Kinds() []string { return hostedform.Kinds() }

// A Tool is the function that a program runs for a kind of tools.
type Tool struct {
	Name        string // for people: the server and its tool
	Description string
	Schema      json.RawMessage // of the arguments: the model is shown it
	// Run returns the result for the model. It is called concurrently. ctx ends when the request or the time of a call
	// does. The model gets the text of an error as the result.
	Run func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// Config has the tools of a Runner and their limits. A zero limit stands for its default.
type Config struct {
	Tools  map[string]Tool // by kind, see Kinds
	Rounds int             // further requests to the model for one request: 8
	Calls  int             // calls of one answer: 8
	Time   time.Duration   // of one call: 30 seconds
	Text   int             // bytes of the result of one call: 64 KiB
}

// A Runner runs the tools of a Config. It is safe for concurrent use.
type Runner struct{ cfg Config }

// New makes a Runner. An unknown kind is an error of KindInvalid.
func New(cfg Config) (*Runner, error) {
	for name, t := range cfg.Tools {
		if !slices.Contains(Kinds(), name) || t.Run == nil {
			return nil, callwright.Errorf("hosted", callwright.KindInvalid, "", "expected a tool that runs for %v, got %q", Kinds(), name)
		}
	}
	for _, d := range []struct {
		at   *int
		want int
	}{{&cfg.Rounds, 8}, {&cfg.Calls, 8}, {&cfg.Text, 64 << 10}} {
		if *d.at <= 0 {
			*d.at = d.want
		}
	}
	if cfg.Time <= 0 {
		cfg.Time = 30 * time.Second
	}
	return &Runner{cfg}, nil
}

// Around returns a model that answers req as m does, and runs the hosted tools of req that the provider of m does not
// run itself. Those are the tools of wires other than own; own is "" for a provider that runs no tools. Around returns
// m itself where there are no such tools, and for a nil Runner.
func (r *Runner) Around(m callwright.Model, own callwright.WireName, req *callwright.Request) callwright.Model {
	if r == nil {
		return m
	}
	if r.searches(own, req) {
		return &model{r, m, own}
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return m // the model says what is wrong
	}
	for i := range tools {
		if k := hostedform.KindOf(&tools[i]); k != nil && tools[i].Extra.Wire != own && r.cfg.Tools[k.Name].Run != nil {
			return &model{r, m, own}
		}
	}
	return m
}

type model struct {
	r    *Runner
	next callwright.Model
	own  callwright.WireName // whose tools its provider runs
}

var _ callwright.Model = (*model)(nil)

// A standIn is the function that a model calls in place of a tool.
type standIn struct {
	kind *hostedform.Kind
	tool *Tool
	wire callwright.WireName // of the client
}

// prepareRequest returns the request with functions in place of the tools, and these by name.
func (m *model) prepareRequest(req *callwright.Request) (*callwright.Request, map[string]standIn, error) {
	tools, err := req.DeclaredTools()
	if err != nil {
		return nil, nil, err
	}
	history, err := req.History()
	if err != nil {
		return nil, nil, err
	}
	next, names, ours := *req, map[string]standIn{}, map[string]string{}
	next.Tools = make([]callwright.Tool, 0, len(tools))
	for i := range tools {
		t := &tools[i]
		k := hostedform.KindOf(t)
		if k == nil || t.Extra.Wire == m.own || m.r.cfg.Tools[k.Name].Run == nil {
			next.Tools = append(next.Tools, *t)
			continue
		}
		name := freeName(tools, k.Name, t)
		if _, twice := names[name]; twice {
			continue
		}
		own := m.r.cfg.Tools[k.Name]
		names[name], ours[t.Name] = standIn{k, &own, t.Extra.Wire}, name
		next.Tools = append(next.Tools, callwright.Tool{Name: name, Description: own.Description, Schema: own.Schema})
	}
	if m.r.searches(m.own, req) {
		m.r.addSearch(&next, names)
	}
	if c := &next.Params.Choice; len(c.Names) > 0 {
		c.Names = slices.Clone(c.Names)
		for i, n := range c.Names {
			if name, ok := ours[n]; ok {
				c.Names[i] = name
			}
		}
	}
	if turns, changed := hostedform.RestoreCalls(history, ours); changed {
		next.Messages = turns
	}
	return &next, names, nil
}

// freeName returns a name for a function that stands in for a tool, which no other tool has.
func freeName(tools []callwright.Tool, name string, but *callwright.Tool) string {
	for isNameTaken(tools, name, but) {
		name += "_hosted"
	}
	return name
}

// isNameTaken reports whether another tool than but has the name.
func isNameTaken(tools []callwright.Tool, name string, but *callwright.Tool) bool {
	return slices.ContainsFunc(tools, func(t callwright.Tool) bool { return t.Name == name && t.Type != callwright.HostedTool && &t != but })
}

// Generate answers whole.
func (m *model) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	var all callwright.Collector
	t := turn{m: m, ctx: ctx, yield: func(b callwright.Batch) bool { all.AddBatch(b); return true }}
	t.ask = func(req *callwright.Request) iter.Seq2[callwright.Batch, error] {
		return func(yield func(callwright.Batch, error) bool) {
			resp, err := m.next.Generate(ctx, req)
			if err != nil {
				yield(callwright.Batch{}, err)
				return
			}
			yield(callwright.Batch{Events: append(resp.Events(), callwright.Done{Report: resp.Report, NeedsMoreWork: resp.NeedsMoreWork})}, nil)
		}
	}
	if err := t.run(req); err != nil {
		return nil, err
	}
	resp := all.Response()
	resp.Report, resp.NeedsMoreWork = t.report, t.more
	if t.report != nil {
		resp.Confidence = t.report.Confidence
	}
	return resp, nil
}

// Stream answers piece by piece.
func (m *model) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(m.Batches(ctx, req))
}

// Batches is Stream in batches.
func (m *model) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		t := turn{m: m, ctx: ctx, yield: func(b callwright.Batch) bool { return yield(b, nil) }}
		t.ask = func(req *callwright.Request) iter.Seq2[callwright.Batch, error] {
			return callwright.Batches(ctx, m.next, req)
		}
		if err := t.run(req); err != nil && !t.stopped {
			yield(callwright.Batch{}, err)
			return
		}
		if !t.stopped {
			yield(callwright.Batch{Events: []callwright.Event{callwright.Done{Report: t.report, NeedsMoreWork: t.more}}}, nil)
		}
	}
}

// outcomeOf runs a call.
func (m *model) outcomeOf(ctx context.Context, s standIn, call callwright.Call, n int) hostedform.Outcome {
	o := hostedform.Outcome{Call: call, ID: fmt.Sprintf("%s%d_%s", hostedform.IDPrefix, n, plainID(call.ID))}
	ctx, cancel := context.WithTimeout(ctx, m.r.cfg.Time)
	defer cancel()
	text, err := s.tool.Run(ctx, o.Arguments())
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		text, o.Failed = "The tool took longer than "+m.r.cfg.Time.String()+".", true
	case err != nil:
		text, o.Failed = err.Error(), true
	}
	o.Text = text
	if len(text) > m.r.cfg.Text {
		o.Text = jsonx.Clip(text, m.r.cfg.Text) + "\n[The rest was left out.]"
	}
	return o
}

// plainID is an id in the characters that ids of Anthropic's API have.
func plainID(id string) string {
	out := []byte(id)
	for i, c := range out {
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			continue
		}
		out[i] = '_'
	}
	return string(out[:min(len(out), 40)])
}
