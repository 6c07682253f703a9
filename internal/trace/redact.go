package trace

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// sizesOnly returns the entry with contents replaced by their lengths.
func sizesOnly(e Entry) Entry {
	e.Redacted = true
	e.Data = jsonSize(e.Data)
	e.Notes = noteSizes(e.Notes)
	if e.Failure != nil {
		f := *e.Failure
		f.Message, f.Recovered, f.Body, f.Err = textSize(f.Message), textSize(f.Recovered), nil, nil
		f.Report = reportSizes(f.Report)
		e.Failure = &f
	}
	return e
}

// textSize returns the length of a text, such as "(5 bytes)", or "" for an empty text.
func textSize[T ~string | ~[]byte](s T) string {
	if len(s) == 0 {
		return ""
	}
	return "(" + strconv.Itoa(len(s)) + " bytes)"
}

// jsonSize returns the length of a JSON value, such as {"bytes":5}, or nil for none.
func jsonSize(b json.RawMessage) json.RawMessage {
	if len(b) == 0 {
		return nil
	}
	return json.RawMessage(`{"bytes":` + strconv.Itoa(len(b)) + "}")
}

// requestSizes returns the request with contents replaced by their lengths, and without tools, which are encoded
// separately because they are not content.
func requestSizes(req *callwright.Request) (*callwright.Request, error) {
	messages, err := req.History()
	if err != nil {
		return nil, err
	}
	p := req.Params
	p.User, p.Thinking.Extra = textSize(p.User), extraSize(p.Thinking.Extra)
	p.Stop = slices.Clone(p.Stop)
	for i := range p.Stop {
		p.Stop[i] = textSize(p.Stop[i])
	}
	out := &callwright.Request{Model: req.Model, Params: p, Extra: extraSize(req.Extra)}
	for _, m := range messages {
		out.Messages = append(out.Messages, callwright.Message{Role: m.Role, Parts: partSizes(m.Parts), Extra: extraSize(m.Extra)})
	}
	if edits := companion.Of(req).Edits; len(edits) > 0 {
		companion.Change(out, func(c *companion.Companion) {
			for _, e := range edits {
				c.Edits = append(c.Edits, callwright.Edit{Path: e.Path, Value: jsonSize(e.Value), Only: jsonSize(e.Only)})
			}
		})
	}
	return out, nil
}

func responseSizes(resp *callwright.Response) *callwright.Response {
	if resp == nil {
		return nil
	}
	r := *resp
	r.Parts, r.Report, r.Extra, r.Usage.Extra, r.Raw = partSizes(r.Parts), reportSizes(r.Report), extraSize(r.Extra),
		extraSize(r.Usage.Extra), nil
	return &r
}

func partSizes(parts []callwright.Part) []callwright.Part {
	out := slices.Clone(parts)
	for i, p := range out {
		switch p := p.(type) {
		case callwright.Text:
			out[i] = callwright.Text{Text: textSize(p.Text), Extra: extraSize(p.Extra)}
		case callwright.Image:
			p.Data, p.URL, p.Extra = textSize(p.Data), textSize(p.URL), extraSize(p.Extra)
			out[i] = p
		case callwright.File:
			p.Name, p.Data, p.URL, p.Text, p.Extra = textSize(p.Name), textSize(p.Data), textSize(p.URL), textSize(p.Text), extraSize(p.Extra)
			out[i] = p
		case callwright.Reasoning:
			p.Text, p.Signature, p.Redacted, p.Extra = textSize(p.Text), textSize(p.Signature), textSize(p.Redacted), extraSize(p.Extra)
			out[i] = p
		case callwright.Call:
			p.Arguments, p.Input, p.Raw = jsonSize(p.Arguments), textSize(p.Input), textSize(p.Raw)
			p.Signature, p.Extra = textSize(p.Signature), extraSize(p.Extra)
			out[i] = p
		case callwright.Result:
			p.Parts, p.Extra = partSizes(p.Parts), extraSize(p.Extra)
			out[i] = p
		case callwright.Opaque:
			out[i] = callwright.Opaque{Extra: extraSize(p.Extra)}
		}
	}
	return out
}

func extraSize(x callwright.Extra) callwright.Extra {
	return callwright.Extra{Wire: x.Wire, JSON: jsonSize(x.JSON)}
}

func reportSizes(r *callwright.Report) *callwright.Report {
	if r == nil {
		return nil
	}
	out := *r
	out.Notes = noteSizes(r.Notes)
	out.Attempts = slices.Clone(r.Attempts)
	for i := range out.Attempts {
		a := &out.Attempts[i]
		a.Error, a.Usage.Extra = textSize(a.Error), extraSize(a.Usage.Extra)
	}
	out.Invalid = slices.Clone(r.Invalid)
	for i := range out.Invalid {
		c := &out.Invalid[i]
		c.Raw, c.Violations = textSize(c.Raw), slices.Clone(c.Violations)
		for k := range c.Violations {
			c.Violations[k].Message = textSize(c.Violations[k].Message)
		}
	}
	return &out
}

func noteSizes(notes []callwright.Note) []callwright.Note {
	out := slices.Clone(notes)
	for i := range out {
		n := &out[i]
		n.Was, n.Now, n.Why = textSize(n.Was), textSize(n.Now), textSize(n.Why)
	}
	return out
}
