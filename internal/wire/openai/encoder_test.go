package openai_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/google/go-cmp/cmp"
)

const head = `data: {"id":"c1","object":"chat.completion.chunk","model":"tern","created":7,`

// begin is an answer's beginning with a creation time that tests can name.
var begin = callwright.Begin{ID: "c1", Model: "tern", Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(`{"created":7}`)}}

// wrote is a chunk with the delta.
func wrote(delta string) string {
	return head + `"choices":[{"index":0,"delta":` + delta + `,"finish_reason":null}]}` + "\n\n"
}

func ended(reason string) string {
	return head + `"choices":[{"index":0,"delta":{},"finish_reason":"` + reason + `"}]}` + "\n\ndata: [DONE]\n\n"
}

func write(e wire.StreamEncoder, events ...callwright.Event) string {
	var out []byte
	for _, ev := range events {
		out = e.Encode(out, ev)
	}
	return string(out)
}

// What the cases of TestEncoder are made of.
var (
	role  = wrote(`{"role":"assistant","content":""}`)
	frame = func(s string, n int) callwright.Frame {
		return callwright.Frame{Wire: callwright.WireOpenAI, Bytes: []byte(s), Events: n}
	}
)

// encoderCases are those of TestEncoder.
var encoderCases = []struct {
	name   string
	usage  bool
	events []callwright.Event
	want   string
}{
	{name: "text", events: []callwright.Event{begin, callwright.TextDelta{Text: "a<b>"}, callwright.TextDelta{}, callwright.End{Finish: callwright.FinishStop}},
		want: role + wrote(`{"content":"a<b>"}`) + ended("stop")},
	{name: "a refusal and a text", events: []callwright.Event{begin,
		callwright.TextBegin{Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: json.RawMessage(`{"type":"refusal"}`)}},
		callwright.TextDelta{Text: "No"}, callwright.TextBegin{}, callwright.TextDelta{Text: "a"}, callwright.End{Finish: callwright.FinishStop}},
		want: role + wrote(`{"refusal":"No"}`) + wrote(`{"content":"a"}`) + ended("stop")},
	{name: "reasoning", events: []callwright.Event{begin, callwright.ReasoningDelta{Text: "h"}, callwright.ReasoningEnd{Signature: "s"}, callwright.End{Finish: callwright.FinishOther}},
		want: role + wrote(`{"reasoning_content":"h"}`) + ended("stop")},
	{name: "a flowing call", events: []callwright.Event{begin, callwright.CallBegin{ID: "k", Name: "now"}, callwright.CallDelta{Text: "{"}, callwright.CallDelta{Text: "}"}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}},
		want: role + wrote(`{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"now","arguments":""}}]}`) +
			wrote(`{"tool_calls":[{"index":0,"function":{"arguments":"{"}}]}`) + wrote(`{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}`) + ended("tool_calls")},
	{name: "a held call", events: []callwright.Event{begin, callwright.CallBegin{Index: 1, ID: "k", Name: "now"}, callwright.CallEnd{Index: 1, Call: &callwright.Call{ID: "k", Name: "now", Arguments: json.RawMessage(`{"n":1e400}`)}}, callwright.End{Finish: callwright.FinishCalls}},
		want: role + wrote(`{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"now","arguments":""}}]}`) +
			wrote(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"n\":1e400}"}}]}`) + ended("tool_calls")},
	{name: "a custom call", events: []callwright.Event{begin, callwright.CallBegin{ID: "k", Name: "patch", Type: callwright.CustomTool}, callwright.CallEnd{Call: &callwright.Call{Type: callwright.CustomTool, Input: "x"}}, callwright.End{Finish: callwright.FinishCalls}},
		want: role + wrote(`{"tool_calls":[{"index":0,"id":"k","type":"custom","custom":{"name":"patch","input":""}}]}`) +
			wrote(`{"tool_calls":[{"index":0,"custom":{"input":"x"}}]}`) + ended("tool_calls")},
	{name: "usage not asked for", events: []callwright.Event{begin, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 3}}, callwright.End{Finish: callwright.FinishLength}},
		want: role + ended("length")},
	{name: "what others mean is left out", events: []callwright.Event{begin, callwright.OpaquePart{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{}`)}}, callwright.Flush{}, callwright.Noted{}, callwright.End{Finish: callwright.FinishContentFilter}},
		want: role + ended("content_filter")},
	{name: "keep-alive", events: []callwright.Event{begin, callwright.KeepAlive{}, callwright.End{Finish: callwright.FinishStop}},
		want: role + ": keep-alive\n\n" + ended("stop")},
	{name: "no beginning", events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}, callwright.TextDelta{Text: "late"}}, want: "begins"},
	{name: "frames", events: []callwright.Event{frame("data: B\n\n", 1), begin, frame("data: T\n\n", 1), callwright.TextDelta{Text: "a"}, frame(`data: {"choices":[{"finish_reason": "stop"}]}`, 0), frame("data: [DONE]\n\n", 1), callwright.End{}},
		want: "data: B\n\ndata: T\n\n" + `data: {"choices":[{"finish_reason": "stop"}]}` + "data: [DONE]\n\n"},
	{name: "a text in place of a frame", events: []callwright.Event{frame("data: B\n\n", 1), begin, callwright.TextDelta{Text: "x"}, frame("data: T\n\n", 1), callwright.TextDelta{Text: "a"}, callwright.End{Finish: callwright.FinishStop}},
		want: "data: B\n\n" + wrote(`{"content":"x"}`) + "data: T\n\n" + ended("stop")},
	{name: "a call in place of a frame", events: []callwright.Event{frame("data: B\n\n", 1), begin, callwright.CallBegin{ID: "k", Name: "now"}, callwright.CallEnd{}, frame("data: T\n\n", 1), callwright.TextDelta{Text: "a"},
		frame(`data: {"finish_reason":"stop"}`, 0), frame("data: [DONE]\n\n", 1), callwright.End{Finish: callwright.FinishCalls}},
		want: "data: B\n\n" + wrote(`{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"now","arguments":""}}]}`) +
			wrote(`{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}`) + wrote(`{"content":"a"}`) + ended("tool_calls")},
	{name: "a frame of a call behind one that was left out", events: []callwright.Event{frame("data: B\n\n", 1), begin,
		frame(`data: {"choices":[{"delta":{"tool_calls": [{"id":"k","index": 1}]}}]}`, 2), callwright.CallBegin{Index: 1, ID: "k", Name: "now"}, callwright.CallDelta{Index: 1, Text: "{}"},
		frame("data: E\n\n", 1), callwright.CallEnd{Index: 1}, frame("data: [DONE]\n\n", 1), callwright.End{Finish: callwright.FinishCalls}},
		want: "data: B\n\n" + wrote(`{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"now","arguments":""}}]}`) +
			wrote(`{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}`) + ended("tool_calls")},
	{name: "a reason that was dropped", events: []callwright.Event{frame("data: B\n\n", 1), begin, frame("data: [DONE]\n\n", 1), callwright.End{Finish: callwright.FinishStop}},
		want: "data: B\n\n" + ended("stop")},
	{name: "frames of another wire", events: []callwright.Event{callwright.Frame{Wire: callwright.WireAnthropic, Bytes: []byte("event: x\n\n"), Events: 1}, begin, callwright.End{Finish: callwright.FinishStop}},
		want: role + ended("stop")},
}

