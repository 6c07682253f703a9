package agent_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// What is cut out of the middle leaves whole characters.
func TestCutsWholeCharacters(t *testing.T) {
	for most := 2; most < 60; most++ {
		run := func(context.Context, json.RawMessage) (agent.Output, error) {
			return agent.Output{Data: json.RawMessage(`"` + strings.Repeat("ä€😀", 20) + `"`)}, nil
		}
		a := agent.New(&script{answers: []any{calls("cut", `{}`), "Done."}}, agent.Tools(agent.Tool{Name: "cut", Run: run}), agent.WithMaxOutput(most), agent.WithCutOutput())
		res, err := a.Run(t.Context(), callwright.UserText("Go."))
		if err != nil || strings.Contains(results(res.Messages)[0], "\ufffd") {
			t.Fatalf("%d: %v, %q", most, err, results(res.Messages))
		}
	}
}

// The text beside the data of an output has the same bound, and is cut where that is.
func TestCutsParts(t *testing.T) {
	long := strings.Repeat("ä€", 1000)
	run := func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Parts: []callwright.Part{callwright.Text{Text: long}, callwright.File{Name: "f", Text: long}, callwright.Image{MediaType: "image/png", Data: long}, callwright.Text{Text: "end"}}}, nil
	}
	a := agent.New(&script{answers: []any{calls("read", `{}`), "Done."}}, agent.Tools(agent.Tool{Name: "read", Run: run}), agent.WithMaxOutput(300), agent.WithCutOutput())
	res, err := a.Run(t.Context(), callwright.UserText("Go."))
	if err != nil {
		t.Fatal(err)
	}
	parts := res.Messages[2].Parts[0].(callwright.Result).Parts
	for i, text := range map[int]string{1: parts[1].(callwright.Text).Text, 2: parts[2].(callwright.File).Text} {
		if len(text) > 150 || !strings.Contains(text, "bytes are missing") || !utf8.ValidString(text) {
			t.Errorf("part %d is %q", i, text)
		}
	}
	if parts[3].(callwright.Image).Data != long || parts[4].(callwright.Text).Text != "end" {
		t.Error("an image or a short text was cut")
	}
}

// Images of a tool stand beside its envelope.
func TestImagesOfTools(t *testing.T) {
	picture := callwright.Image{MediaType: "image/png", Data: "iVBORw0KGgo"}
	shot := agent.Tool{Name: "shot", Run: func(context.Context, json.RawMessage) (agent.Output, error) {
		return agent.Output{Parts: []callwright.Part{picture}, Warnings: []string{"dark"}}, nil
	}}
	m := &script{answers: []any{calls("shot", ``), "A dog."}}
	if _, err := agent.New(m, agent.Tools(shot)).Run(t.Context(), callwright.UserText("Look.")); err != nil {
		t.Fatal(err)
	}
	last := m.asked[1].Messages
	want := []callwright.Part{callwright.Result{CallID: "c0", Name: "shot", Parts: []callwright.Part{callwright.Text{Text: `{"ok":true,"data":null,"warnings":["dark"],"errors":[]}`}, picture}}}
	if d := cmp.Diff(want, last[len(last)-1].Parts); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
