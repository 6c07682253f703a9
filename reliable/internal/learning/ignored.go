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

// A server that leaves tools out without a word, or whose parser of calls is not switched on, is learned by this rule.
// A request counts where a call was required and tools were sent, where the native answer ended in order without a
// native call, and where the model could make the call:
//
//   - it came as text, in a marked format of which the request shows no mark, or
//   - it came when the same request asked for it in another mode.
//
// IgnoredAnswers such requests on end, within the time that a fact holds, teach that the model has no tools. A native
// call in between, valid or not, begins anew. An answer in which no call came in any way counts for nothing, since the
// client's own words may have asked for that.

// IgnoredAnswers is how many requests on end teach that tools are ignored.
const IgnoredAnswers = 3

// trackIgnored counts the request, at most once, by the answer to an attempt.
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
		l.Teach(g.ID, factIgnoredTools, strconv.Itoa(n), "a required call did not come natively, and the model could make it")
		return
	}
	l.Teach(g.ID, "tools", "no", strconv.Itoa(n)+" required calls on end did not come natively, and the model could make them")
	l.forgetIgnored(g)
}

// inOrder reports whether an answer ended by itself, and nothing was left out of it.
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

// shows reports whether a request shows how calls are written in a dialect: its texts hold one of the marks. A dialect
// without marks is shown by anything.
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
