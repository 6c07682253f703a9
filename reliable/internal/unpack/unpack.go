package unpack

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// An unpacker converts the native calls of one response.
type unpacker struct {
	tools  *judge.Toolset
	ledger *judge.Ledger
	scan   func() dialect.Options
}

// Calls returns the calls that a native call represents, in most cases only the call itself. scan returns the options
// for parsing calls in text.
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

// name converts a call whose tool name contains the arguments, as markup of a text format. Providers that parse model
// text incorrectly return such calls. Every other call is returned unchanged.
func (u *unpacker) name(c *judge.Candidate) *judge.Candidate {
	const rule = "dialect.in_name"
	if c.Type == callwright.CustomTool || !isEmpty(c.Text) || !u.ledger.May(rule) {
		return c
	}
	f, ok := dialect.FromName(c.Name, u.scan())
	if !ok {
		return c
	}
	u.ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Call: f.Name, Was: c.Name, Now: f.Name})
	in := judge.TextCandidate(f)
	in.ID, in.Call, in.Cut = c.ID, c.Call, in.Cut || c.Cut
	return in
}

// isEmpty reports whether arguments are empty: "", {} or null, perhaps as a JSON string.
func isEmpty(args string) bool {
	switch strings.Trim(args, "\" \t\r\n") {
	case "", "{}", "null":
		return true
	}
	return false
}

// markupFrames has pairs of texts that are put before and after arguments in markup to make a complete call. NAME
// stands for the tool name.
var markupFrames = [...]string{
	"<NAME>\n", "\n</NAME>",
	"<function=NAME>\n", "\n</function>",
	`<invoke name="NAME">` + "\n", "\n</invoke>",
	"<tool_call>NAME\n", "\n</tool_call>",
}

// markup converts a call whose arguments are markup of a text format instead of JSON. Every other call is returned
// unchanged.
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

// expand returns the calls of a wrapper for parallel calls that some models write:
// {"tool_uses":[{"recipient_name":"f","parameters":{}}]}. It returns nil if the call is no wrapper, a tool with its
// name is declared, or a recipient is not declared.
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
	if len(out) > 0 {
		out[len(out)-1].Cut = c.Cut // the last one may be incomplete
	}
	return out
}
