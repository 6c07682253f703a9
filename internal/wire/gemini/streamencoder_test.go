package gemini_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/sse"
	"github.com/google/go-cmp/cmp"
)

func encodeWith(c wire.Codec, events []callwright.Event) []byte {
	e := c.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
	return e.Encode(nil, callwright.Batch{Events: events, More: true})
}

func encodeAll(events []callwright.Event) []byte { return encodeWith(gemini.Codec{}, events) }

// pieces are the documents of a stream of events.
func pieces(t *testing.T, stream []byte) [][]byte {
	t.Helper()
	r := sse.NewReader(bytes.NewReader(stream))
	var out [][]byte
	for {
		ev, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil || jsonx.Valid(ev.Data) != nil {
			t.Fatalf("expected JSON, got %q (%v)", ev.Data, err)
		}
		out = append(out, bytes.Clone(ev.Data))
	}
}

// piece is a piece with these parts and what else its candidate and itself have.
func piece(parts, candidate, usage string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"}` + candidate + `}],"usageMetadata":{` + usage + `},"modelVersion":"m","responseId":"x"}`
}

var begin = callwright.Begin{ID: "x", Model: "m"}

func TestStreamsOfOtherWires(t *testing.T) {
	const index, last = `,"index":0`, `,"finishReason":"STOP","index":0`
	empty := func(reason string) string {
		return piece(`{"text":""}`, `,"finishReason":"`+reason+`","index":0`, "")
	}
	end := callwright.End{Finish: callwright.FinishStop}
	for name, c := range map[string]struct {
		events []callwright.Event
		want   []string
	}{
		"text": {[]callwright.Event{begin, callwright.TextDelta{Text: "a\n"}, callwright.TextDelta{}, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 3, CacheRead: 1}},
			callwright.TextDelta{Text: "b"}, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Output: 6, Reasoning: 2}}, end},
			[]string{piece(`{"text":"a\n"}`, index, ""), piece(`{"text":"b"}`, index, `"promptTokenCount":3,"candidatesTokenCount":0,"totalTokenCount":3,"cachedContentTokenCount":1`),
				piece(`{"text":""}`, last, `"promptTokenCount":3,"candidatesTokenCount":4,"totalTokenCount":9,"cachedContentTokenCount":1,"thoughtsTokenCount":2`)}},
		"calls in pieces": {[]callwright.Event{begin, callwright.CallBegin{ID: "a", Name: "f"}, callwright.CallDelta{Text: "{\r\n\"x\":"}, callwright.CallDelta{Text: "1}"}, callwright.CallEnd{},
			callwright.CallBegin{Index: 1, ID: "b", Name: "g"}, callwright.CallEnd{Index: 1}, callwright.End{Finish: callwright.FinishCalls}},
			[]string{piece(`{"functionCall":{"id":"a","name":"f","args":{"x":1}}}`, index, ""), piece(`{"functionCall":{"id":"b","name":"g","args":{}}}`, index, ""), empty("STOP")}},
		"judged call": {[]callwright.Event{begin, callwright.CallBegin{ID: "a", Name: "f"}, callwright.CallEnd{Call: &callwright.Call{Arguments: json.RawMessage(`{"x":2}`)}}, callwright.End{Finish: callwright.FinishCalls}},
			[]string{piece(`{"functionCall":{"id":"a","name":"f","args":{"x":2}}}`, index, ""), empty("STOP")}},
		"custom call": {[]callwright.Event{begin, callwright.CallBegin{ID: "a", Name: "f", Type: callwright.CustomTool}, callwright.CallDelta{Text: "*** \""}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}},
			[]string{piece(`{"functionCall":{"id":"a","name":"f","args":{"input":"*** \""}}}`, index, ""), empty("STOP")}},
		"reasoning": {[]callwright.Event{begin, callwright.ReasoningDelta{Text: "hm"}, callwright.ReasoningDelta{}, callwright.ReasoningEnd{Origin: foreign}, callwright.TextDelta{Text: "a"}, callwright.End{Finish: callwright.FinishLength}},
			[]string{piece(`{"text":"hm","thought":true}`, index, ""), piece(`{"text":"a"}`, index, ""), empty("MAX_TOKENS")}},
		"own state": {[]callwright.Event{begin, callwright.ReasoningDelta{Text: "hm"}, callwright.ReasoningEnd{Signature: "AA==", Origin: home}, callwright.TextDelta{Text: "a"}, callwright.ReasoningEnd{Signature: "AQ==", Origin: home}, end},
			[]string{piece(`{"text":"hm","thought":true}`, index, ""), piece(`{"text":"","thoughtSignature":"AA==","thought":true}`, index, ""), piece(`{"text":"a"}`, index, ""), piece(`{"text":"","thoughtSignature":"AQ=="}`, index, ""), empty("STOP")}},
		"filter":               {[]callwright.Event{begin, callwright.End{Finish: callwright.FinishContentFilter}}, []string{empty("SAFETY")}},
		"malformed":            {[]callwright.Event{begin, callwright.End{Finish: callwright.FinishMalformedCall}}, []string{empty("MALFORMED_FUNCTION_CALL")}},
		"error":                {[]callwright.Event{begin, callwright.End{Finish: callwright.FinishError}}, []string{empty("OTHER")}},
		"late text":            {[]callwright.Event{begin, end, callwright.TextDelta{Text: "late"}}, []string{empty("STOP")}},
		"parts of other wires": {[]callwright.Event{begin, callwright.OpaquePart{Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"x":1}`)}}, end}, []string{empty("STOP")}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, v := range pieces(t, encodeAll(c.events)) {
				got = append(got, string(v))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("unexpected pieces (-want +got):\n%s", diff)
			}
			array := encodeWith(gemini.Codec{}.Arrays(), c.events)
			if err := jsonx.Valid(array); err != nil {
				t.Fatalf("%v in %s", err, array)
			}
			var elements []string
			for e := range jsonx.Elements(array) {
				elements = append(elements, string(e))
			}
			if diff := cmp.Diff(c.want, elements); diff != "" {
				t.Errorf("unexpected elements (-want +got):\n%s", diff)
			}
		})
	}
}

// A keep-alive is an empty piece, and white space in an array. There is none after the end.
func TestKeepAlive(t *testing.T) {
	for name, c := range map[string]struct {
		codec wire.Codec
		want  string
	}{
		"events": {gemini.Codec{}, "data: " + piece(``, `,"index":0`, "") + "\n\ndata: " + piece(`{"text":""}`, `,"finishReason":"STOP","index":0`, "") + "\n\n"},
		"array":  {gemini.Codec{Array: true}, "[" + piece(`{"text":""}`, `,"finishReason":"STOP","index":0`, "") + "]"},
	} {
		e := c.codec.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
		out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{begin}, More: true})
		out = e.KeepAlive(out, progress.Snapshot{})
		out = e.Encode(out, callwright.Batch{Notes: []callwright.Note{{}}, Events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}}})
		out = e.KeepAlive(out, progress.Snapshot{})
		out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: "late"}}})
		if c.codec == (gemini.Codec{Array: true}) {
			out = bytes.Join(bytes.Fields(out), nil)
		}
		if diff := cmp.Diff(c.want, string(out)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A batch that asks to send everything adds nothing.
func TestFlush(t *testing.T) {
	e := gemini.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
	out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{begin, callwright.TextDelta{Text: "a\n"}, callwright.TextDelta{}}, More: true})
	if more := e.Encode(nil, callwright.Batch{}); len(more) > 0 || len(out) == 0 {
		t.Errorf("got %q after %q", more, out)
	}
}

func TestFail(t *testing.T) {
	failed := &callwright.Error{Kind: callwright.KindOverloaded, Message: "broken\nin two", Status: 529}
	const want = `{"error":{"code":503,"message":"broken\nin two","status":"UNAVAILABLE","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"overloaded","domain":"callwright"}]}}`
	for name, c := range map[string]struct {
		codec wire.Codec
		said  bool
		want  string
	}{
		"events":        {gemini.Codec{}, true, "data: " + piece(`{"text":"a"}`, `,"index":0`, "") + "\n\ndata: " + want + "\n\n"},
		"array":         {gemini.Codec{Array: true}, true, "[" + piece(`{"text":"a"}`, `,"index":0`, "") + ",\r\n" + want + "]"},
		"array at once": {gemini.Codec{Array: true}, false, "[" + want + "]"},
	} {
		t.Run(name, func(t *testing.T) {
			e := c.codec.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
			var out []byte
			if c.said {
				out = e.Encode(out, callwright.Batch{Events: []callwright.Event{begin, callwright.TextDelta{Text: "a"}}, More: true})
			}
			out = e.Fail(out, failed)
			out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: "b"}}, More: true})
			if diff := cmp.Diff(c.want, string(out)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Pieces of a provider become elements with the bytes they came as.
func TestBatchesAsArray(t *testing.T) {
	const one, two = `{"candidates":[{"content":{"parts":[{"text":"a"}]} }]}`, `{"candidates":[{"finishReason":"STOP"}]}`
	s := wiretest.Decode(gemini.Codec{}, strings.NewReader("data: "+one+"\r\n\r\n: hush\r\n\r\ndata: "+two+"\r\n\r\n"))
	if out := wiretest.EncodeBatches(gemini.Codec{Array: true}, s.Batches); string(out) != "["+one+",\r\n"+two+"]" {
		t.Errorf("got %s", out)
	}
}

func TestPartsThatAnswersLack(t *testing.T) {
	_, notes, err := gemini.Codec{}.EncodeResponse(nil, &callwright.Response{Parts: []callwright.Part{
		callwright.Image{FileID: "x"}, callwright.File{Name: "f"}, callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"type":"x"}`)}}}})
	if diff := cmp.Diff([]string{"response.image", "response.file", "response.opaque"}, rules(notes)); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}
