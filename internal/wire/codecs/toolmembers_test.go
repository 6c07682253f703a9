package codecs_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// sentAs encodes a request of Anthropic's for every wire, from its body and from what was decoded of it, and gives the bytes and the
// rules of the notes.
func sentAs(t *testing.T, body string, check func(to callwright.WireName, sent []byte, rules []string)) {
	t.Helper()
	req, err := anthropic.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	built := *req
	if built.Messages, err = req.History(); err != nil {
		t.Fatal(err)
	}
	if built.Tools, err = req.DeclaredTools(); err != nil {
		t.Fatal(err)
	}
	companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
	for _, to := range codecs.All() {
		for _, r := range []*callwright.Request{req, &built} {
			sent, notes, err := to.EncodeRequest(r, "m", caps.Caps{})
			if err != nil {
				t.Errorf("%s: %v", to.Name(), err)
			}
			var rules []string
			for _, n := range notes {
				if n.Risk == "" {
					t.Errorf("%s: no risk in %+v", to.Name(), n)
				}
				rules = append(rules, n.Rule)
			}
			check(to.Name(), sent, rules)
		}
	}
}

// What a tool says beside its schema goes back to its own wire, and has a note for every other.
func TestMembersOfTools(t *testing.T) {
	for member, rule := range map[string]string{
		`"defer_loading":true`: "tools.member", `"input_examples":[{"a":1}]`: "tools.member", `"eager_input_streaming":true`: "tools.member", `"unheard_of":{"a":1}`: "tools.member",
		`"allowed_callers":["direct","code_execution_20250825"]`: "tools.member", `"cache_control":{"type":"ephemeral"}`: "tools.cache_mark",
		`"defer_loading":false`: "", `"input_examples":[]`: "", `"unheard_of":null`: "", `"type":"custom"`: "",
	} {
		body := `{"model":"m","max_tokens":99,"messages":[{"role":"user","content":"q"}],"tools":[{"name":"f","input_schema":{"type":"object"},` + member + `},{"name":"g","input_schema":{"type":"object"},` + member + `}]}`
		sentAs(t, body, func(to callwright.WireName, sent []byte, rules []string) {
			own := to == callwright.WireAnthropic
			if has := bytes.Contains(sent, []byte(member)); has != own && member != `"type":"custom"` {
				t.Errorf("%s, %s: sent %s", to, member, sent)
			}
			n := 0
			for _, r := range rules {
				if strings.HasPrefix(r, "tools.") {
					n++
				}
			}
			switch {
			case own || rule == "":
				if n > 0 {
					t.Errorf("%s, %s: notes %v", to, member, rules)
				}
			case n != 1 || !slices.Contains(rules, rule):
				t.Errorf("%s, %s: expected %s once, got %v", to, member, rule, rules)
			}
		})
	}
}

// A tool that only code at its own provider may call is offered to no other model; without others no tools are sent at all.
func TestToolsForCodeOnly(t *testing.T) {
	const only = `{"name":"query","input_schema":{"type":"object"},"allowed_callers":["code_execution_20250825"]}`
	for _, others := range []string{"", `,{"name":"look","input_schema":{"type":"object"}}`} {
		body := `{"model":"m","max_tokens":99,"messages":[{"role":"user","content":"q"}],"tools":[` + only + others + `]}`
		sentAs(t, body, func(to callwright.WireName, sent []byte, rules []string) {
			own := to == callwright.WireAnthropic
			if bytes.Contains(sent, []byte("query")) != own || slices.Contains(rules, "tools.code_only") == own {
				t.Errorf("%s: sent %s with %v", to, sent, rules)
			}
			if !own && bytes.Contains(sent, []byte(`"tools"`)) != (others != "") {
				t.Errorf("%s: sent %s", to, sent)
			}
		})
	}
}

// What a search found is told to models of other wires, and goes back to its own as it came. Marks of what to cache have one note.
func TestBlocksOfResults(t *testing.T) {
	for block, words := range map[string]string{
		`{"type":"tool_reference","tool_name":"look"}`: "[Tool: look]",
		`{"type":"search_result","source":"https://a.example","title":"T","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}`: `T\nhttps://a.example\none\ntwo`,
	} {
		body := `{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[{"type":"text","text":"q","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"find","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[` + block + `],"cache_control":{"type":"ephemeral"}}]}],"tools":[{"name":"find","input_schema":{"type":"object"}}]}`
		sentAs(t, body, func(to callwright.WireName, sent []byte, rules []string) {
			want, as := []string{"history.block", "history.cache_mark"}, words
			if to == callwright.WireAnthropic {
				want, as = nil, block
			}
			slices.Sort(rules)
			if !bytes.Contains(sent, []byte(as)) || !slices.Equal(rules, want) {
				t.Errorf("%s: expected %s with %v, sent %s with %v", to, as, want, sent, rules)
			}
		})
	}
	const unknown = `{"type":"unheard_of","title":"x"}`
	body := `{"model":"m","max_tokens":99,"messages":[{"role":"user","content":[` + unknown + `,{"type":"text","text":"q"}]}]}`
	sentAs(t, body, func(to callwright.WireName, sent []byte, rules []string) {
		if own := to == callwright.WireAnthropic; bytes.Contains(sent, []byte(unknown)) != own || slices.Contains(rules, "history.opaque") == own {
			t.Errorf("%s: sent %s with %v", to, sent, rules)
		}
	})
}
