package decoding

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// A Receiver is the model of a request, with its settings for constrained decoding.
type Receiver struct {
	Caps *caps.Caps
	Mode caps.Mode
	// setting of WithConstraints; Unknown uses a constraint only if it is known to help
	Asked  caps.Truth
	Format func() (dialect.Format, bool) // text format of the model's calls
	How    constraint.Conditions
	// Document is the response schema in mode json_object, which is not sent to the provider.
	Document []byte
}

// Constrain adds a decoding constraint to a request if the model's engine supports one. The constraint depends on the
// tools, not on the history. described are the tools that the prompt describes, for non-native modes. constrained
// reports that a constraint was added, inText that native calls will be written as text.
//
// With native tools, calls under a grammar are written as text in the model's own format. Unless to.Asked is Yes, this
// is done only if the model is known to write its calls as text, because engines constrain their native format
// themselves. Reasoning may contain drafts of calls, which a constraint would affect. Models that reason therefore get
// a constraint only if to.Asked is Yes and the response need not begin with a call.
func Constrain(out *callwright.Request, described []constraint.Tool, to Receiver, made *constraint.Cache,
	l *judge.Ledger) (constrained, inText bool) {
	native, c, choice := to.Mode == caps.Native, to.Caps, out.Params.Choice
	if to.Asked == caps.No || to.Mode.InDocument() && to.Document == nil || c.Constraint == "" || c.Constraint == "none" ||
		!l.May(constraint.Rule) {
		return false, false
	}
	if to.Asked != caps.Yes && constraint.API(c.Constraint) != constraint.APIGrammar {
		return false, false // the cost was measured only for grammars
	}
	reasons := c.ReasoningStart != "" || out.Params.Thinking.Effort != "" || out.Params.Thinking.Budget != ""
	if reasons && (to.How.Forced || to.Asked != caps.Yes) {
		return false, false
	}
	if to.Document != nil {
		written := made.Document(constraint.API(c.Constraint), to.Document)
		return attach(out, written), false
	}
	tools := described
	if native {
		unknown := to.Asked != caps.Yes && c.TextCalls != caps.Yes
		declared, err := out.DeclaredTools()
		if unknown || c.TextCalls == caps.No || err != nil || choice.IsForced() || choice.Mode == callwright.ChoiceNone ||
			out.Params.Format != nil {
			return false, false
		}
		tools = declaredTools(declared, choice)
	}
	format, known := to.Format()
	form, ok := constraint.FormOf(format)
	if !known || !ok || len(tools) == 0 || native && to.Asked != caps.Yes && form.HasToken() {
		return false, false
	}
	written := made.Constraint(constraint.API(c.Constraint), form, tools, to.How)
	constrained = attach(out, written)
	return constrained, constrained && native && written.API == constraint.APIGrammar
}

// attach adds a constraint to a request. It returns false if the constraint is nil.
func attach(out *callwright.Request, written *constraint.Constraint) bool {
	if written != nil {
		companion.Change(out, func(c *companion.Companion) { c.Constraint = written })
	}
	return written != nil
}

// declaredTools returns the tools of a request that the tool choice permits, as sent. It returns nil if one is a
// hosted tool.
func declaredTools(declared []callwright.Tool, choice callwright.Choice) (out []constraint.Tool) {
	for i := range declared {
		t := &declared[i]
		if t.Type == callwright.HostedTool {
			return nil
		}
		if choice.Allows(t.Name) {
			_, schema := judge.AsFunction(t)
			out = append(out, constraint.Tool{Name: t.Name, Schema: schema})
		}
	}
	return out
}

// DescribeTools returns the tools that the tool choice permits, for use in prompts.
func DescribeTools(s *judge.Toolset, names *judge.Naming, choice callwright.Choice) (out []constraint.Tool) {
	for i := range s.Tools {
		t := &s.Tools[i]
		if name := names.SentName(t.Name); s.ByName[t.Name] != nil && choice.Allows(name) {
			_, schema := judge.AsFunction(t)
			out = append(out, constraint.Tool{Name: name, Schema: schema})
		}
	}
	return out
}