func TestEncoder(t *testing.T) {
	for _, c := range encoderCases {
		t.Run(c.name, func(t *testing.T) {
			e := openai.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern", Params: callwright.Params{StreamUsage: c.usage}})
			got := write(e, c.events...)
			if c.want == "begins" {
				if strings.Contains(got, "late") || !strings.Contains(got, `"model":"tern"`) || !strings.HasSuffix(got, "data: [DONE]\n\n") {
					t.Errorf("expected an answer that ends, got %s", got)
				}
				return
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestEncoderUsage asks for usage: it comes in a chunk of its own, without choices, before the end.
func TestEncoderUsage(t *testing.T) {
	e := openai.Codec{}.NewStreamEncoder(&callwright.Request{Params: callwright.Params{StreamUsage: true}})
	got := write(e, begin, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 5, Output: 1}},
		callwright.UsageDelta{Usage: callwright.Usage{Known: true, Output: 3, CacheRead: 2}}, callwright.End{Finish: callwright.FinishStop})
	want := `"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":3,"total_tokens":8,"prompt_tokens_details":{"cached_tokens":2},"completion_tokens_details":{"reasoning_tokens":0}}}` + "\n\ndata: [DONE]\n\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("expected the end\n%s\ngot\n%s", want, got)
	}
}

// TestEncoderFails ends a stream with an error, which the decoder reads as it was.
func TestEncoderFails(t *testing.T) {
	e := openai.Codec{}.NewStreamEncoder(&callwright.Request{})
	out := e.Fail([]byte(write(e, begin, callwright.TextDelta{Text: "a"})), &callwright.Error{Kind: callwright.KindInvalidCall, Message: "no valid call"})
	if bytes.Contains(out, []byte("[DONE]")) {
		t.Errorf("expected no [DONE] after an error, got %s", out)
	}
	s := wiretest.Decode(openai.Codec{}, bytes.NewReader(out))
	if callwright.KindOf(s.Err) != callwright.KindInvalidCall {
		t.Errorf("expected kind %s, got %v", callwright.KindInvalidCall, s.Err)
	}
	if rest := e.Encode(nil, callwright.End{}); len(rest) > 0 {
		t.Errorf("expected nothing after an error, got %s", rest)
	}
}

func TestEncodeError(t *testing.T) {
	status, header, body := openai.Codec{}.EncodeError(&callwright.Error{Kind: callwright.KindInvalid, Path: "/messages/0", Message: "expected x"})
	want := `{"error":{"message":"expected x","type":"invalid_request_error","param":"/messages/0","code":"invalid_request"}}`
	if status != 400 || string(body) != want || header.Get("x-should-retry") != "false" {
		t.Errorf("expected 400 %s, got %d %v %s", want, status, header, body)
	}
	if status, _, _ = (openai.Codec{}).EncodeError(&callwright.Error{Kind: callwright.KindOverloaded, Status: 529}); status != 503 {
		t.Errorf("expected 503 for 529, got %d", status)
	}
}

// TestEncodeResponse writes an answer that came over another wire.
func TestEncodeResponse(t *testing.T) {
	out, notes, err := openai.Codec{}.EncodeResponse(nil, &callwright.Response{ID: "r1", Model: "m", Finish: callwright.FinishCalls,
		Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(`{"created":7}`)},
		Parts: []callwright.Part{callwright.Reasoning{Text: "Hm.", Signature: "c2ln", Origin: foreign}, text("One. "), text("Two."), call("a"),
			callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"type":"x"}`)}}},
		Usage: callwright.Usage{Known: true, Input: 1, Output: 2}})
	want := `{"id":"r1","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"One. Two.","reasoning_content":"Hm.","refusal":null,` +
		`"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{\"n\":9007199254740993}"}}]},"finish_reason":"tool_calls"}],` +
		`"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":{"reasoning_tokens":0}},"created":7}`
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("unexpected bytes (-want +got):\n%s", diff)
	}
	if len(notes) != 1 || notes[0].Rule != "response.opaque" {
		t.Errorf("expected one note on the foreign part, got %v", notes)
	}
}

// A refusal that streams is a text of its own, which says what it is.
func TestStreamedRefusal(t *testing.T) {
	const stream = `data: {"id":"c1","choices":[{"index":0,"delta":{"refusal":"I "}}]}` + "\n\n" + `data: {"id":"c1","choices":[{"index":0,"delta":{"refusal":"can't"}}]}` + "\n\n" +
		`data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	var all callwright.Collector
	for _, ev := range wiretest.Decode(openai.Codec{}, strings.NewReader(stream)).Events {
		all.Add(ev)
	}
	want := []callwright.Part{callwright.Text{Text: "I can't", Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(`{"type":"refusal"}`)}}}
	if d := cmp.Diff(want, all.Response().Parts); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
