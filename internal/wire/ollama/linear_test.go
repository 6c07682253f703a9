package ollama_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/ollama"
)

// BenchmarkManyOfAKind are shapes in which each thing could be compared with each other: bytes a second stay what they are for small requests.
func BenchmarkManyOfAKind(b *testing.B) {
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
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				req, err := ollama.Codec{}.DecodeRequest([]byte(body))
				if err != nil {
					b.Fatal(err)
				}
				built := *req
				built.Messages, _ = req.History()
				companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
				send(b, &built)
			}
		})
	}
	for name, keyword := range map[string]string{"keywords": repeated(`"k#":1`, false), "allOf": `"allOf":[` + repeated(`{"k#":1}`, false) + `]`} {
		b.Run(name, func(b *testing.B) {
			req := built(said(callwright.RoleUser, words("a")))
			req.Tools = []callwright.Tool{{Name: "f", Schema: []byte(`{"type":"object","properties":{"a":{` + keyword + `}}}`)}}
			b.SetBytes(int64(len(keyword)))
			for b.Loop() {
				send(b, req)
			}
		})
	}
	b.Run("texts", func(b *testing.B) {
		var parts []callwright.Part
		for range n {
			parts = append(parts, words(strings.Repeat("word ", 8)))
		}
		for b.Loop() {
			send(b, built(said(callwright.RoleUser, parts...)))
		}
	})
}

func send(b *testing.B, req *callwright.Request) {
	if _, _, err := (ollama.Codec{}).EncodeRequest(req, "m", caps.Caps{}); err != nil {
		b.Fatal(err)
	}
}
