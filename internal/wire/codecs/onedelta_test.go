package codecs_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// pieceOfCall marks a piece of a call in the streams of each API.
var pieceOfCall = map[callwright.WireName]string{
	callwright.WireOpenAI: `"tool_calls":[`, callwright.WireResponses: `"type":"response.function_call_arguments.delta"`,
	callwright.WireAnthropic: `"input_json_delta"`, callwright.WireGemini: `"functionCall":`, callwright.WireOllama: `"tool_calls":[`,
}

// A call that is known as a whole is one piece in every API, whether its events come together or in batches that follow at once; one of
// which a client waits for more is sent as far as it came.
func TestWholeCallIsOnePiece(t *testing.T) {
	begin, end := callwright.CallBegin{ID: "a", Name: "f"}, callwright.CallEnd{}
	pieces := []callwright.Event{begin, callwright.CallDelta{Text: `{"n`}, callwright.CallDelta{Text: `":1`}, callwright.CallDelta{Text: `}`}, end}
	judged := callwright.CallEnd{Call: &callwright.Call{ID: "a", Name: "f", Arguments: []byte(`{"n":1}`)}}
	forms := map[string][]callwright.Event{
		"in one piece": {begin, callwright.CallDelta{Text: `{"n":1}`}, end}, "in pieces": pieces,
		"by its end": {begin, judged}, "by its end too": append(slices.Clone(pieces[:4]), judged), "without arguments": {begin, callwright.CallDelta{}, callwright.CallEnd{Call: &callwright.Call{ID: "a", Name: "f"}}},
	}
	for _, c := range codecs.All() {
		for form, events := range forms {
			all := slices.Concat([]callwright.Event{callwright.Begin{ID: "x", Model: "m"}, callwright.TextDelta{Text: "Hi"}}, events, []callwright.Event{callwright.End{Finish: callwright.FinishCalls}})
			for name, batches := range map[string][]callwright.Batch{"together": {{Events: all}}, "at once": batchEach(all, true), "flowing": batchEach(all, false)} {
				e := c.NewStreamEncoder(&callwright.Request{Model: "m"})
				var out []byte
				for _, b := range batches {
					out = e.Encode(out, b)
				}
				n := bytes.Count(out, []byte(pieceOfCall[c.Name()]))
				if name != "flowing" && n != 1 || n == 0 {
					t.Errorf("%s, %s, %s: %d pieces\n%s", c.Name(), form, name, n, out)
				}
				if c.Name() == callwright.WireOpenAI && name != "flowing" && !hasOneLine(string(out), `"id":"a"`, `"name":"f"`, `"arguments":"{`) {
					t.Errorf("%s, %s: %s", form, name, out)
				}
				got, _ := collectedOf(wiretest.Decode(c, bytes.NewReader(out)))
				if read := got.Calls(); len(read) != 1 || read[0].ID != "a" && c.Name() != callwright.WireGemini {
					t.Errorf("%s, %s, %s: %v", c.Name(), form, name, read)
				}
			}
		}
	}
}

// batchEach has each event in a batch of its own.
func batchEach(events []callwright.Event, more bool) (out []callwright.Batch) {
	for i := range events {
		out = append(out, callwright.Batch{Events: events[i : i+1], More: more})
	}
	return out
}

// hasOneLine reports whether a line has all of the words.
func hasOneLine(text string, words ...string) bool {
	for line := range strings.Lines(text) {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) }) {
			return true
		}
	}
	return false
}

// An error, or a sign of life, comes behind what is known of a call.
func TestNothingOfACallIsOvertaken(t *testing.T) {
	for _, c := range codecs.All() {
		if c.Name() == callwright.WireGemini || c.Name() == callwright.WireOllama { // they have whole calls alone
			continue
		}
		for _, name := range []string{"Fail", "KeepAlive"} {
			e := c.NewStreamEncoder(&callwright.Request{Model: "m"})
			out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{ID: "x", Model: "m"}, callwright.CallBegin{ID: "a", Name: "f"}, callwright.CallDelta{Text: `{"nnn":`}}, More: true})
			if name == "Fail" {
				out = e.Fail(out, callwright.Errorf("test", callwright.KindBadAnswer, "", "odd"))
			} else {
				out = e.KeepAlive(out, progress.Snapshot{})
			}
			if !bytes.Contains(out, []byte(`nnn`)) {
				t.Error(fmt.Sprint(c.Name(), ", ", name, ": "), string(out))
			}
		}
	}
}
