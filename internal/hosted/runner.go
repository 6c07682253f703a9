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

// Kinds of hosted tools.
const (
	WebSearch = hostedform.WebSearch
	WebFetch  = hostedform.WebFetch
	Code      = hostedform.Code
)

// Kinds returns the kinds of hosted tools. The caller owns the slice.
func Kinds() []string { return hostedform.Kinds() }

// A Tool is the function that runs a kind of hosted tools.
type Tool struct {
	Name        string // server and tool name, for notes
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, sent to the model
	// Run runs a call and returns the result for the model. It is called concurrently. ctx is cancelled at the end of the
	// request or when Config.Time has passed. An error is sent to the model as the result.
	Run func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// Config has the tools and the limits of a Runner. A zero limit means its default.
type Config struct {
	Tools  map[string]Tool // by kind, see Kinds
	Rounds int             // maximum number of further requests to the model; default 8
	Calls  int             // maximum number of calls run for one answer of the model; default 8
	Time   time.Duration   // timeout of one call; default 30 seconds
	Text   int             // maximum size in bytes of the result of one call; default 64 KiB
}

// A Runner runs the hosted tools of a Config. It is safe for concurrent use.
type Runner struct{ cfg Config }

// New returns a Runner. It returns an error of KindInvalid for an unknown kind or a tool without Run.
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

// Around returns a model that wraps m and runs the hosted tools of req that m's provider does not run: those of APIs
// other than own. own is the API whose hosted tools the provider runs, "" for none. If req has no such tools or the
// Runner is nil, it returns m.
func (r *Runner) Around(m callwright.Model, own callwright.WireName, req *callwright.Request) callwright.Model {
	if r == nil {
		return m
	}
	if r.searches(own, req) {
		return &model{r, m, own}
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return m // m returns the error when it decodes the tools
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
	own  callwright.WireName // API whose hosted tools the provider runs
}

var _ callwright.Model = (*model)(nil)

// A standIn is the function that replaces a hosted tool in requests to the model.
type standIn struct {
	kind *hostedform.Kind
	tool *Tool
	wire callwright.WireName // the API of the client
}

// prepareRequest returns a copy of the request with functions in place of the hosted tools, and these functions by
// name.
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

// freeName returns a function name that no tool has, apart from hosted tools: name, with "_hosted" appended as often as
// necessary.
func freeName(tools []callwright.Tool, name string, but *callwright.Tool) string {
	for isNameTaken(tools, name, but) {
		name += "_hosted"
	}
	return name
}

// isNameTaken reports whether a tool that is not a hosted tool has the name.
func isNameTaken(tools []callwright.Tool, name string, but *callwright.Tool) bool {
	return slices.ContainsFunc(tools, func(t callwright.Tool) bool { return t.Name == name && t.Type != callwright.HostedTool && &t != but })
}

// Generate implements callwright.Model.
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

// Stream implements callwright.Model.
func (m *model) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(m.Batches(ctx, req))
}

// Batches is like Stream but yields batches of events.
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

// outcomeOf runs a call of a standIn function and returns its result. n is the number of the call in the client's
// request. After an error or a timeout, the result is marked as failed and its text is the reason.
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

// plainID returns an ID of at most 40 bytes that Anthropic's API accepts: other characters than ASCII letters and
// digits become "_".
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
