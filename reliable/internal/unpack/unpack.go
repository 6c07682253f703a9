package unpack

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// An unpacker reads candidates for one answer.
type unpacker struct {
	tools  *judge.Toolset
	ledger *judge.Ledger
	scan   func() dialect.Options
}

// Calls are the calls that were meant by a native one: itself in most cases. scan says how text is searched for calls.
func Calls(c *judge.Candidate, tools *judge.Toolset, ledger *judge.Ledger, scan func() dialect.Options) []*judge.Candidate {
	u := unpacker{tools, ledger, scan}
	c = u.markup(u.name(c))
	if calls := u.expand(c); calls != nil {
		ledger.Add(callwright.Note{Rule: "normalise.parallel_wrapper", Stage: callwright.StageNormalise, Was: c.Name,
			Now: "calls: " + strconv.Itoa(len(calls))})
		return calls
	}
	return []*judge.Candidate{c}
}

// name reads a call whose arguments stand in its name in the markup of a dialect, as providers give it that parse their
// model's text wrongly. Every other candidate is returned as it is.
func (u *unpacker) name(c *judge.Candidate) *judge.Candidate {
	const rule = "dialect.in_name"
	if c.Type == callwright.CustomTool || !holdsNothing(c.Text) || !u.ledger.May(rule) {
		return c
	}
	f, ok := dialect.FromName(c.Name, u.scan())
	if !ok {
		return c
	}
	u.ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: f.Name, Was: c.Name, Now: f.Name})
	in := judge.TextCandidate(f)
	in.ID, in.Call = c.ID, c.Call
	return in
}

// holdsNothing reports whether arguments are empty, as JSON or as text of it.
func holdsNothing(args string) bool {
	switch strings.Trim(args, "\" \t\r\n") {
	case "", "{}", "null":
		return true
	}
	return false
}

// markupFrames put arguments in markup back into the call that they were taken from, NAME being the tool's name.
var markupFrames = [...]string{
	"<NAME>\n", "\n</NAME>",
	"<function=NAME>\n", "\n</function>",
	`<invoke name="NAME">` + "\n", "\n</invoke>",
	"<tool_call>NAME\n", "\n</tool_call>",
}

// markup reads a call whose arguments are the markup of a dialect and no JSON. Every other candidate is returned as it
// is.
func (u *unpacker) markup(c *judge.Candidate) *judge.Candidate {
	const rule = "dialect.in_arguments"
	tg, _, ok := u.tools.ResolveTool(c.Name)
	if c.Found != nil || c.Cut || !ok || tg.Tool.Type == callwright.CustomTool ||
		!strings.HasPrefix(strings.TrimSpace(c.Text), "<") || !u.ledger.May(rule) {
		return c
	}
	name := u.tools.Naming.SentName(tg.Tool.Name)
	for i := 0; i < len(markupFrames); i += 2 {
		written := strings.ReplaceAll(markupFrames[i], "NAME", name) + c.Text + strings.ReplaceAll(markupFrames[i+1], "NAME", name)
		f, ok := dialect.OnlyCall(written, u.scan())
		if !ok || f.Name != tg.Tool.Name || f.Truncated {
			continue
		}
		u.ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: f.Name, Was: c.Text})
		in := judge.TextCandidate(f)
		in.ID, in.Call, in.Name = c.ID, c.Call, c.Name
		return in
	}
	return c
}

// expand reads the wrapper that some models put around parallel calls, {"tool_uses":[{"recipient_name","parameters"}]},
// where no tool of its name is declared and every recipient is.
func (u *unpacker) expand(c *judge.Candidate) []*judge.Candidate {
	if _, _, ok := u.tools.ResolveTool(c.Name); ok || !strings.HasSuffix(c.Name, "parallel") || !u.ledger.May("normalise.parallel_wrapper") {
		return nil
	}
	doc := []byte(c.Text)
	if jsonx.Valid(doc) != nil {
		return nil
	}
	uses, ok := jsonx.Find(doc, "tool_uses")
	if !ok || jsonx.KindOf(uses) != jsonx.Array {
		return nil
	}
	var out []*judge.Candidate
	for use := range jsonx.Elements(uses) {
		recipient, _ := jsonx.Find(use, "recipient_name")
		name, ok := jsonx.String(recipient)
		if _, _, known := u.tools.ResolveTool(name); !ok || !known {
			return nil
		}
		args, _ := jsonx.Find(use, "parameters")
		out = append(out, &judge.Candidate{Name: name, Text: string(args), ID: c.ID + "_" + strconv.Itoa(len(out)),
			Call: callwright.Call{Signature: c.Call.Signature, Origin: c.Call.Origin}})
	}
	return out
}
