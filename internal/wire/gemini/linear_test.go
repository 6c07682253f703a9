package gemini_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/gemini"
)

// repeated is n times the form with each # as the number, from one end or the other, separated by commas.
func repeated(n int, form string, backwards bool) string {
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

// BenchmarkManyOfAKind are shapes in which each thing could be compared with each other: bytes a second stay what they are for small requests.
func BenchmarkManyOfAKind(b *testing.B) {
	const n = 100_000
	const asked = `{"contents":[{"role":"user","parts":[{"text":"x"}]}`
	results := func(form string) string {
		return asked + `,{"role":"model","parts":[` + repeated(n, `{"functionCall":{"id":"i#","name":"f#","args":{}}}`, false) +
			`]},{"role":"user","parts":[` + repeated(n, form, true) + `]}]}`
	}
	for name, body := range map[string]string{
		"members":          asked + `],` + repeated(n, `"m#":1`, false) + `}`,
		"results by id":    results(`{"functionResponse":{"id":"i#","name":"f#","response":{}}}`),
		"results of none":  results(`{"functionResponse":{"id":"j#","name":"g#","response":{}}}`),
		"thoughts carried": asked + `,{"role":"model","parts":[` + repeated(n, `{"text":"thoughts","thought":true}`, false) + `,{"text":"","thoughtSignature":"` + carrier + `"}]}]}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				req, err := gemini.Codec{}.DecodeRequest([]byte(body))
				if err != nil {
					b.Fatal(err)
				}
				send(b, req)
				built := *req
				built.Messages, _ = req.History()
				companion.Change(&built, func(c *companion.Companion) { c.Body = nil })
				send(b, &built)
			}
		})
	}
	b.Run("thoughts of others", func(b *testing.B) {
		var parts []callwright.Part
		for range n {
			parts = append(parts, callwright.Reasoning{Text: strings.Repeat("hm", 20), Signature: "s", Origin: foreign})
		}
		req := built(said(callwright.RoleUser, words("a")), said(callwright.RoleAssistant, parts...))
		for b.Loop() {
			send(b, req)
		}
	})
}

func send(b *testing.B, req *callwright.Request) {
	if _, _, err := (gemini.Codec{}).EncodeRequest(req, "m", caps.Caps{}); err != nil {
		b.Fatal(err)
	}
}

// carrier is a thoughtSignature with state of another wire.
var carrier = "Y2FsbHdyaWdodC52MS5leUozSWpvaVlXNTBhSEp2Y0dsaklpd2ljeUk2SW5NaWZR"
