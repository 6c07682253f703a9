package openai_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/progress"
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

// write encodes events without pausing the answer.
func write(e wire.StreamEncoder, events ...callwright.Event) string {
	return string(e.Encode(nil, callwright.Batch{Events: events, More: true}))
}

// Chunks as a provider writes them, with spaces that the encoder does not write.
const (
	sentHead = `data: {"id": "c1","object":"chat.completion.chunk","model":"tern","created":7,"choices":[{"index":0,`
	sentRole = sentHead + `"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n"
	sentText = sentHead + `"delta":{"content":"a"},"finish_reason":null}]}` + "\n\n"
	sentDone = "data: [DONE]\n\n"
)

// sentReason is a chunk of the provider with a finish reason.
func sentReason(reason string) string {
	return sentHead + `"delta":{},"finish_reason": "` + reason + `"}]}` + "\n\n"
}

// sentCall is a chunk of the provider with a whole call.
func sentCall(index, id string) string {
	return sentHead + `"delta":{"tool_calls": [{"id":"` + id + `","index": ` + index + `,"type":"function","function":{"name":"now","arguments":"{}"}}]},"finish_reason":null}]}` + "\n\n"
}

// sent decodes the chunks of a provider.
func sent(chunks ...string) []callwright.Batch {
	return wiretest.Decode(openai.Codec{}, strings.NewReader(strings.Join(chunks, ""))).Batches
}

// encodedOnly returns events as a stage passes them on that changed some: without bytes.
func encodedOnly(events ...callwright.Event) []callwright.Batch {
	return []callwright.Batch{{Events: events, More: true}}
}

// role is the chunk with which an answer begins.
var role = wrote(`{"role":"assistant","content":""}`)

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
	{name: "a call in pieces that come together", events: []callwright.Event{begin, callwright.CallBegin{ID: "k", Name: "now"}, callwright.CallDelta{Text: "{"}, callwright.CallDelta{Text: "}"}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}},
		want: role + wrote(`{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"now","arguments":"{}"}}]}`) + ended("tool_calls")},
	{name: "a held call", events: []callwright.Event{begin, callwright.CallBegin{Index: 1, ID: "k", Name: "now"}, callwright.CallEnd{Index: 1, Call: &callwright.Call{ID: "k", Name: "now", Arguments: json.RawMessage(`{"n":1e400}`)}}, callwright.End{Finish: callwright.FinishCalls}},
		want: role + wrote(`{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"now","arguments":"{\"n\":1e400}"}}]}`) + ended("tool_calls")},
	{name: "a custom call", events: []callwright.Event{begin, callwright.CallBegin{ID: "k", Name: "patch", Type: callwright.CustomTool}, callwright.CallEnd{Call: &callwright.Call{Type: callwright.CustomTool, Input: "x"}}, callwright.End{Finish: callwright.FinishCalls}},
		want: role + wrote(`{"tool_calls":[{"index":0,"id":"k","type":"custom","custom":{"name":"patch","input":"x"}}]}`) + ended("tool_calls")},
	{name: "usage not asked for", events: []callwright.Event{begin, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 3}}, callwright.End{Finish: callwright.FinishLength}},
		want: role + ended("length")},
	{name: "no beginning", events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}, callwright.TextDelta{Text: "late"}}, want: "begins"},
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

// TestEncoderBatches mixes batches that keep their bytes with such as stages make.
func TestEncoderBatches(t *testing.T) {
	const (
		wholeCall  = `{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"now","arguments":"{}"}}]}`
		headOfCall = `{"tool_calls":[{"index":0,"id":"k","type":"function","function":{"name":"now","arguments":""}}]}`
		arguments  = `{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]}`
	)
	text := sent(sentRole, sentText, sentReason("stop"), sentDone)
	calls := sent(sentRole, sentCall("0", "j"), sentCall("1", "k"), sentReason("tool_calls"), sentDone)
	if len(text) != 3 || len(calls) != 4 {
		t.Fatalf("expected a batch for each chunk, and one for the end, got %d and %d", len(text), len(calls))
	}
	second := calls[2] // the end of the first call leads its events
	second.Events = second.Events[1:]
	foreign := callwright.OpaquePart{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{}`)}}
	for name, c := range map[string]struct {
		batches []callwright.Batch
		want    string
	}{
		"parts of others are left out": {[]callwright.Batch{{Events: []callwright.Event{begin, foreign}, More: true}, {},
			{Notes: []callwright.Note{{}}}, {Events: []callwright.Event{callwright.End{Finish: callwright.FinishContentFilter}}}},
			role + ended("content_filter")},
		"passed": {text, sentRole + sentText + sentReason("stop") + sentDone},
		"a text before a batch": {slices.Concat(text[:1], encodedOnly(callwright.TextDelta{Text: "x"}), text[1:2], encodedOnly(callwright.End{Finish: callwright.FinishStop})),
			sentRole + wrote(`{"content":"x"}`) + sentText + ended("stop")},
		"a call before a batch": {slices.Concat(text[:1], encodedOnly(callwright.CallBegin{ID: "k", Name: "now"}, callwright.CallEnd{}), text[1:2], withEnd(text[2], callwright.FinishCalls)),
			sentRole + wrote(wholeCall) + wrote(`{"content":"a"}`) + ended("tool_calls")},
		"a call that flows": {[]callwright.Batch{{Events: []callwright.Event{begin, callwright.CallBegin{ID: "k", Name: "now"}}}, {Events: []callwright.Event{callwright.CallDelta{Text: "{"}, callwright.CallDelta{Text: "}"}}},
			{Events: []callwright.Event{callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}}}}, role + wrote(headOfCall) + wrote(arguments) + ended("tool_calls")},
		"a call after one that was left out": {slices.Concat(calls[:1], []callwright.Batch{second}, calls[3:]),
			sentRole + wrote(wholeCall) + ended("tool_calls")},
		"an end without a reason": {sent(sentRole, sentDone), sentRole + ended("stop")},
		"of another API": {[]callwright.Batch{{Wire: callwright.WireAnthropic, Raw: []byte("event: x\n\n"), Events: []callwright.Event{begin}}, {Events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}}}},
			role + ended("stop")},
	} {
		t.Run(name, func(t *testing.T) {
			e := openai.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
			var out []byte
			for _, b := range c.batches {
				out = e.Encode(out, b)
			}
			if diff := cmp.Diff(c.want, string(out)); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s", diff)
			}
		})
	}
}

// withEnd returns a batch with another finish than its bytes have, so that an encoder that passes them is found out.
func withEnd(b callwright.Batch, finish callwright.Finish) []callwright.Batch {
	b.Events = []callwright.Event{callwright.End{Finish: finish}}
	return []callwright.Batch{b}
}

// TestEncoderKeepAlive writes comments until the answer has ended.
func TestEncoderKeepAlive(t *testing.T) {
	e := openai.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
	out := e.KeepAlive(e.Encode(nil, callwright.Batch{Events: []callwright.Event{begin}, More: true}), progress.Snapshot{})
	out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}}})
	if diff := cmp.Diff(role+": keep-alive\n\n"+ended("stop"), string(e.KeepAlive(out, progress.Snapshot{}))); diff != "" {
		t.Errorf("unexpected bytes (-want +got):\n%s", diff)
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
	if rest := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.End{}}}); len(rest) > 0 {
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
	want := `{"id":"r1","object":"chat.completion","model":"m","system_fingerprint":null,"choices":[{"index":0,"message":{"role":"assistant","content":"One. Two.","reasoning_content":"Hm.","refusal":null,` +
		`"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{\"n\":9007199254740993}"}}]},"finish_reason":"tool_calls","logprobs":null}],` +
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
