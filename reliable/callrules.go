package reliable

import (
	"net/http"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/session"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// rulesOf are the call rules of a model, nil for one without.
func rulesOf(m callwright.Model) callcheck.Rules {
	if m, ok := m.(interface{ CallRules() callcheck.Rules }); ok {
		return m.CallRules()
	}
	return nil
}

// checkFor is the check of the calls of an answer by the call rules of its model, nil where none can fit.
func (r *run) checkFor(g *candidate) callcheck.Check {
	if g.rules == nil || r.o.policy == callwright.PolicyOff {
		return nil
	}
	c := companion.Of(r.req)
	from := callcheck.Caller{Key: c.Key, Group: c.Group, Client: string(c.Wire()), Model: g.ID, Asks: c.AsksPerson,
		Session: func() string { return session.OfRequest(c.Header, r.req) }}
	if c.AsksPerson {
		from.Client = callcheck.AgentClient
	}
	return g.rules.For(from)
}

// withoutBarred is a request without the tools that a provider runs itself, and whose calls the call rules refuse
// whatever their arguments: such calls are run before anybody sees them. Those of which only some are refused are left,
// with a note.
func (r *run) withoutBarred(req *callwright.Request, check callcheck.Check) *callwright.Request {
	if check == nil {
		return req
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return req
	}
	barred := func(t callwright.Tool) bool { return t.Type == callwright.HostedTool && check.Bars(t.Name) }
	for i := range tools {
		switch t := &tools[i]; {
		case t.Type != callwright.HostedTool:
		case barred(*t):
			r.changed = true
			r.note(callwright.Note{Rule: callcheck.RuleBarred, Stage: callwright.StageOutbound, Call: t.Name})
		case check.Covers(t.Name):
			r.note(callwright.Note{Rule: callcheck.RuleUnchecked, Stage: callwright.StageOutbound, Call: t.Name})
		}
	}
	if r.o.changesNothing() || !slices.ContainsFunc(tools, barred) {
		return req
	}
	next := *req
	next.Tools = slices.DeleteFunc(slices.Clone(tools), barred)
	return &next
}

// refusedError is the error of an answer that cannot stand without the calls that call rules refused, nil where none
// were.
func refusedError(out *inbound.Outcome) *callwright.Error {
	i := slices.IndexFunc(out.Invalid, func(c callwright.InvalidCall) bool { return c.Why == callcheck.InvalidRefused })
	if i < 0 {
		return nil
	}
	c := &out.Invalid[i]
	e := callwright.Errorf("judge", callwright.KindInvalidCall, "", "the call of %s %s", c.Name, c.Violations[0].Message)
	e.Status = http.StatusForbidden
	return e
}
