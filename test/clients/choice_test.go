package clients_test

import (
	"strings"
	"testing"
)

// What a client demands of a model that would do otherwise: a call where it was only greeted, and none where it would
// call.
var choices = []struct {
	name, choice, prompt string
	calls                int
}{
	{"required", "required", "Hello!", 1},
	{"named", "named", "Hello!", 1},
	{"none", "none", "What is the weather in Oslo?", 0},
}

func TestToolChoice(t *testing.T) {
	l := newLab(t)
	var checks []check
	calls := map[string]int{}
	for _, sdk := range sdks {
		if sdk == "ollama" {
			continue // its API has no tool choice
		}
		for _, up := range upstreams {
			for _, c := range choices {
				for _, form := range forms {
					name := strings.ReplaceAll(strings.Join([]string{sdk, up.name, c.name, form.name}, "/"), " ", "_")
					checks = append(checks, check{Name: name, SDK: sdk, Base: l.url, Key: "any", Stream: form.stream, Prompt: c.prompt,
						Model: up.wire + "/" + strings.ReplaceAll(name, "/", ".") + "/" + up.model, Choice: c.choice, Once: true})
					calls[name] = c.calls
				}
			}
		}
	}
	got := drive(t, checks)
	for _, c := range checks {
		t.Run(c.Name, func(t *testing.T) { compareChoice(t, c.SDK, calls[c.Name], got[c.Name]) })
	}
}

func compareChoice(t *testing.T, sdk string, calls int, got outcome) {
	if got.Error != nil {
		t.Fatalf("%+v", *got.Error)
	}
	first := got.Rounds[0][0]
	if len(first.Calls) != calls {
		t.Fatalf("want %d calls, got %+v", calls, first)
	}
	for _, c := range first.Calls {
		cityOf(t, c.Name, c.Arguments)
	}
	want := endedTalking[sdk]
	if calls > 0 {
		want = endedCalling[sdk]
	}
	if first.Finish != want {
		t.Errorf("want finish %q, got %q", want, first.Finish)
	}
	if calls == 0 && (first.Text == "" || strings.ContainsAny(first.Text, "<{`")) {
		t.Errorf("want text, got %q", first.Text)
	}
}
