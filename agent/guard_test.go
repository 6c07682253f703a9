package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

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

// A loop is one to three rounds that come again and again with the same results, in whatever order their calls stand: a run ends where such
// have come five times and begin once more, and nowhere else.
func TestLoopsOfRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rounds := loopingRounds(t)
		changing := rapid.Bool().Draw(t, "changing results")
		m := &script{}
		for _, r := range rounds {
			var pairs []string
			for _, c := range rapid.Permutation(r).Draw(t, "order") {
				pairs = append(pairs, "look", fmt.Sprintf(rapid.SampledFrom([]string{`{"n":%d}`, ` { "n" : %d }`}).Draw(t, "spelling"), c))
			}
			m.answers = append(m.answers, calls(pairs...))
		}
		m.answers = append(m.answers, "Done.")
		n := 0
		look := agent.Tool{Name: "look", Schema: json.RawMessage(`{"type":"object"}`), Run: func(_ context.Context, arguments json.RawMessage) (agent.Output, error) {
			if n++; changing {
				return agent.Output{Data: json.RawMessage(strconv.Itoa(n))}, nil
			}
			return agent.Output{Data: []byte(strings.ReplaceAll(string(arguments), " ", ""))}, nil
		}}
		_, err := agent.New(m, agent.Tools(look), agent.WithParallel(1), agent.WithMaxSteps(0)).Run(context.Background(), callwright.UserText("Go."))
		ends := loopEnd(rounds)
		if changing {
			ends = -1
		}
		stop, _ := errors.AsType[*agent.StopError](err)
		switch looped := stop != nil && stop.Stop == agent.StopLoop; {
		case !looped && err != nil:
			t.Fatal(err)
		case looped != (ends >= 0), looped && len(m.asked) != ends+1:
			t.Fatalf("%v after %d answers, expected it after %d: %v", err, len(m.asked), ends+1, rounds)
		}
	})
}

// loopingRounds are rounds of calls, each without repetitions: blocks of them that come again some times.
func loopingRounds(t *rapid.T) [][]int {
	round := rapid.SliceOfNDistinct(rapid.IntRange(0, 4), 1, 4, rapid.ID)
	block := rapid.SliceOfN(round, 1, 5)
	var out [][]int
	for range rapid.IntRange(1, 4).Draw(t, "blocks") {
		out = append(out, slices.Repeat(block.Draw(t, "block"), rapid.IntRange(1, 7).Draw(t, "times"))...)
	}
	for _, r := range out {
		slices.Sort(r)
	}
	return out
}

// loopEnd is the place of the first round that begins a period for the sixth time, -1 where none does.
func loopEnd(rounds [][]int) int {
	for i := range rounds {
		for period := 1; period <= 3; period++ {
			from, periodic := i-5*period, true
			for k := from; k >= 0 && k+period <= i; k++ {
				periodic = periodic && slices.Equal(rounds[k], rounds[k+period])
			}
			if from >= 0 && periodic {
				return i
			}
		}
	}
	return -1
}

// The model is told of a loop before its calls are refused, and they are refused before the run ends.
func TestLoopIsToldFirst(t *testing.T) {
	var told []string
	m := &script{answers: []any{calls("look", `{"n":1}`, "look", `{"n":2}`), calls("look", `{"n":2}`, "look", `{"n":1}`)}}
	m.answers = slices.Repeat(m.answers, 6)
	made := 0
	look := agent.Tool{Name: "look", Schema: json.RawMessage(`{"type":"object"}`), Run: func(context.Context, json.RawMessage) (agent.Output, error) {
		made++
		return agent.Output{}, nil
	}}
	for ev := range agent.New(m, agent.Tools(look), agent.WithParallel(1)).Stream(t.Context(), callwright.UserText("Go.")) {
		if ev.Kind == agent.EventNote && ev.Note.Rule == "loop.repeated" {
			told = append(told, ev.Note.Now)
		}
	}
	want := []string{"told", "told", "refused", "refused", "refused", "refused"}
	if d := cmp.Diff(want, told); d != "" || made != 6 {
		t.Errorf("%d calls (-want +got)\n%s", made, d)
	}
	warned := 0
	for _, p := range m.asked[3].Messages[len(m.asked[3].Messages)-1].Parts { // the results of the third round
		if r, ok := p.(callwright.Result); ok && strings.Contains(r.Text(), `"warnings":["this call was made 2 times before with the same result"]`) {
			warned++
		}
	}
	if warned != 2 {
		t.Errorf("the model has read of it with %d results", warned)
	}
}
