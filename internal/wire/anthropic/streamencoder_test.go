package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/google/go-cmp/cmp"
)

const (
	startOf  = `message_start {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":IN,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}}`
	endOf    = `message_delta {"type":"message_delta","delta":{"stop_reason":"STOP","stop_sequence":null},"usage":{"input_tokens":IN,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":OUT}}`
	stopped  = `message_stop {"type":"message_stop"}`
	pinged   = `ping {"type":"ping"}`
	textOpen = `{"type":"text","text":""}`
)

func started(in string) string { return strings.ReplaceAll(startOf, "IN", in) }
func ended(stop, in, out string) string {
	return strings.NewReplacer("STOP", stop, "IN", in, "OUT", out).Replace(endOf)
}
func blockStart(n, block string) string {
	return `content_block_start {"type":"content_block_start","index":` + n + `,"content_block":` + block + `}`
}
func blockDelta(n, delta string) string {
	return `content_block_delta {"type":"content_block_delta","index":` + n + `,"delta":` + delta + `}`
}
func blockStop(n string) string {
	return `content_block_stop {"type":"content_block_stop","index":` + n + `}`
}

var (
	begin = callwright.Begin{ID: "msg_1", Model: "m"}
	cited = callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"citations":[{"cited_text":"x"}]}`)}
)

// streamCases give the lines, event name and data, that events of other wires become.
var streamCases = []struct {
	name   string
	events []callwright.Event
	want   []string
}{
	{
		name:   "nothing but a beginning and an end",
		events: []callwright.Event{begin, callwright.End{Finish: callwright.FinishStop}},
		want:   []string{started("0"), ended("end_turn", "0", "0"), stopped},
	},
	{
		name: "a text with its sources between others",
		events: []callwright.Event{
			begin, callwright.TextDelta{Text: "a"}, callwright.TextBegin{Extra: cited}, callwright.TextDelta{Text: "b"},
			callwright.TextBegin{}, callwright.TextDelta{Text: "c"}, callwright.End{Finish: callwright.FinishStop},
		},
		want: []string{
			started("0"), blockStart("0", textOpen), blockDelta("0", `{"type":"text_delta","text":"a"}`), blockStop("0"),
			blockStart("1", `{"type":"text","text":"","citations":[{"cited_text":"x"}]}`), blockDelta("1", `{"type":"text_delta","text":"b"}`), blockStop("1"),
			blockStart("2", textOpen), blockDelta("2", `{"type":"text_delta","text":"c"}`), blockStop("2"), ended("end_turn", "0", "0"), stopped,
		},
	},
	{
		name: "text and usage at the end",
		events: []callwright.Event{
			begin, callwright.TextDelta{}, callwright.TextDelta{Text: "a\n"}, callwright.TextDelta{Text: "ü"},
			callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 5, Output: 2}}, callwright.End{Finish: callwright.FinishLength},
		},
		want: []string{
			started("0"), blockStart("0", textOpen), blockDelta("0", `{"type":"text_delta","text":"a\n"}`), blockDelta("0", `{"type":"text_delta","text":"ü"}`),
			blockStop("0"), ended("max_tokens", "5", "2"), stopped,
		},
	},
	{
		name: "usage right behind the beginning stands in it",
		events: []callwright.Event{
			begin, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 5}}, callwright.End{Finish: callwright.FinishContentFilter},
		},
		want: []string{started("5"), ended("refusal", "5", "0"), stopped},
	},
	{
		name: "calls in pieces, as a whole, and without arguments",
		events: []callwright.Event{
			begin, callwright.TextDelta{Text: "x"},
			callwright.CallBegin{Index: 0, ID: "a", Name: "f"}, callwright.CallDelta{Text: `{"q":1}`}, callwright.CallEnd{},
			callwright.CallBegin{Index: 1, ID: "b", Name: "g"}, callwright.CallEnd{Index: 1, Call: &callwright.Call{Arguments: json.RawMessage(`{"w":2}`)}},
			callwright.CallBegin{Index: 2, ID: "c", Name: "h"}, callwright.CallEnd{Index: 2},
			callwright.CallBegin{Index: 3, ID: "d", Name: "f"}, callwright.CallDelta{Index: 3, Text: `{}`}, callwright.CallEnd{Index: 3, Call: &callwright.Call{Arguments: json.RawMessage(`{}`)}},
			callwright.TextDelta{Text: "y"}, callwright.End{Finish: callwright.FinishCalls},
		},
		want: []string{
			started("0"), blockStart("0", textOpen), blockDelta("0", `{"type":"text_delta","text":"x"}`), blockStop("0"),
			blockStart("1", `{"type":"tool_use","id":"a","name":"f","input":{}}`), blockDelta("1", `{"type":"input_json_delta","partial_json":"{\"q\":1}"}`), blockStop("1"),
			blockStart("2", `{"type":"tool_use","id":"b","name":"g","input":{}}`), blockDelta("2", `{"type":"input_json_delta","partial_json":"{\"w\":2}"}`), blockStop("2"),
			blockStart("3", `{"type":"tool_use","id":"c","name":"h","input":{}}`), blockStop("3"),
			blockStart("4", `{"type":"tool_use","id":"d","name":"f","input":{}}`), blockDelta("4", `{"type":"input_json_delta","partial_json":"{}"}`), blockStop("4"),
			blockStart("5", textOpen), blockDelta("5", `{"type":"text_delta","text":"y"}`), blockStop("5"),
			ended("tool_use", "0", "0"), stopped,
		},
	},
	{
		name: "signed reasoning, and an opaque block with line ends",
		events: []callwright.Event{
			begin, callwright.ReasoningDelta{Text: "hm"}, callwright.ReasoningEnd{Signature: "s", Origin: callwright.Origin{Wire: callwright.WireAnthropic}},
			callwright.ReasoningEnd{Redacted: "r", Origin: callwright.Origin{Wire: callwright.WireAnthropic}}, callwright.ReasoningEnd{},
			callwright.OpaquePart{Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage("{\n\"type\": \"x\"}")}},
			callwright.OpaquePart{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{}`)}},
			callwright.End{Finish: callwright.FinishPause},
		},
		want: []string{
			started("0"), blockStart("0", `{"type":"thinking","thinking":"","signature":""}`), blockDelta("0", `{"type":"thinking_delta","thinking":"hm"}`), blockDelta("0", `{"type":"signature_delta","signature":"s"}`), blockStop("0"),
			blockStart("1", `{"type":"redacted_thinking","data":"r"}`), blockStop("1"), blockStart("2", `{"type":"x"}`), blockStop("2"),
			ended("pause_turn", "0", "0"), stopped,
		},
	},
}

