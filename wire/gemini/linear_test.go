package gemini_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/wire/gemini"
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

// TestWorkGrowsWithTheSize gives shapes in which each thing could be compared with each other: that would take minutes.
func TestWorkGrowsWithTheSize(t *testing.T) {
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
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			req, err := gemini.Codec{}.DecodeRequest([]byte(body))
			if err != nil {
				t.Fatal(err)
			}
			encoded(t, req, caps.Caps{})
			built := *req
			built.Messages, _ = req.History()
			built.Body = nil
			encoded(t, &built, caps.Caps{})
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("expected a part of a second for %d bytes, took %s", len(body), took)
			}
		})
	}
	t.Run("thoughts of others", func(t *testing.T) {
		var parts []callwright.Part
		for range n {
			parts = append(parts, callwright.Reasoning{Text: strings.Repeat("hm", 20), Signature: "s", Origin: foreign})
		}
		began := time.Now()
		encoded(t, built(said(callwright.RoleUser, words("a")), said(callwright.RoleAssistant, parts...)), caps.Caps{})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("expected a part of a second, took %s", took)
		}
	})
}

// carrier is a thoughtSignature with state of another wire.
var carrier = "Y2FsbHdyaWdodC52MS5leUozSWpvaVlXNTBhSEp2Y0dsaklpd2ljeUk2SW5NaWZR"
