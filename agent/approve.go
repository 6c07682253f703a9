package agent

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/callwright/callwright"
)

// A Decision is a person's decision about a call that needs approval.
type Decision string

// The decisions. A decision that is recorded is Yes, No or Always.
const (
	Yes    Decision = "yes"
	No     Decision = "no"     // the call is not run; its result tells the model that a person denied it
	Always Decision = "always" // yes to this call and to all later calls of the tool in the run
	Later  Decision = "later"  // no decision: the run is parked
)

// An Answer is a decision about the waiting call with the id Call. If Call is empty, it decides all waiting calls that
// no other Answer names.
type Answer struct {
	Call     string
	Decision Decision
}

// An ApprovalRule sets the Approval of all tools whose names match Pattern; see WithApprovalRules.
type ApprovalRule struct {
	Pattern  string // of tool names; '*' matches any characters
	Approval Approval
}

// applyRules returns the tool with the approval of the last ApprovalRule that matches its name, or tool itself if none
// does.
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

// whyAsk returns the reason why a call needs a person's approval. The result is zero if no approval is needed.
func (r *run) whyAsk(ctx context.Context, tool *Tool, arguments []byte) asked {
	if r.o.approveAll {
		return asked{}
	}
	if why := r.checkAsks(ctx, tool, arguments); why != "" {
		return asked{why: why, each: true}
	}
	return asked{why: r.toolAsks(tool, arguments), once: tool.Approval == ApproveOnce}
}

// checkAsks returns the reason why the call rules in ctx require a person's decision about a call, "" if they do not.
// Earlier decisions about other calls of the tool do not count for this reason.
func (r *run) checkAsks(ctx context.Context, tool *Tool, arguments []byte) string {
	ask, err := r.callCheck(ctx, tool, arguments)
	if err != nil { // e.g. a rule that failed only now: let a person decide
		return "the check for an approval failed: " + callwright.Excerpt(err.Error())
	}
	return ask
}

// toolAsks returns the reason why the tool's own settings (Effects, Approval, ApproveIf) require approval of a call. It
// returns "" if they do not, or if an earlier decision allows all calls of the tool.
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
			return "the check for an approval failed: " + callwright.Excerpt(err.Error())
		case !needed:
			return ""
		}
	}
	if tool.Effects == EffectsDestructive {
		return "the tool may destroy something"
	}
	return "calls of this tool need an approval"
}

// question returns the Question for the person about a waiting call.
func (r *run) question(p *pending) Question {
	return Question{Run: r.st.id, Call: p.call.ID, Name: p.call.Name, Arguments: p.call.Arguments, Why: p.asked}
}

// ask passes each waiting call to the function of WithApprover and records the decisions. decided is true if no call
// waits any more. Without that function, and for the decision Later, a call keeps waiting.
func (r *run) ask(ctx context.Context) (decided bool, err error) {
	decided = true
	for _, p := range r.st.waiting() {
		if r.st.allowed[p.call.Name] && !p.each {
			continue // an earlier decision Always covers this call
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

// check returns an error of KindInvalid if d is not Yes, No or Always.
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
	return r.record(ctx, p.call.ID, decided{d, r.by, r.recordsOnly})
}

// answers records the given decisions about the calls of a parked run. If one answer is invalid, none is recorded. An
// Answer with an empty Call decides the waiting calls that no other Answer names.
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

// unaskedError returns the KindInvalid error for an Answer whose call does not wait for a decision. The message is
// subject, such as "nothing" or `no call "a"`, and "of the run ID waits for an answer".
func (r *run) unaskedError(subject string) error {
	return callwright.Errorf("agent.decide", callwright.KindInvalid, "", "%s of the run %s waits for an answer", subject, r.st.id)
}
