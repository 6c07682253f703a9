package reliable

import (
	"context"
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// An Explanation describes the processing of a request by a Client.
type Explanation struct {
	Model       callwright.ModelID `json:"model"`
	Fingerprint string             `json:"fingerprint"`
	Chain       []Step             `json:"ladder"`
	Notes       []callwright.Note  `json:"notes"`
}

// A Step is one candidate of the fallback chain with the request that it would send. Error is set if the candidate
// would fail before it sends the request.
type Step struct {
	Model   callwright.ModelID `json:"model"`
	Mode    caps.Mode          `json:"mode"`
	Dialect string             `json:"dialect,omitempty"`
	Why     string             `json:"why"`
	// success rate of calls in the mode, such as "92 % of 40 answers"
	Success string            `json:"success,omitempty"`
	Method  string            `json:"method,omitempty"`
	URL     string            `json:"url,omitempty"`
	Body    json.RawMessage   `json:"body,omitempty"`
	Notes   []callwright.Note `json:"notes"`
	Names   map[string]string `json:"names,omitempty"` // declared tool names by the names that are sent, if they differ
	Facts   map[string]string `json:"facts,omitempty"` // known capabilities with their sources
	Error   string            `json:"error,omitempty"`
}

// Explain plans a request and adapts it for every candidate of the fallback chain, without sending it. If a model is a
// [callwright.Previewer], its Step has the encoded request. Self-corrections and other steps that depend on a response
// are not included. Errors are *Error. An error of one candidate is in its Step. The chain ends after an error that
// other candidates cannot avoid.
func (c *Client) Explain(ctx context.Context, req *callwright.Request) (*Explanation, error) {
	r, err := c.start(ctx, req)
	if err != nil {
		return nil, err
	}
	out := &Explanation{Model: r.report.Model, Fingerprint: r.report.Fingerprint, Notes: append([]callwright.Note{}, r.report.Notes...)}
	for _, candidate := range r.planner().chain() {
		g := &candidate
		if g.firstModeReason != "" {
			out.Notes = append(out.Notes, modeNote(g).Classify())
		}
		st, err := r.explain(g)
		out.Chain = append(out.Chain, st)
		if err != nil && endsChain(g, err) {
			break
		}
	}
	return out, nil
}

// explain returns the step of a candidate and the error with which it would fail before sending.
func (r *run) explain(g *candidate) (Step, error) {
	l := r.o.ledger()
	g.Dialect = outbound.DialectFor(g.Mode, r.o.dialect, g.Marks, g.ID, g.Caps)
	st := Step{Model: g.ID, Mode: g.Mode, Dialect: g.Dialect, Why: g.why, Success: g.success, Notes: []callwright.Note{},
		Facts: g.Caps.KnownFacts()}
	err := error(nil)
	if !r.o.changesNothing() {
		err = outbound.TooLong(r.req, &g.Receiver)
	}
	var sh *outbound.Shaped
	if err == nil {
		sh, err = r.shape(g, r.req, l, nil, nil)
	}
	if err != nil {
		st.Error = err.Error()
		return st, err
	}
	st.Names = sh.Sent.Naming.Table()
	if p, ok := g.model.(callwright.Previewer); ok {
		var pre callwright.Preview
		if pre, err = p.Preview(r.ctx, sh.Request); err != nil {
			st.Error = err.Error()
		}
		st.Method, st.URL, st.Body = pre.Method, pre.URL, pre.Body
		for _, n := range pre.Notes {
			l.Add(n)
		}
	}
	st.Notes = append(st.Notes, l.Notes...)
	return st, err
}
