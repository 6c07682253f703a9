package reliable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// sentences are texts of which none is the beginning of another.
var sentences = []string{"Let me check. ", "One moment, ", "I look again:\n", "It is 21 degrees.", "Sorry. "}

// wrongCalls are calls of which each is corrected.
var wrongCalls = map[string][]callwright.Event{
	"undeclared":  {callwright.CallBegin{ID: "c", Name: "nope"}, callwright.CallDelta{Text: `{}`}, callwright.CallEnd{}},
	"invalid":     {callwright.CallBegin{ID: "c", Name: "get_weather"}, callwright.CallDelta{Text: `{"town":"Oslo"}`}, callwright.CallEnd{}},
	"in the text": {callwright.TextDelta{Text: `<tool_call>{"name":"get_weather","arguments":{"town":"Oslo"}}</tool_call>`}},
}

// TestLaterTextFollows: a client of a stream has the text of each attempt, each once and in order, and the usage of all of them.
func TestLaterTextFollows(t *testing.T) {
	kinds := []string{"undeclared", "invalid", "in the text"}
	rapid.Check(t, func(t *rapid.T) {
		stream := rapid.SampledFrom([]callwright.StreamCalls{callwright.StreamHeld, callwright.StreamAuto, callwright.StreamFlowing}).Draw(t, "stream_calls")
		kinds := kinds
		if stream == callwright.StreamFlowing { // an invalid call of which a part was sent ends the stream
			kinds = kinds[:1]
		}
		attempts := rapid.IntRange(1, 3).Draw(t, "attempts")
		var answers []any
		var want []string
		output := 0
		for i := range attempts {
			last := i == attempts-1
			said := rapid.SampledFrom(append([]string{""}, sentences...)).Draw(t, "text")
			if last && said == "" {
				said = sentences[0]
			}
			events := []callwright.Event{callwright.Begin{}}
			if rapid.Bool().Draw(t, "reasoning") {
				events = append(events, callwright.ReasoningDelta{Text: "Hm."}, callwright.ReasoningEnd{})
			}
			if said != "" {
				events = append(events, callwright.TextDelta{Text: said})
			}
			if !last {
				events = append(events, wrongCalls[rapid.SampledFrom(kinds).Draw(t, "call")]...)
			}
			events = append(events, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 10, Output: i + 1}}, callwright.End{Finish: callwright.FinishStop})
			output += i + 1
			if said = strings.TrimSpace(said); said != "" && !slices.Contains(want, said) {
				want = append(want, said)
			}
			answers = append(answers, cutAnywhere(t, events))
		}
		mode := rapid.SampledFrom([]caps.Mode{caps.Native, caps.Native, caps.Text}).Draw(t, "mode")
		client := reliable.New(&scripted{name: "lab/m", answers: answers}, reliable.WithStreamCalls(stream), reliable.WithModes(mode), reliable.WithOneMode())
		got, err := callwright.Collect(client.Stream(t.Context(), ask(callwright.Choice{})))
		if err != nil {
			t.Fatalf("%+v: %v", answers, err)
		}
		var have []string
		for line := range strings.Lines(got.Text()) {
			if line = strings.TrimSpace(line); line != "" {
				have = append(have, line)
			}
		}
		if fmt.Sprint(have) != fmt.Sprint(want) {
			t.Fatalf("%+v\n got %q\nwant %q", answers, have, want)
		}
		if got.Usage.Input != 10*attempts || got.Usage.Output != output || len(got.Report.Attempts) != attempts {
			t.Fatalf("%+v: %+v after %d attempts, want %d input and %d output tokens after %d", answers, got.Usage, len(got.Report.Attempts), 10*attempts, output, attempts)
		}
	})
}
