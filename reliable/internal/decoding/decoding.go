package decoding

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// A Receiver is the model that answers, with the conditions of its answer.
type Receiver struct {
	Caps   *caps.Caps
	Mode   caps.Mode
	Asked  caps.Truth                    // whether answers are decoded under a constraint; unknown: where that is known to help
	Format func() (dialect.Format, bool) // of the calls of the model
	How    constraint.How
	// Document is the schema of the answer in mode json_object, in which the provider is told of none.
	Document []byte
}

// Constrain gives a request, as it is sent, a constraint on its answer where the engine of the receiver takes one. It
// depends on the tools and not on the history. described are the tools that the prompt describes, for modes other than
// native. inText reports that native calls come as text.
//
// Beside native tools the calls under a grammar come as text, in the model's own format. Unless a constraint is asked
// for that is done where they are known to come so anyway: for the format that the engine reads it has a grammar of its
// own. Reasoning may hold drafts of calls, which a constraint would change: models that reason have one only if it is
// asked for, and none where the answer must begin with a call.
func Constrain(out *callwright.Request, described []constraint.Tool, to Receiver, made *constraint.Cache,
	l *judge.Ledger) (constrained, inText bool) {
	native, c, choice := to.Mode == caps.Native, to.Caps, out.Params.Choice
	if to.Asked == caps.No || to.Mode.InDocument() && to.Document == nil || c.Constraint == "" || c.Constraint == "none" ||
		!l.May(constraint.Rule) {
		return false, false
	}
	if to.Asked != caps.Yes && constraint.API(c.Constraint) != constraint.APIGrammar {
		return false, false // what it costs is measured for grammars alone
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

// attach gives a request a constraint. It reports whether there is one.
func attach(out *callwright.Request, written *constraint.Constraint) bool {
	if written != nil {
		companion.Change(out, func(c *companion.Companion) { c.Constraint = written })
	}
	return written != nil
}

// declaredTools are the tools of a request that may be called natively, as they are sent; none where the provider runs
// one of them itself.
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

// DescribeTools are the tools that a choice allows, as a prompt describes them.
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