// lines are the events of a stream as name and data.
func lines(stream []byte) (list []string) {
	for _, ev := range strings.Split(strings.TrimSuffix(string(stream), "\n\n"), "\n\n") {
		name, data, _ := strings.Cut(strings.TrimPrefix(ev, "event: "), "\n")
		list = append(list, name+" "+strings.TrimPrefix(data, "data: "))
	}
	return list
}

// encodeAll encodes events without pausing the answer.
func encodeAll(events []callwright.Event) []byte {
	return encodeBatches([]callwright.Batch{{Events: events, More: true}})
}

func encodeBatches(batches []callwright.Batch) (out []byte) {
	e := anthropic.Codec{}.NewStreamEncoder(nil)
	for _, b := range batches {
		out = e.Encode(out, b)
	}
	return out
}

func TestStreamEncoder(t *testing.T) {
	for _, c := range streamCases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, lines(encodeAll(c.events))); diff != "" {
				t.Errorf("unexpected stream (-want +got):\n%s", diff)
			}
			// The same where the answer pauses after each event, but that message_start does not wait for a usage any more.
			var batches []callwright.Batch
			for i, ev := range c.events {
				_, begins := ev.(callwright.Begin)
				batches = append(batches, callwright.Batch{Events: c.events[i : i+1], More: begins})
			}
			if diff := cmp.Diff(c.want, lines(encodeBatches(batches))); diff != "" {
				t.Errorf("unexpected stream with pauses (-want +got):\n%s", diff)
			}
		})
	}
}

// The beginning waits for the usage until the answer pauses.
func TestBeginningWaitsForUsage(t *testing.T) {
	usage := callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 5}}
	for name, c := range map[string]struct {
		batches []callwright.Batch
		want    []string
	}{
		"more follows":       {[]callwright.Batch{{Events: []callwright.Event{begin}, More: true}, {Events: []callwright.Event{usage}, More: true}}, []string{" "}},
		"with it":            {[]callwright.Batch{{Events: []callwright.Event{begin, usage}}}, []string{started("5")}},
		"in the next batch":  {[]callwright.Batch{{Events: []callwright.Event{begin}, More: true}, {Events: []callwright.Event{usage}}}, []string{started("5")}},
		"after a pause":      {[]callwright.Batch{{Events: []callwright.Event{begin}}, {Events: []callwright.Event{usage}}}, []string{started("0")}},
		"asked for":          {[]callwright.Batch{{Events: []callwright.Event{begin, usage}, More: true}, {}, {}}, []string{started("5")}},
		"nothing to be sent": {[]callwright.Batch{{}, {Notes: []callwright.Note{{}}}}, []string{" "}},
	} {
		if diff := cmp.Diff(c.want, lines(encodeBatches(c.batches))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A ping goes out at once, after the beginning with the usage that is known, and not after the end.
func TestKeepAlive(t *testing.T) {
	e := anthropic.Codec{}.NewStreamEncoder(nil)
	out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{begin}, More: true})
	out = e.KeepAlive(out, progress.Snapshot{})
	out = e.Encode(out, callwright.Batch{Notes: []callwright.Note{{}}, Events: []callwright.Event{callwright.End{Finish: callwright.FinishOther}}})
	if diff := cmp.Diff([]string{started("0"), pinged, ended("end_turn", "0", "0"), stopped}, lines(e.KeepAlive(out, progress.Snapshot{}))); diff != "" {
		t.Errorf("a ping waits for no text (-want +got):\n%s", diff)
	}
	e = anthropic.Codec{}.NewStreamEncoder(nil)
	out = e.Encode(nil, callwright.Batch{Events: []callwright.Event{begin, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 5}}}, More: true})
	out = e.KeepAlive(e.Encode(out, callwright.Batch{}), progress.Snapshot{})
	out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.End{Finish: callwright.FinishContentFilter}}, More: true})
	if diff := cmp.Diff([]string{started("5"), pinged, ended("refusal", "5", "0"), stopped}, lines(out)); diff != "" {
		t.Errorf("usage right behind the beginning stands in it (-want +got):\n%s", diff)
	}
}

