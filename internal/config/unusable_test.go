package config_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
)

// A model whose key is missing is passed over for its fallback, with a note, whole and streamed; without one left it is unavailable, and
// usable as soon as the key is there.
func TestMissingKeysArePassedOver(t *testing.T) {
	_, url := upstream(t)
	keys := map[string]string{}
	look := func(name string) (string, bool) { v, ok := keys[name]; return v, ok }
	r := registry(t, parse(t, `
providers:
  sim: {}
  lab: {base_url: "`+url+`/v1", api_key: env:LAB}
models:
  fast: {model: groq/x, fallbacks: [openai/y, sim/native]}
  lone: {model: groq/x, fallbacks: [openai/y]}
  late: {model: lab/native}
`), config.WithEnv(look))
	resp := ask(t, r, "fast")
	rep := resp.Report
	if len(rep.Attempts) != 2 || rep.Attempts[0].Kind != callwright.KindAuth || !strings.Contains(rep.Attempts[0].Error, "GROQ_API_KEY") || rep.Attempts[1].Model != "sim/native" {
		t.Errorf("attempts %+v", rep.Attempts)
	}
	if len(rep.Notes) == 0 || rep.Notes[0].Rule != "plan.fallback" {
		t.Errorf("notes %+v", rep.Notes)
	}
	for _, name := range []string{"lone", "groq/x", "late"} {
		client, err := r.Resolve(name)
		if err != nil {
			t.Fatal(err)
		}
		_, whole := client.Generate(t.Context(), weather(name))
		_, streamed := callwright.Collect(client.Stream(t.Context(), weather(name)))
		for _, err := range []error{whole, streamed} {
			if e, ok := errors.AsType[*callwright.Error](err); !ok || e.HTTPStatus() != 401 || e.Report == nil || !strings.Contains(e.Message, "is not set") {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
	keys["LAB"] = "k"
	ask(t, r, "late")
}
