package gemini_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/sse"
)

// A call in pieces that nothing closes stays open, so that nobody takes it for a whole one.
func TestPartialCallThatWasCut(t *testing.T) {
	const stream = `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","id":"1","willContinue":true}}]}}]}

data: {"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":[{"jsonPath":"$.a","stringValue":"x","willContinue":true},{"jsonPath":"a","stringValue":"bad"},{"jsonPath":"$.l[99999999]","stringValue":"bad"},{"jsonPath":"$..a","boolValue":true}],"willContinue":true}}]}}]}

data: {"candidates":[{"finishReason":"MAX_TOKENS"}]}

`
	s := wiretest.Decode(gemini.Codec{}, strings.NewReader(stream))
	const want = "begin\ncall 0 id=\"1\" name=\"f\" args=\"{\\\"a\\\":\\\"x\\\"\"\nend length extra={\"candidate\":{\"finishReason\":\"MAX_TOKENS\"}}\n"
	if s.Dump() != want {
		t.Errorf("expected\n%s\ngot\n%s", want, s.Dump())
	}
}

// A value that finds no place leaves the arguments open too: no call is completed with a hole in it.
func TestPartialCallWithALostValue(t *testing.T) {
	for args, want := range map[string]string{
		`{"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"$.b[99999999]","numberValue":1}`: `{\"a\":\"x\"`,
		`{"jsonPath":"$.a","stringValue":"x"},{"jsonPath":"b","boolValue":false}`:           `{\"a\":\"x\"`,
		`{"jsonPath":"$.a","stringValue":"x"},{},{"jsonPath":"b"}`:                          `{\"a\":\"x\"}`,
	} {
		stream := `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","id":"1","partialArgs":[` + args + `]}}]},"finishReason":"STOP"}]}` + "\n\n"
		if got := wiretest.Decode(gemini.Codec{}, strings.NewReader(stream)).Dump(); !strings.Contains(got, ` args="`+want+"\"\n") {
			t.Errorf("%s: expected %s, got\n%s", args, want, got)
		}
	}
}

// A provider that finishes and goes on with comments for ever does not fill the memory.
func TestCommentsAfterTheFinish(t *testing.T) {
	d := gemini.Codec{}.NewStreamDecoder()
	data := []byte(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"STOP"}]}`)
	feed := func(ev sse.Event) {
		if b, err := d.Feed(ev); b.Raw != nil || len(b.Events)+len(b.Notes) > 0 || err != nil {
			t.Fatalf("got %v, %v", b, err)
		}
	}
	feed(sse.Event{Data: data, Raw: data})
	comment := []byte(": " + strings.Repeat("x", 1<<20) + "\n\n")
	for range 40 {
		feed(sse.Event{Raw: comment})
	}
	b, err := d.Close()
	if err != nil || len(b.Raw) < 1<<20 || len(b.Raw) > 32<<20 {
		t.Errorf("got a batch of %d bytes, %v", len(b.Raw), err)
	}
}

// A call that was cut is not given to clients without its arguments.
func TestCutCallsAreNotWritten(t *testing.T) {
	out := encodeAll([]callwright.Event{begin, callwright.CallBegin{ID: "a", Name: "f"}, callwright.CallDelta{Text: `{"x":`}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishLength}})
	if strings.Contains(string(out), "functionCall") {
		t.Errorf("got %s", out)
	}
	whole, notes, err := gemini.Codec{}.EncodeResponse(nil, &callwright.Response{Parts: []callwright.Part{callwright.Call{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":`)}}})
	if err != nil || strings.Contains(string(whole), "functionCall") || len(notes) != 1 || notes[0].Rule != "response.call" {
		t.Errorf("got %s with %v (%v)", whole, notes, err)
	}
}
