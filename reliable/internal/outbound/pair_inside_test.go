package outbound

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callid"
	"pgregory.net/rapid"
)

func TestPairs(t *testing.T) {
	for _, c := range []struct{ name, history, want string }{
		{"an id", "user call:a call:b result:b result:a", "1 0"},
		{"an id that repeats", "call:a result:a user call:a result:a result:a", "0 1 -"},
		{"after a further turn", "call:a user call:b result:b user result:a", "1 0"},
		{"neither has an id", "call:/x,/y result:/y result:", "1 0"},
		{"the call has no id", "call:/x result:a", "0"},
		{"the call has no id but one that was made for it", "user call:call_1_0/x result:a", "0"},
		{"ids that look made", "call:call_1_0/x user call:call_3_0/x result:call_1_0 result:call_3_0", "0 1"},
		{"calls without ids, by their tools", "call:/x,/y result:a/y result:b/x", "1 0"},
		{"the other call has the id", "call:/x,a result:a result:", "1 0"},
		{"the other call has the id, twice", "call:/x,a result:a result:a", "1 -"},
		{"an older call has the id", "call:a user call:/x result:a", "1"},
		{"an older call has the id, twice", "call:a user call:/x result:a result:a", "1 -"},
		{"a later call has the id, twice", "call:/x result:a result:a user call:a", "0 -"},
		{"before its call", "user result:a user call:a", "0"},
		{"before its call and the turn before", "user result:a user call:b user call:a", "1"},
		{"before its call twice", "user result:a result:a call:a", "- -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := pairsIn(c.history); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// pairsIn are the numbers of the calls that the results of a history answer, in the order of the results, - for none. Calls and results
// are written as their ids, with the names of their tools after a slash.
func pairsIn(history string) string {
	var msgs []callwright.Message
	var results []place
	for i, word := range strings.Fields(history) {
		kind, list, _ := strings.Cut(word, ":")
		m := callwright.Message{Role: callwright.RoleUser}
		for _, part := range strings.Split(list, ",") {
			id, tool, _ := strings.Cut(part, "/")
			switch kind {
			case "call":
				m.Role, m.Parts = callwright.RoleAssistant, append(m.Parts, callwright.Call{ID: id, Name: tool})
			case "result":
				results = append(results, place{i, len(m.Parts)})
				m.Role, m.Parts = callwright.RoleTool, append(m.Parts, callwright.Result{CallID: id, Name: tool})
			}
		}
		msgs = append(msgs, m)
	}
	p := pair(msgs)
	var got []string
	for _, at := range results {
		if n, found := p.answer[at]; found {
			got = append(got, fmt.Sprint(n))
		} else {
			got = append(got, "-")
		}
	}
	return strings.Join(got, " ")
}

// What answers the calls of a turn of the model, or that nothing does, is settled once the next one begins. Results that come later with
// an id that only an older call has are the exception. Ids repeat, and calls and results come without any.
func TestPairsOfEarlierTurnsStay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		msgs := rapid.SliceOfN(turnsOfFewIDs(), 2, 9).Draw(t, "messages")
		for n := 1; n < len(msgs); n++ {
			before, now := pair(msgs[:n]), pair(msgs[:n+1])
			from := latestRun(msgs[:n+1])
			for k := range before.calls {
				was, is := &before.calls[k], &now.calls[k]
				if was.at.message < from && (was.answered != is.answered || was.result != is.result) && !comesLate(msgs[n], is, now.calls, from) {
					t.Fatalf("message %d changes what answers the call at %v: %v, %v before", n, is.at, answerTo(is), answerTo(was))
				}
			}
		}
	})
}

// turnsOfFewIDs are turns of the user, of the model with calls, and of results.
func turnsOfFewIDs() *rapid.Generator[callwright.Message] {
	ids := rapid.SampledFrom([]string{"", "a", "b", callid.DeriveID(1, 0)})
	return rapid.Custom(func(t *rapid.T) callwright.Message {
		m := callwright.Message{Role: rapid.SampledFrom([]callwright.Role{callwright.RoleUser, callwright.RoleAssistant, callwright.RoleTool}).Draw(t, "role")}
		for range rapid.IntRange(0, 2).Draw(t, "parts") {
			switch m.Role {
			case callwright.RoleAssistant:
				m.Parts = append(m.Parts, callwright.Call{ID: ids.Draw(t, "id"), Name: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "tool")})
			case callwright.RoleTool:
				m.Parts = append(m.Parts, callwright.Result{CallID: ids.Draw(t, "id"), Name: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "tool")})
			}
		}
		return m
	})
}

// latestRun is where the latest turns of the model begin.
func latestRun(msgs []callwright.Message) int {
	for i := len(msgs) - 1; i > 0; i-- {
		if msgs[i].Role == callwright.RoleAssistant && msgs[i-1].Role != callwright.RoleAssistant {
			return i
		}
	}
	return 0
}

// comesLate reports whether a message has a result with the id of a call, where every call of the latest turns has another. Ids that were
// made name their calls exactly.
func comesLate(m callwright.Message, c *pastCall, calls []pastCall, from int) bool {
	for _, other := range calls {
		if other.at.message >= from && (other.ID == c.ID || isUnidentified(other.ID) && !isUnidentified(c.ID)) {
			return false
		}
	}
	for _, p := range m.Parts {
		if r, is := p.(callwright.Result); is && c.ID != "" && r.CallID == c.ID {
			return true
		}
	}
	return false
}

func answerTo(c *pastCall) any {
	if !c.answered {
		return "nothing"
	}
	return c.result
}
