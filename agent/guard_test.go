package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// Calls that are the same only by how they are written are a loop, and so are those that can never be run; siblings of one answer are none.
func TestLoopsThatHide(t *testing.T) {
	same := []string{`{"city":"Oslo","days":1}`, `{"days":1,"city":"Oslo"}`, ` { "city" : "Oslo", "days" : 1 } `, `{"city":"Osl\u006f","days":1}`}
	for name, c := range map[string]struct {
		answers func(n int) any
		tool    string
		stops   bool
	}{
		"written otherwise": {answers: func(n int) any { return calls("weather", same[n%len(same)]) }, stops: true},
		"an unknown tool":   {answers: func(int) any { return calls("nope", `{}`) }, stops: true},
		"bad arguments":     {answers: func(int) any { return calls("weather", `{}`) }, stops: true},
		"no JSON":           {answers: func(int) any { return calls("weather", `{`) }, stops: true},
		"other arguments":   {answers: func(n int) any { return calls("weather", fmt.Sprintf(`{"city":"%d"}`, n)) }},
		"other bad ones":    {answers: func(n int) any { return calls("weather", fmt.Sprintf(`{"city":%d}`, n)) }},
		"other results":     {answers: func(int) any { return calls("count", `{}`) }},
		"equal siblings": {answers: func(n int) any {
			if n > 1 {
				return "Done."
			}
			return calls(slices.Repeat([]string{"weather", `{"city":"Oslo"}`}, 6)...)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var called []string
			n := 0
			count := tool("count", func(context.Context) (string, error) { n++; return fmt.Sprint(n), nil })
			m := &script{}
			for i := range 12 {
				m.answers = append(m.answers, c.answers(i))
			}
			m.answers = append(m.answers, "Done.")
			_, err := agent.New(m, agent.Tools(weather(&called), count)).Run(t.Context(), callwright.UserText("Go."))
			stop, _ := errors.AsType[*agent.StopError](err)
			if stops := stop != nil && stop.Stop == agent.StopLoop; stops != c.stops || !stops && err != nil {
				t.Errorf("%v after %d requests", err, len(m.asked))
			}
		})
	}
}

// A loop is seen whatever its period, and is none where results change.
func TestLoopsOfAnyPeriod(t *testing.T) {
	for period := 1; period <= 4; period++ {
		for _, changing := range []bool{false, true} {
			n := 0
			var answers []any
			for i := range 40 {
				answers = append(answers, calls("count", fmt.Sprintf(`{"n":%d}`, i%period)))
			}
			count := agent.Tool{Name: "count", Schema: json.RawMessage(`{"type":"object"}`), Run: func(context.Context, json.RawMessage) (agent.Output, error) {
				if n++; changing {
					return agent.Output{Data: json.RawMessage(fmt.Sprint(n))}, nil
				}
				return agent.Output{}, nil
			}}
			_, err := agent.New(&script{answers: append(answers, "Done.")}, agent.Tools(count)).Run(t.Context(), callwright.UserText("Count."))
			stop, _ := errors.AsType[*agent.StopError](err)
			if looped := stop != nil && stop.Stop == agent.StopLoop; looped != (period <= 3 && !changing) {
				t.Errorf("period %d, changing %t: %v after %d calls", period, changing, err, n)
			}
			polls := count
			polls.Polling = true
			if _, err := agent.New(&script{answers: append(answers[:10:10], "Done.")}, agent.Tools(polls)).Run(t.Context(), callwright.UserText("Count.")); err != nil {
				t.Errorf("a polling tool: %v", err)
			}
		}
	}
}
