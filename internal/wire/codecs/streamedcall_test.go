package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// streamOfWhole is a whole answer of one wire as a stream of the same.
func streamOfWhole(t *testing.T, name callwright.WireName, body string) string {
	t.Helper()
	resp, err := codecOf(t, name).DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	resp.Raw = nil
	e := codecOf(t, name).NewStreamEncoder(&callwright.Request{Model: "m"})
	out := e.Encode(nil, callwright.Batch{Events: resp.Events(), More: true})
	return string(out)
}

// Calls of whole answers that some servers number are numbered once in a stream, by their places.
func TestStreamedCallsAreNumberedOnce(t *testing.T) {
	out := streamOfWhole(t, callwright.WireOpenAI, `{"id":"a","model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":null,"tool_calls":[`+
		`{"index":0,"id":"x","type":"function","odd":1,"function":{"name":"f","arguments":"{}"}},{"index":0,"id":"y","type":"function","odd":2,"function":{"name":"f","arguments":"{}"}}]}}]}`)
	heads := 0
	for line := range strings.Lines(out) {
		chunk := []byte(strings.TrimPrefix(line, "data: "))
		if !jsonx.IsObject(chunk) {
			continue
		}
		choices, _ := jsonx.Find(chunk, "choices")
		calls, _ := jsonx.Lookup(jsonx.First(choices), "delta", "tool_calls")
		for k, v := range jsonx.Members(jsonx.First(calls)) {
			if want := []string{"0", "1"}; k.Is("index") && (heads >= len(want) || string(v) != want[heads]) {
				t.Errorf("piece %d: got the index %s", heads, v)
			}
			if k.Is("index") {
				heads++
			}
		}
	}
	if heads != 2 || !strings.Contains(out, `"odd":1`) || !strings.Contains(out, `"odd":2`) {
		t.Errorf("expected two calls of one piece with their members, got %s", out)
	}
}

// A call of a whole answer begins as one that is in progress when it is streamed.
func TestStreamedCallsBeginInProgress(t *testing.T) {
	out := streamOfWhole(t, callwright.WireResponses, `{"id":"r","object":"response","status":"completed","model":"m","output":[{"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{}","status":"completed","odd":1}]}`)
	const added, done = `"output_index":0,"item":{"id":"fc","type":"function_call","status":"in_progress",`, `"output_index":0,"item":{"id":"fc","type":"function_call","status":"completed",`
	if strings.Count(out, added) != 1 || strings.Count(out, done) != 1 {
		t.Errorf("expected the call in progress and then completed, got %s", out)
	}
}
