package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

const (
	sentToAnn = "I have sent the email to Ann."
	didNot    = "I did not send it."
)

// mailer is an agent that asks about claims, of a model that gives these answers; sent counts the mails, and fails is
// why none can be sent.
func mailer(m callwright.Model, sent *int, fails error, opts ...agent.Option) *agent.Agent {
	mail := tool("send_email", func(context.Context) (string, error) {
		if fails != nil {
			return "", fails
		}
		*sent++
		return "accepted", nil
	})
	look := agent.Func("find_contact", "Finds a contact.", func(context.Context, struct{}) (string, error) { return "ann@example.com", nil })
	return agent.New(m, append([]agent.Option{agent.Tools(mail, look), agent.WithFailures(agent.FailuresTold), agent.WithClaimQuestion()}, opts...)...)
}

// A model is asked about a claim that no call supports, once in a run, and may then do it or say that it did not.
func TestClaimQuestion(t *testing.T) {
	mail, look := calls("send_email", `{}`), calls("find_contact", `{}`)
	for name, c := range map[string]struct {
		answers []any
		fails   error
		off     bool
		text    string
		sent    int
		asked   []string // how what the model was told begins or what it has in it, one for each question
		steps   int
	}{
		"claimed, then done":           {answers: []any{sentToAnn, mail, sentToAnn}, text: sentToAnn, sent: 1, asked: []string{"such as with send_email"}, steps: 3},
		"claimed, then denied":         {answers: []any{sentToAnn, didNot}, text: didNot, asked: []string{"No call did that"}, steps: 2},
		"claimed twice":                {answers: []any{sentToAnn, "Yes. " + sentToAnn, didNot}, text: "Yes. " + sentToAnn, asked: []string{"No call did that"}, steps: 2},
		"another call":                 {answers: []any{look, sentToAnn, mail, sentToAnn}, text: sentToAnn, sent: 1, asked: []string{"No call did that"}, steps: 4},
		"done":                         {answers: []any{mail, sentToAnn}, text: sentToAnn, sent: 1, steps: 2},
		"failed":                       {answers: []any{mail, sentToAnn, didNot}, fails: errors.New("refused"), text: didNot, asked: []string{"send_email failed"}, steps: 3},
		"no tool can":                  {answers: []any{"I have restarted the server.", didNot}, text: didNot, asked: []string{"no tool can"}, steps: 2},
		"no claim":                     {answers: []any{"I can send it if you like."}, text: "I can send it if you like.", steps: 1},
		"done before another question": {answers: []any{mail, "Let me check the contact:", sentToAnn}, text: sentToAnn, sent: 1, steps: 3},
		"not asked for":                {answers: []any{sentToAnn}, off: true, text: sentToAnn, steps: 1},
	} {
		t.Run(name, func(t *testing.T) {
			m, sent := &script{answers: c.answers}, 0
			a := mailer(m, &sent, c.fails)
			if c.off {
				a = agent.New(m, agent.Tools(tool("send_email", func(context.Context) (string, error) { return "", nil })))
			}
			res, err := a.Run(t.Context(), callwright.UserText("Send an email to Ann."))
			if err != nil || res.Text != c.text || sent != c.sent || res.Steps != c.steps {
				t.Errorf("%+v, %v; %d sent", res, err, sent)
			}
			var asked []string
			for _, n := range res.Notes {
				if n.Rule == "loop.told" && n.Why == "claim" {
					asked = append(asked, n.Now)
				}
			}
			if len(asked) != len(c.asked) {
				t.Fatalf("asked %q", asked)
			}
			for i, want := range c.asked {
				if !strings.Contains(asked[i], want) || !strings.HasPrefix(asked[i], `You said: "`) {
					t.Errorf("asked %q, want %q", asked[i], want)
				}
			}
			for i := 1; i < len(m.asked); i++ { // no two requests are equal: each has more messages than the one before
				if len(m.asked[i].Messages) <= len(m.asked[i-1].Messages) {
					t.Errorf("request %d has %d messages, the one before %d", i, len(m.asked[i].Messages), len(m.asked[i-1].Messages))
				}
			}
		})
	}
}

// A run that is broken off at any entry of its journal asks about a claim no second time.
func TestClaimQuestionAfterResume(t *testing.T) {
	answers := []any{sentToAnn, sentToAnn, didNot}
	for cut := 1; ; cut++ {
		journal, sent := agent.NewMemory(), 0
		res, err := mailer(byLength(answers), &sent, nil, agent.WithJournal(&cutting{journal, cut}), fixed("run_1")).Run(t.Context(), callwright.UserText("Send an email to Ann."))
		whole := err == nil
		if !whole {
			if res, err = mailer(byLength(answers), &sent, nil, agent.WithJournal(journal), fixed("run_1")).Resume(t.Context(), "run_1"); err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
		}
		if res.Text != sentToAnn || res.Steps != 2 {
			t.Errorf("cut at %d: %q after %d steps", cut, res.Text, res.Steps)
		}
		if whole {
			return
		}
	}
}
