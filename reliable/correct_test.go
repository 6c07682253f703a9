package reliable_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

func TestCorrectionCarriesViolations(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{badCall, goodCall}}
	if _, err := reliable.New(m).Generate(t.Context(), ask(callwright.Choice{})); err != nil {
		t.Fatal(err)
	}
	msgs, err := m.asked[1].History()
	if err != nil {
		t.Fatal(err)
	}
	last := msgs[len(msgs)-1]
	res, ok := last.Parts[0].(callwright.Result)
	if !ok || !res.IsError {
		t.Fatalf("expected a failed result, got %#v", last.Parts[0])
	}
	said := callwright.TextOf(res.Parts)
	for _, word := range []string{"city", "town"} {
		if !strings.Contains(said, word) {
			t.Errorf("the correction does not name %q: %s", word, said)
		}
	}
	if call := callwright.CallsOf(msgs[len(msgs)-2].Parts); len(call) != 1 || call[0].ID != res.CallID {
		t.Errorf("the result answers %q, the calls are %v", res.CallID, call)
	}
}

// A call that came to nothing is asked for again in words that say what can be done.
func TestBotchedCallIsAskedForAgain(t *testing.T) {
	botched := []callwright.Event{callwright.Begin{}, callwright.End{Finish: callwright.FinishMalformedCall}}
	for name, c := range map[string]struct {
		tools []callwright.Tool
		want  string
	}{
		"with tools": {weather, "Your tool call could not be read. Write the call again, or answer in text."},
		"without":    {nil, "There is no tool to call. Answer in text."},
	} {
		t.Run(name, func(t *testing.T) {
			m := &scripted{name: "lab/m", answers: []any{botched, text("Cold.")}}
			req := ask(callwright.Choice{})
			req.Tools = c.tools
			resp, err := reliable.New(m).Generate(t.Context(), req)
			if d := cmp.Diff([]string{"text Cold.", "finish stop"}, outcome(resp, err)); d != "" {
				t.Fatalf("(-want +got)\n%s", d)
			}
			if d := cmp.Diff([]string{asked, "assistant (no answer)", "user " + c.want}, sent(t, m.asked[1])[:3]); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestPausedAnswerReturnsUnchanged(t *testing.T) {
	own := callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"type":"server_tool_use","id":"s1"}`)}
	m := &scripted{name: "lab/m", answers: []any{[]callwright.Event{
		callwright.Begin{}, callwright.ReasoningDelta{Text: "hm"}, callwright.ReasoningEnd{Signature: "c2ln"}, callwright.TextDelta{Text: "Searching."},
		callwright.OpaquePart{Extra: own}, callwright.End{Finish: callwright.FinishPause},
	}, text("Done.")}}
	if _, err := reliable.New(m).Generate(t.Context(), ask(callwright.Choice{})); err != nil {
		t.Fatal(err)
	}
	msgs, err := m.asked[1].History()
	if err != nil {
		t.Fatal(err)
	}
	want := []callwright.Part{callwright.Reasoning{Text: "hm", Signature: "c2ln", Origin: callwright.Origin{Model: "lab/m"}}, callwright.Text{Text: "Searching."}, callwright.Opaque{Extra: own}}
	if last := msgs[len(msgs)-1]; last.Role != callwright.RoleAssistant || cmp.Diff(want, last.Parts) != "" {
		t.Errorf("unexpected turn (-want +got):\n%s", cmp.Diff(want, last.Parts))
	}
}
