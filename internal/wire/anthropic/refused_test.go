package anthropic_test

import (
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/google/go-cmp/cmp"
)

// Requests of this wire whose history the API itself refuses are mended; where their server is no such, they stay as they are.
func TestHistoriesThatAreRefused(t *testing.T) {
	const ask, use = `{"role":"user","content":"Hi"},`, `{"type":"tool_use","id":"t1","name":"f","input":{}}`
	signs := caps.Caps{History: caps.HistoryRules{SignedReasoning: true}}
	for name, c := range map[string]struct {
		caps     caps.Caps
		from, to string // "" where it stays
		rules    string
	}{
		"a result behind words": {from: ask + `{"role":"assistant","content":[` + use + `]},{"role":"user","content":[{"type":"text","text":"Here:"},{"type":"tool_result","tool_use_id":"t1","content":"3"}]}`,
			to:    ask + `{"role":"assistant","content":[` + use + `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"3"},{"type":"text","text":"Here:"}]}`,
			rules: "history.results_first"},
		"a result before words": {from: ask + `{"role":"assistant","content":[` + use + `]}, {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"3"},{"type":"text","text":"Here:"}]}`},
		"thoughts without a signature": {caps: signs, from: ask + `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":""},{"type":"text","text":"Hi."}]}, {"role":"user","content" : "Bye"}`,
			to: ask + `{"role":"assistant","content":[{"type":"text","text":"Hi."}]},{"role":"user","content" : "Bye"}`, rules: "history.unsigned_reasoning"},
		"thoughts that no server signs": {from: ask + `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Hi."}]}, {"role":"user","content" : "Bye"}`},
		"thoughts with a signature":     {caps: signs, from: ask + `{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},{"type":"text","text":"Hi."}]}, {"role":"user","content" : "Bye"}`},
		"thoughts that no server signs, beside what is mended": {
			from:  ask + `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},` + use + `]},{"role":"user","content":[{"type":"text","text":"Here:"},{"type":"tool_result","tool_use_id":"t1","content":"3"}]}`,
			to:    ask + `{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},` + use + `]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"3"},{"type":"text","text":"Here:"}]}`,
			rules: "history.results_first"},
	} {
		t.Run(name, func(t *testing.T) {
			body := func(messages string) string { return `{"model":"m","max_tokens":1,"messages":[` + messages + `]}` }
			req, err := anthropic.Codec{}.DecodeRequest([]byte(body(c.from)))
			if err != nil {
				t.Fatal(err)
			}
			if c.to == "" {
				c.to = c.from
			}
			out, notes, err := anthropic.Codec{}.EncodeRequest(req, "m", c.caps)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(body(c.to), string(out)); diff != "" {
				t.Errorf("unexpected body (-want +got):\n%s", diff)
			}
			if got := rules(notes); got != c.rules {
				t.Errorf("notes %s, want %s", got, c.rules)
			}
		})
	}
}
