package callwright

import (
	"context"
	"encoding/json"

	"github.com/callwright/callwright/caps"
)

// An Explanation is what a Client would do with a request, without sending anything.
type Explanation struct {
	Model       ModelID `json:"model"`
	Fingerprint string  `json:"fingerprint"`
	Ladder      []Step  `json:"ladder"`
	Notes       []Note  `json:"notes"`
}

// A Step is one rung of the ladder with the exact request it would send. Error is set where the rung would fail before
// sending.
type Step struct {
	Model   ModelID           `json:"model"`
	Mode    caps.Mode         `json:"mode"`
	Dialect string            `json:"dialect,omitempty"`
	Why     string            `json:"why"`
	Method  string            `json:"method,omitempty"`
	URL     string            `json:"url,omitempty"`
	Body    json.RawMessage   `json:"body,omitempty"`
	Notes   []Note            `json:"notes"`
	Names   map[string]string `json:"names,omitempty"` // tool names as sent to the declared ones
	Facts   map[string]string `json:"facts,omitempty"` // known capabilities with their sources
	Error   string            `json:"error,omitempty"`
}

// Explain dry-runs a request: it plans and shapes it for every rung and asks models that are a [Previewer] for the bytes. What
// only an answer tells, such as a correction, is not in it. Errors are *Error; those of one rung are in its Step.
func (c *Client) Explain(ctx context.Context, req *Request) (*Explanation, error) {
	r, err := c.start(ctx, req)
	if err != nil {
		return nil, err
	}
	out := &Explanation{Model: r.report.Model, Fingerprint: r.report.Fingerprint, Notes: append([]Note{}, r.report.Notes...)}
	for _, g := range r.plan() {
		out.Ladder = append(out.Ladder, r.explain(g))
	}
	return out, nil
}

func (r *run) explain(g rung) Step {
	l := r.o.ledger()
	st := Step{Model: g.id, Mode: g.mode, Dialect: g.dialect, Why: g.why, Notes: []Note{}, Facts: g.caps.Known()}
	sh, err := shape(r.ctx, r.req, r.s, g, r.o, l)
	if err != nil {
		st.Error = err.Error()
		return st
	}
	st.Names = sh.back
	if p, ok := g.model.(Previewer); ok {
		pre, err := p.Preview(r.ctx, sh.req)
		if err != nil {
			st.Error = err.Error()
		}
		st.Method, st.URL, st.Body = pre.Method, pre.URL, pre.Body
		for _, n := range pre.Notes {
			l.add(n)
		}
	}
	st.Notes = append(st.Notes, l.notes...)
	return st
}
