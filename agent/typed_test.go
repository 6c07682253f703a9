package agent_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// An answer is of the type that was asked for, mended where it is not quite JSON, and asked for again where it is something else.
func TestAs(t *testing.T) {
	type forecast struct {
		City string `json:"city"`
		Days int    `json:"days"`
	}
	want := forecast{"Oslo", 3}
	for name, c := range map[string]struct {
		answers []any
		asked   int
		err     string
	}{
		"at once":       {[]any{`{"city":"Oslo","days":3}`}, 1, ""},
		"mended":        {[]any{"```json\n{'city': 'Oslo', days: 3,}\n```"}, 1, ""},
		"asked again":   {[]any{`{"city":"Oslo","days":"three"}`, "Oslo", `{"city":"Oslo","days":3}`}, 3, ""},
		"never":         {[]any{"Oslo"}, 3, "agent.as: the answer does not satisfy the schema"},
		"after a step":  {[]any{calls("weather", `{"city":"Oslo"}`), `{"city":"Oslo","days":3}`}, 2, ""},
		"a lost member": {[]any{`{"city":"Oslo"}`, `{"city":"Oslo","days":3}`}, 2, ""},
	} {
		m := &script{answers: c.answers}
		got, res, err := agent.As[forecast](t.Context(), agent.New(m, agent.Tools(weather(new([]string)))), callwright.UserText("How is it?"))
		if err != nil || c.err != "" {
			if err == nil || c.err == "" || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: %v", name, err)
			}
		} else if got != want {
			t.Errorf("%s: got %+v, %+v", name, got, res)
		}
		if len(m.asked) != c.asked || m.asked[0].Params.Format == nil {
			t.Errorf("%s: asked %d times", name, len(m.asked))
		}
	}
}