// Before the answer a sign of life begins the message, whose usage then comes at the end, also where the provider's bytes follow. Each twelfth of a row is a
// message_delta, which clients count that do not count pings.
func TestSignsOfLife(t *testing.T) {
	now := progress.Snapshot{State: "holding", Tool: "write_file", Bytes: 18432, Seconds: 42}
	e := anthropic.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
	var out []byte
	for range 25 {
		out = e.KeepAlive(out, now)
	}
	out = e.Encode(out, callwright.Batch{Events: []callwright.Event{begin, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 5}}, callwright.TextDelta{Text: "a"}}, More: true})
	for range 12 {
		out = e.KeepAlive(out, now)
	}
	got := string(e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}}}))
	const comment, delta = ": callwright: holding call write_file, 18,432 bytes, 42 s\n\n", `"stop_reason":null,"stop_sequence":null},"usage":{"output_tokens":0}}`
	if !strings.HasPrefix(got, "event: message_start\n") || strings.Count(got, "message_start\n") != 1 || !strings.Contains(got, `"model":"tern"`) {
		t.Errorf("expected one beginning of the message: %s", got)
	}
	if n := strings.Count(got, comment); n != 37 {
		t.Errorf("expected 37 comments, got %d", n)
	}
	if pings, deltas := strings.Count(got, "event: ping\n"), strings.Count(got, delta); pings != 34 || deltas != 2 || strings.Count(got, `"text_delta","text":""}`) != 1 {
		t.Errorf("expected 34 pings, 2 deltas of the message and one of the text, got %d and %d: %s", pings, deltas, got)
	}
	if !strings.Contains(got, `"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":5,`) {
		t.Errorf("expected the usage at the end: %s", got)
	}
}

func TestStreamFails(t *testing.T) {
	e := anthropic.Codec{}.NewStreamEncoder(nil)
	out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{begin, callwright.TextDelta{Text: "a"}}, More: true})
	out = e.Fail(out, &callwright.Error{Kind: callwright.KindOverloaded, Message: "no room"})
	out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}}, More: true})
	got := lines(out)
	want := `error {"type":"error","error":{"type":"overloaded_error","message":"no room","details":{"error_code":"overloaded"}}}`
	if last := got[len(got)-1]; last != want {
		t.Errorf("expected the stream to end with %s, got %s", want, last)
	}
	if got := e.ContentType(); !strings.HasPrefix(got, "text/event-stream") {
		t.Errorf("expected text/event-stream, got %s", got)
	}
}

func TestCallsWithoutIDGetOne(t *testing.T) {
	out := string(encodeAll([]callwright.Event{begin, callwright.CallBegin{Name: "f"}, callwright.CallEnd{}, callwright.End{}}))
	if !strings.Contains(out, `"id":"toolu_`) {
		t.Errorf("expected an id, got %s", out)
	}
	body, _, err := anthropic.Codec{}.EncodeResponse(nil, &callwright.Response{Parts: []callwright.Part{callwright.Call{Name: "f"}}})
	if err != nil || !strings.Contains(string(body), `"id":"toolu_`) || !strings.Contains(string(body), `"id":"msg_`) {
		t.Errorf("expected ids, got %s (%v)", body, err)
	}
}

// Who made a call stays with it, in an answer that is written anew and in one that streams.
func TestCallersAreKept(t *testing.T) {
	const block = `{"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"code_execution_20250825","tool_id":"srvtoolu_1"}}`
	whole, err := anthropic.Codec{}.DecodeResponse([]byte(`{"type":"message","content":[` + block + `],"stop_reason":"tool_use"}`))
	if err != nil {
		t.Fatal(err)
	}
	stream := "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{}}\n\n" +
		"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":" + block + "}\n\n" +
		"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
	for name, events := range map[string][]callwright.Event{
		"whole": whole.Events(), "streamed": wiretest.Decode(anthropic.Codec{}, strings.NewReader(stream)).Events,
	} {
		var all callwright.Collector
		for _, ev := range events {
			all.Add(ev)
		}
		again, _, err := anthropic.Codec{}.EncodeResponse(nil, all.Response())
		if err != nil || !strings.Contains(string(again), block) {
			t.Errorf("%s: expected %s, got %s (%v)", name, block, again, err)
		}
		if got := string(encodeAll(events)); !strings.Contains(got, block) {
			t.Errorf("%s, as a stream: expected %s in %s", name, block, got)
		}
	}
}
