package agent

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/callwright/callwright"
)

// A Decision is a person's decision about a call.
type Decision string

// The decisions.
const (
	Yes    Decision = "yes"
	No     Decision = "no"     // the call is not run, and the model is told so
	Always Decision = "always" // yes, to all calls of this tool in the run
	Later  Decision = "later"  // not now: the run is parked
)

// An Answer decides about one call of a parked run, or about all that wait where Call is empty.
type Answer struct {
	Call     string
	Decision Decision
}

// An ApprovalRule says when a person is asked about calls of some tools; see WithApprovalRules.
type ApprovalRule struct {
	Pattern  string // of names, in which '*' stands for any text
	Approval Approval
}

// applyRules is a tool as the rules of the agent have it.
func (o *options) applyRules(tool *Tool) *Tool {
	for _, rule := range slices.Backward(o.approvals) {
		if matches([]string{rule.Pattern}, tool.Name) {
			own := *tool
			own.Approval, own.ApproveIf = rule.Approval, nil
			return &own
		}
	}
	return tool
}

// whyAsk returns the question to a person about a call. It is zero if no approval is needed.
func (r *run) whyAsk(ctx context.Context, tool *Tool, arguments []byte) asked {
	if r.o.approveAll {
		return asked{}
	}
	if why := r.checkAsks(ctx, tool, arguments); why != "" {
		return asked{why: why, each: true}
	}
	return asked{why: r.toolAsks(tool, arguments), once: tool.Approval == ApproveOnce}
}

// checkAsks returns the reason why call rules require a person's decision about a call. Decisions about other calls of
// the tool do not count.
func (r *run) checkAsks(ctx context.Context, tool *Tool, arguments []byte) string {
	ask, err := r.callCheck(ctx, tool, arguments)
	if err != nil { // it had none a moment ago
		return "nobody can tell whether it needs a yes: " + callwright.Excerpt(err.Error())
	}
	return ask
}

// toolAsks is why a tool has a person asked about a call.
func (r *run) toolAsks(tool *Tool, arguments []byte) string {
	approval := tool.Approval
	if approval == ApproveByEffects {
		if tool.Effects != EffectsDestructive {
			return ""
		}
		approval = ApproveAlways
	}
	if approval == ApproveNever || r.st.allowed[tool.Name] {
		return ""
	}
	if tool.ApproveIf != nil {
		needed, err := callWithRecover("ApproveIf", func() (bool, error) { return tool.ApproveIf(bytes.Clone(arguments)), nil })
		switch {
		case err != nil:
			return "nobody can tell whether it needs a yes: " + callwright.Excerpt(err.Error())
		case !needed:
			return ""
		}
	}
	if tool.Effects == EffectsDestructive {
		return "the tool may destroy something"
	}
	return "its calls are to be approved"
}

// question returns the question to the person about a call.
func (r *run) question(p *pending) Question {
	return Question{Run: r.st.id, Call: p.call.ID, Name: p.call.Name, Arguments: p.call.Arguments, Why: p.asked}
}

// ask asks a person who is there about the calls that wait. It reports whether all of them are decided.
func (r *run) ask(ctx context.Context) (decided bool, err error) {
	decided = true
	for _, p := range r.st.waiting() {
		if r.st.allowed[p.call.Name] && !p.each {
			continue // by what was said about one before
		}
		d := Later
		if r.o.approve != nil {
			goOn := r.hold()
			d, err = callWithRecover("the approver", func() (Decision, error) { return r.o.approve(ctx, r.question(p)) })
			if goOn(); err != nil {
				return false, err
			}
		}
		if d == Later {
			decided = false
			continue
		}
		if err := r.decide(ctx, p, d); err != nil {
			return false, err
		}
	}
	return decided, nil
}

// check reports a decision that decides nothing.
func (d Decision) check() error {
	if d == Yes || d == No || d == Always {
		return nil
	}
	return callwright.Errorf("agent.decide", callwright.KindInvalid, "", "expected yes, no or always, got %q", callwright.Excerpt(string(d)))
}

func (r *run) decide(ctx context.Context, p *pending, d Decision) error {
	if err := d.check(); err != nil {
		return err
	}
	if d == Yes && p.once {
		d = Always
	}
	return r.record(ctx, p.call.ID, decided{d, r.by, r.apart})
}

// answers applies the decisions about the calls of a parked run: all of them, or none where one is invalid. A decision
// without a call is about the calls that no other names.
func (r *run) answers(ctx context.Context, answers []Answer) error {
	waiting := r.st.waiting()
	said := map[*pending]Decision{}
	for _, a := range answers {
		if a.Call == "" {
			continue
		}
		i := slices.IndexFunc(waiting, func(p *pending) bool { return p.call.ID == a.Call })
		if i < 0 || said[waiting[i]] != "" {
			return r.unaskedError(fmt.Sprintf("no call %q", callwright.Excerpt(a.Call)))
		}
		said[waiting[i]] = a.Decision
	}
	for _, a := range answers {
		found := a.Call != ""
		for _, p := range waiting {
			if a.Call == "" && said[p] == "" {
				said[p], found = a.Decision, true
			}
		}
		if err := a.Decision.check(); err != nil {
			return err
		}
		if !found {
			return r.unaskedError("nothing")
		}
	}
	for _, p := range waiting {
		if d := said[p]; d != "" {
			if err := r.decide(ctx, p, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// unaskedError is the error of an answer that nothing waits for.
func (r *run) unaskedError(what string) error {
	return callwright.Errorf("agent.decide", callwright.KindInvalid, "", "%s of the run %s waits for an answer", what, r.st.id)
}
