package ollama_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/wire/ollama"
)

// TestWorkGrowsWithTheSize gives shapes in which each thing could be compared with each other: that would take minutes.
func TestWorkGrowsWithTheSize(t *testing.T) {
	const n = 100_000
	repeated := func(form string, backwards bool) string {
		list := make([]string, n)
		for i := range n {
			at := i
			if backwards {
				at = n - 1 - i
			}
			list[at] = strings.ReplaceAll(form, "#", strconv.Itoa(i))
		}
		return strings.Join(list, ",")
	}
	called := `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[` +
		repeated(`{"id":"i#","function":{"name":"f#","arguments":{}}}`, false) + `]},`
	for name, body := range map[string]string{
		"results by id":   called + repeated(`{"role":"tool","tool_call_id":"i#","content":"x"}`, true) + `]}`,
		"results by name": called + repeated(`{"role":"tool","tool_name":"f#","content":"x"}`, true) + `]}`,
		"many turns":      called + repeated(`{"role":"assistant","content":"x"}`, false) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			req, err := ollama.Codec{}.DecodeRequest([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			built := *req
			built.Messages, _ = req.History()
			built.Body = nil
			if _, _, err := (ollama.Codec{}).EncodeRequest(&built, "m", caps.Caps{}); err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("expected a part of a second for %d bytes, took %s", len(body), took)
			}
		})
	}
	for name, keyword := range map[string]string{"keywords": repeated(`"k#":1`, false), "allOf": `"allOf":[` + repeated(`{"k#":1}`, false) + `]`} {
		t.Run(name, func(t *testing.T) {
			req := built(said(callwright.RoleUser, words("a")))
			req.Tools = []callwright.Tool{{Name: "f", Schema: []byte(`{"type":"object","properties":{"a":{` + keyword + `}}}`)}}
			began := time.Now()
			_, notes, err := ollama.Codec{}.EncodeRequest(req, "m", caps.Caps{})
			if took := time.Since(began); err != nil || len(notes) == 0 || took > 10*time.Second {
				t.Errorf("expected a part of a second, took %s, %v", took, err)
			}
		})
	}
	t.Run("texts", func(t *testing.T) {
		var parts []callwright.Part
		for range n {
			parts = append(parts, words(strings.Repeat("word ", 8)))
		}
		began := time.Now()
		out, _, err := ollama.Codec{}.EncodeRequest(built(said(callwright.RoleUser, parts...)), "m", caps.Caps{})
		if took := time.Since(began); err != nil || len(out) < n*42 || took > 10*time.Second {
			t.Errorf("expected a part of a second for %d bytes, took %s, %v", len(out), took, err)
		}
	})
}
