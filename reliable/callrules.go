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

// rulesOf returns the call rules of a model, nil if it has none.
func rulesOf(m callwright.Model) callcheck.Rules {
	if m, ok := m.(interface{ CallRules() callcheck.Rules }); ok {
		return m.CallRules()
	}
	return nil
}

// checkFor returns a function that checks the calls of a response by the call rules of the candidate's model. It
// returns nil if no rule applies to the request.
func (r *run) checkFor(g *candidate) callcheck.Check {
	if g.rules == nil || r.o.policy == callwright.PolicyOff {
		return nil
	}
	c := companion.Of(r.req)
	from := callcheck.Caller{Key: c.Key, Group: c.Group, Client: string(c.Wire()), Model: g.ID, Asks: c.CanAskPerson,
		Session: func() string { return session.OfRequest(c.Header, r.req) }}
	if c.CanAskPerson {
		from.Client = callcheck.AgentClient
	}
	return g.rules.For(from)
}

// withoutBarred returns req without the hosted tools whose calls the call rules always refuse. The provider runs calls
// of hosted tools before they could be checked. A hosted tool whose calls are refused only for some arguments stays
// and is noted.
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

// refusedError returns the error for a response in which a call rule refused a call, nil if none was refused.
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
