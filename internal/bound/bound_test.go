package bound_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/bound"
)

// A clock that tests set.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 3, 4, 12, 30, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time { return c.now }

// enter enters a conversation and says what comes of it: "", "told" or the message of the error.
func enter(t *testing.T, c *bound.Conversation) string {
	t.Helper()
	told, err := c.Enter(t.Context())
	switch {
	case err != nil && callwright.KindOf(err) != callwright.KindPermission:
		t.Fatal(err)
	case err != nil:
		return err.Error()
	case told != "":
		return "told: " + told
	}
	return ""
}

func add(t *testing.T, c *bound.Conversation, u bound.Used) {
	t.Helper()
	if err := c.Add(t.Context(), u); err != nil {
		t.Fatal(err)
	}
}

// Each bound is told once when it comes near, then it stops the conversation, and the words name it.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		limits    access.Conversation
		used      bound.Used
		near      int // uses until the model is told
		at        int // and until the conversation is stopped
		told, why string
	}{
		{access.Conversation{Calls: 10}, bound.Used{Calls: 1}, 8, 10, "has used 8 tool calls of at most 10 tool calls",
			`the conversation has used 10 tool calls, but conversation.max_calls of the model "coder" allows 10 tool calls`},
		{access.Conversation{Tokens: 1000, TellAt: 0.5}, bound.Used{Tokens: 250}, 2, 4, "has used 500 tokens of at most 1000 tokens", "conversation.max_tokens"},
		{access.Conversation{USD: 0.3}, bound.Used{USD: 0.1}, 3, 4, "has used 0.3 USD of at most 0.3 USD", "conversation.max_cost"},
		{access.Conversation{Calls: 100, Tokens: 10}, bound.Used{Calls: 1, Tokens: 4}, 2, 3, "has used 8 tokens", "conversation.max_tokens"},
	} {
		conv := bound.New(nil, newClock().Now).Of("", "s", bound.Scope{Of: `the model "coder"`, Limits: c.limits})
		for n := range c.at + 2 {
			got := enter(t, conv)
			switch {
			case n == c.near:
				if !strings.HasPrefix(got, "told: ") || !strings.Contains(got, c.told) {
					t.Errorf("%+v: after %d: got %q, want to be told %q", c.limits, n, got, c.told)
				}
			case n >= c.at:
				if strings.HasPrefix(got, "told") || !strings.Contains(got, c.why) {
					t.Errorf("%+v: after %d: got %q, want %q", c.limits, n, got, c.why)
				}
			case got != "":
				t.Errorf("%+v: after %d: got %q", c.limits, n, got)
			}
			if n < c.at {
				add(t, conv, c.used)
			}
		}
	}
}

// A conversation that reaches a bound at once is told before it is stopped.
func TestToldFirst(t *testing.T) {
	conv := bound.New(nil, newClock().Now).Of("", "s", bound.Scope{Of: "the key \"ci\"", Limits: access.Conversation{Calls: 1}})
	add(t, conv, bound.Used{Calls: 5})
	if got := enter(t, conv); !strings.HasPrefix(got, "told: ") {
		t.Errorf("got %q", got)
	}
	if got := enter(t, conv); !strings.Contains(got, "max_calls of the key \"ci\"") {
		t.Errorf("got %q", got)
	}
}

// Conversations, owners and scopes are counted apart, and nothing is counted without a bound or a name.
func TestApart(t *testing.T) {
	k := bound.New(nil, newClock().Now)
	of := bound.Scope{Of: "m", Limits: access.Conversation{Calls: 1}}
	add(t, k.Of("me", "s", of), bound.Used{Calls: 1})
	for _, other := range []*bound.Conversation{k.Of("you", "s", of), k.Of("me", "r", of), k.Of("me", "s", bound.Scope{Of: "n", Limits: of.Limits}), k.Of("mes", "", of), k.Of("me", "s", bound.Scope{Of: "m"})} {
		if got := enter(t, other); got != "" {
			t.Errorf("got %q", got)
		}
	}
	if k.Of("me", "", of) != nil || k.Of("me", "s") != nil {
		t.Error("a conversation without a name, or without a bound, is counted")
	}
	if got := enter(t, k.Of("me", "s", of)); got == "" {
		t.Error("the conversation is not counted")
	}
}

// What was used a day ago counts no more, and may be told again.
func TestForgets(t *testing.T) {
	at := newClock()
	k := bound.New(nil, at.Now)
	conv := k.Of("", "s", bound.Scope{Of: "m", Limits: access.Conversation{Calls: 2}})
	add(t, conv, bound.Used{Calls: 2})
	for range 2 { // it is told, then stopped
		if enter(t, conv) == "" {
			t.Error("the conversation is neither told nor stopped")
		}
	}
	at.now = at.now.Add(25 * time.Hour)
	if got := enter(t, conv); got != "" {
		t.Errorf("a day later: %q", got)
	}
	add(t, conv, bound.Used{Calls: 2})
	if got := enter(t, conv); !strings.HasPrefix(got, "told") {
		t.Errorf("a day later, at the bound: %q", got)
	}
}

// Two gateways with the same counters agree: one tells, and both stop.
func TestTwoGateways(t *testing.T) {
	at := newClock()
	shared := access.NewMemoryCounters(at.Now)
	of := bound.Scope{Of: "m", Limits: access.Conversation{Calls: 4}}
	a, b := bound.New(shared, at.Now).Of("", "s", of), bound.New(shared, at.Now).Of("", "s", of)
	add(t, a, bound.Used{Calls: 2})
	add(t, b, bound.Used{Calls: 2})
	if got := enter(t, b); !strings.HasPrefix(got, "told") {
		t.Errorf("got %q", got)
	}
	for _, c := range []*bound.Conversation{a, b} {
		if got := enter(t, c); got == "" || strings.HasPrefix(got, "told") {
			t.Errorf("got %q", got)
		}
	}
}

// The memory of conversations is bounded: the one that was used least lately is forgotten.
func TestMemoryIsBounded(t *testing.T) {
	k := bound.New(nil, newClock().Now)
	of := bound.Scope{Of: "m", Limits: access.Conversation{Calls: 1}}
	for i := range 40_001 {
		add(t, k.Of("", fmt.Sprint(i), of), bound.Used{Calls: 1})
	}
	if got := enter(t, k.Of("", "0", of)); got != "" {
		t.Errorf("the first conversation is kept: %q", got)
	}
	if got := enter(t, k.Of("", "40000", of)); got == "" {
		t.Error("the last conversation is forgotten")
	}
}

// lost are counters that do not answer.
type lost struct{ access.Counters }

func (lost) Count(context.Context, access.Window) (access.Tally, error) {
	return nil, errors.New("away")
}

// Without counts no request is made: how much is left is not known.
func TestUnknown(t *testing.T) {
	_, err := bound.New(lost{}, nil).Of("", "s", bound.Scope{Of: "m", Limits: access.Conversation{Calls: 1}}).Enter(t.Context())
	if e, ok := errors.AsType[*callwright.Error](err); !ok || e.Kind != callwright.KindUnavailable || e.RetryAfter <= 0 {
		t.Errorf("got %v", err)
	}
}
