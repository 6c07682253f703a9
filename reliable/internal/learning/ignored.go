package learning

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// The rule for learning that a server ignores tools, or that its tool-call parser is off. A request counts if it
// required a call and had tools, the native response ended normally without a native call, and the model was able to
// make the call:
//
//   - the call was written as text, in a format with markers that the request does not contain, or
//   - the model made it when the same request was sent in another mode.
//
// After IgnoredAnswers consecutive requests of this type, within the lifetime of a fact, the fact tools=no is learned.
// A native call, valid or not, resets the count. A response without any call does not count, because the user's text
// may be the reason.

// IgnoredAnswers is the number of consecutive requests after which tools=no is learned.
const IgnoredAnswers = 3

// trackIgnored updates the number of consecutive requests whose required call was not native although the model could
// make it. It is called for each attempt and counts a request at most once.
func (l *Learner) trackIgnored(g *outbound.Receiver, out *inbound.Outcome) {
	native := out.Clean > 0 || out.NativeChanged
	switch {
	case l.came || !l.Req.Params.Choice.IsForced():
		if native && g.Caps.Counted.IgnoredTools > 0 {
			l.forgetIgnored(g)
		}
	case g.Mode != caps.Native:
		if l.missed == g.ID && len(out.Good) > 0 {
			l.countIgnored(g)
		}
	case native:
		l.forgetIgnored(g)
		l.came = true
	case !inOrder(out):
	case out.TextCalls == 0:
		l.missed = g.ID
	case !shows(l.Req, out.Dialect):
		l.countIgnored(g)
	}
}

func (l *Learner) forgetIgnored(g *outbound.Receiver) {
	if g.Caps.Counted.IgnoredTools > 0 {
		_ = l.CapsStore.Forget(l.Ctx, string(g.ID), factIgnoredTools)
	}
}

func (l *Learner) countIgnored(g *outbound.Receiver) {
	n := g.Caps.Counted.IgnoredTools + 1
	if n < IgnoredAnswers {
		l.Teach(g.ID, factIgnoredTools, strconv.Itoa(n), "a required call was missing natively, although the model could make it")
		return
	}
	l.Teach(g.ID, "tools", "no", strconv.Itoa(n)+" consecutive required calls were missing natively, although the model could make them")
	l.forgetIgnored(g)
}

// inOrder reports whether a response ended normally and nothing was removed from it.
func inOrder(out *inbound.Outcome) bool {
	if out.End == nil || out.Err != nil || out.CutAtLength || len(out.Invalid)+out.Forbidden+out.Repeated > 0 {
		return false
	}
	switch out.End.Finish {
	case callwright.FinishStop, callwright.FinishCalls, "":
		return true
	}
	return false
}

// shows reports whether the request's texts contain a marker of the named text format. It returns true for a format
// without markers.
func shows(req *callwright.Request, name string) bool {
	f, ok := dialect.Lookup(name)
	if !ok || len(f.Marks) == 0 {
		return true
	}
	msgs, err := req.History()
	if err != nil {
		return true
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return true
	}
	holds := func(text string) bool {
		return slices.ContainsFunc(f.Marks, func(m dialect.Mark) bool {
			open, _, _ := strings.Cut(m.Open, "%")
			return open != "" && strings.Contains(text, open)
		})
	}
	for _, m := range msgs {
		for _, p := range m.Parts {
			text := callwright.TextOf([]callwright.Part{p})
			if res, ok := p.(callwright.Result); ok {
				text = res.Text()
			}
			if holds(text) {
				return true
			}
		}
	}
	return slices.ContainsFunc(tools, func(t callwright.Tool) bool { return holds(t.Description) || holds(string(t.Schema)) })
}
