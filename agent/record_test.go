package agent_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// journalOf is a journal with the run run_1 of the entries: a kind, the id of a call and the data of each.
func journalOf(t *testing.T, entries ...[3]string) *agent.MemoryJournal {
	t.Helper()
	j := agent.NewMemory()
	for i, s := range entries {
		if _, err := j.Append(t.Context(), "run_1", uint64(i), agent.Entry{Kind: agent.EntryKind(s[0]), Time: time.Unix(int64(i), 0), Call: s[1], Data: json.RawMessage(s[2])}); err != nil {
			t.Fatal(err)
		}
	}
	return j
}

// A journal that was not written by a run is an error: nothing is run because of it, and nothing runs for ever.
func TestHostileJournal(t *testing.T) {
	begun := [3]string{"begun", "", `{"messages":[{"role":"user","parts":[{"type":"text","text":"Go."}]}]}`}
	answered := func(calls ...string) [3]string {
		var parts []string
		for _, id := range calls {
			parts = append(parts, fmt.Sprintf(`{"type":"call","id":%q,"name":"weather","arguments":{"city":"Oslo"}}`, id))
		}
		return [3]string{"answered", "", `{"response":{"parts":[` + strings.Join(parts, ",") + `],"finish":"calls"}}`}
	}
	started := func(id string) [3]string { return [3]string{"started", id, `{}`} }
	ended := func(id string) [3]string {
		return [3]string{"ended", id, fmt.Sprintf(`{"messages":[{"role":"tool","parts":[{"type":"result","call_id":%q,"parts":[{"type":"text","text":"{}"}]}]}]}`, id)}
	}
	for name, entries := range map[string][][3]string{
		"begun twice":              {begun, begun},
		"an answer in a round":     {begun, answered("a", "b"), ended("a"), answered("c")},
		"an end twice":             {begun, answered("a", "b"), ended("a"), ended("a")},
		"a start behind the end":   {begun, answered("a", "b"), ended("a"), started("a")},
		"a start twice":            {begun, answered("a", "b"), started("a"), started("a")},
		"a call that is not there": {begun, answered("a"), ended("b")},
		"two calls of one id":      {begun, answered("a", "a")},
		"a decision that is none":  {begun, answered("a"), {"asked", "a", `{"why":"x"}`}, {"decided", "a", `{"decision":"perhaps"}`}},
		"a decision twice":         {begun, answered("a"), {"asked", "a", `{"why":"x"}`}, {"decided", "a", `{"decision":"no"}`}, {"decided", "a", `{"decision":"yes"}`}},
		"a decision behind":        {begun, answered("a", "b"), {"asked", "a", `{"why":"x"}`}, ended("a"), {"decided", "a", `{"decision":"always"}`}},
		"an entry behind the stop": {begun, {"stopped", "", `{"stop":"answered"}`}, answered("a")},
		"a model below the first":  {begun, {"moved", "", `{"model":-3}`}},
		"a verdict on nothing":     {begun, {"verified", "", `{"wrong":"x"}`}},
		"a verdict twice":          {begun, {"answered", "", `{"response":{"parts":[{"type":"text","text":"Hm."}]}}`}, {"verified", "", `{}`}, {"verified", "", `{}`}},
		"a verdict in a round":     {begun, answered("a"), {"verified", "", `{}`}},
		"an answer without one":    {begun, {"answered", "", `{}`}},
		"an answer that is null":   {begun, {"answered", "", `null`}},
		"a result of nothing":      {begun, answered("a"), {"ended", "a", `{"messages":[{"role":"tool"}]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			var called []string
			j := journalOf(t, entries...)
			a := agent.New(&script{answers: []any{"Done."}}, agent.Tools(weather(&called)), agent.WithJournal(j), agent.WithMaxSteps(5))
			if res, err := a.Resume(t.Context(), "run_1"); callwright.KindOf(err) != callwright.KindInvalid || len(called) > 0 {
				t.Errorf("%+v, %v; called %q", res, err, called)
			}
			if _, err := agent.Status(t.Context(), j, "run_1"); callwright.KindOf(err) != callwright.KindInvalid {
				t.Errorf("status: %v", err)
			}
		})
	}
	t.Run("moved, and the ladder is gone", func(t *testing.T) {
		j := journalOf(t, begun, [3]string{"moved", "", `{"model":2}`})
		res, err := agent.New(&script{answers: []any{"Done."}}, agent.WithJournal(j)).Resume(t.Context(), "run_1")
		if err != nil || res.Text != "Done." {
			t.Errorf("%+v, %v", res, err)
		}
	})
	t.Run("started, and the tool is gone", func(t *testing.T) {
		j := journalOf(t, begun, answered("a"), started("a"))
		res, err := agent.New(&script{answers: []any{"Done."}}, agent.WithJournal(j)).Resume(t.Context(), "run_1")
		if err != nil || results(res.Messages)[0] != "INTERRUPTED" {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

// Entries in any order never panic, and no call is run again that has ended.
func TestShuffledJournal(t *testing.T) {
	call := `{"type":"call","id":%q,"name":"weather","arguments":{"city":%q}}`
	one := func(kind, id, data string) [3]string { return [3]string{kind, id, data} }
	var entries [][3]string
	for _, id := range []string{"a", "b"} {
		entries = append(entries, one("started", id, `{}`), one("asked", id, `{"why":"x"}`), one("decided", id, `{"decision":"yes"}`),
			one("ended", id, `{"messages":[{"role":"tool","parts":[{"type":"result","call_id":"`+id+`","parts":[{"type":"text","text":"{}"}]}]}]}`))
	}
	entries = append(entries, one("answered", "", `{"response":{"parts":[{"type":"text","text":"Hm."}]}}`),
		one("answered", "", `{"response":{"parts":[`+fmt.Sprintf(call, "a", "a")+","+fmt.Sprintf(call, "b", "b")+`]}}`),
		one("added", "", `{"why":"intent","messages":[{"role":"user","parts":[{"type":"text","text":"Go on."}]}]}`),
		one("verified", "", `{"wrong":"no"}`), one("moved", "", `{"model":1}`), one("stopped", "", `{"stop":"entries","message":"x"}`), one("begun", "", `{}`))
	begun := one("begun", "", `{"messages":[{"role":"user","parts":[{"type":"text","text":"Go."}]}]}`)
	good := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		some := [][3]string{begun}
		ended := map[string]bool{}
		for range r.IntN(8) {
			some = append(some, entries[r.IntN(len(entries))])
		}
		for _, s := range some {
			ended[s[1]] = ended[s[1]] || s[0] == "ended"
		}
		var called []string
		a := agent.New(&script{answers: []any{"Done."}}, agent.Tools(weather(&called)), agent.WithJournal(journalOf(t, some...)), agent.WithMaxSteps(9))
		_, err := a.Resume(t.Context(), "run_1")
		if err == nil {
			good++
		}
		for _, c := range called {
			if ended[c] && callwright.KindOf(err) != callwright.KindInvalid && strings.Count(fmt.Sprint(some), `"city":"a"`) < 2 {
				t.Fatalf("%s was called again after %v", c, some)
			}
		}
	}
	if good < 50 {
		t.Errorf("only %d of the journals are whole", good)
	}
}
