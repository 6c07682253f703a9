package ollama_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/google/go-cmp/cmp"
)

// measured are the members by which the last line says how long the answer took.
var measured = regexp.MustCompile(`,"total_duration":\d+,"load_duration":0,"prompt_eval_duration":\d+,"eval_duration":[1-9]\d*`)

// lines are the lines of a stream without the times in them, which must be times.
func lines(t *testing.T, stream []byte) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(string(stream)) {
		line = strings.TrimSuffix(line, "\n")
		if err := jsonx.Valid([]byte(line)); err != nil {
			t.Errorf("expected a line of JSON, got %q (%v)", line, err)
		}
		if at, ok := jsonx.Find([]byte(line), "created_at"); ok {
			if _, err := time.Parse(time.RFC3339Nano, jsonx.TextOf(at)); err != nil {
				t.Error(err)
			}
			line = strings.Replace(line, `"created_at":`+string(at)+`,`, "", 1)
		}
		out = append(out, measured.ReplaceAllString(line, ""))
	}
	return out
}

func TestStreamsOfOtherWires(t *testing.T) {
	foreign := callwright.Origin{Wire: callwright.WireGemini}
	begin := callwright.Begin{ID: "x", Model: "m"}
	const none = `,"prompt_eval_count":0,"eval_count":0}` // where nothing is known
	const head, last = `{"model":"m","message":{"role":"assistant",`, `{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":`
	carrier := "callwright.v1.eyJ3IjoiZ2VtaW5pIiwicyI6ImMybG4iLCJjIjoiYSJ9"
	for name, c := range map[string]struct {
		events []callwright.Event
		want   []string
	}{
		"text": {[]callwright.Event{begin, callwright.TextDelta{Text: "a\n"}, callwright.TextDelta{}, callwright.TextDelta{Text: "b"},
			callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 3}}, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Output: 4}}, callwright.End{Finish: callwright.FinishStop}},
			[]string{head + `"content":"a\n"},"done":false}`, head + `"content":"b"},"done":false}`, last + `"stop","prompt_eval_count":3,"eval_count":4}`}},
		"calls in pieces": {[]callwright.Event{begin, callwright.CallBegin{ID: "a", Name: "f"}, callwright.CallDelta{Text: "{\r\n\"x\":"}, callwright.CallDelta{Text: "1}"}, callwright.CallEnd{},
			callwright.CallBegin{Index: 1, ID: "b", Name: "g"}, callwright.CallEnd{Index: 1}, callwright.End{Finish: callwright.FinishCalls}},
			[]string{head + `"content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f","arguments":{"x":1}}}]},"done":false}`,
				head + `"content":"","tool_calls":[{"id":"b","function":{"index":1,"name":"g","arguments":{}}}]},"done":false}`, last + `"stop"` + none}},
		"judged call": {[]callwright.Event{begin, callwright.CallBegin{ID: "a", Name: "f"}, callwright.CallEnd{Call: &callwright.Call{ID: "a", Name: "f", Arguments: json.RawMessage(`{"x":2}`)}}, callwright.End{Finish: callwright.FinishCalls}},
			[]string{head + `"content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f","arguments":{"x":2}}}]},"done":false}`, last + `"stop"` + none}},
		"custom call": {[]callwright.Event{begin, callwright.CallBegin{ID: "a", Name: "f", Type: callwright.CustomTool}, callwright.CallDelta{Text: "*** "}, callwright.CallDelta{Text: "\""}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}},
			[]string{head + `"content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f","arguments":{"input":"*** \""}}}]},"done":false}`, last + `"stop"` + none}},
		"reasoning": {[]callwright.Event{begin, callwright.ReasoningDelta{Text: "hm"}, callwright.ReasoningDelta{}, callwright.ReasoningEnd{Origin: foreign}, callwright.TextDelta{Text: "a"}, callwright.End{Finish: callwright.FinishLength}},
			[]string{head + `"content":"","thinking":"hm"},"done":false}`, head + `"content":"a"},"done":false}`, last + `"length"` + none}},
		"state of a call": {[]callwright.Event{begin, callwright.CallBegin{ID: "a", Name: "f", Signature: "c2ln", Origin: foreign}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}},
			[]string{head + `"content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f","arguments":{}},"signature":"` + carrier + `"}]},"done":false}`, last + `"stop"` + none}},
		"nothing":              {[]callwright.Event{begin, callwright.End{Finish: callwright.FinishContentFilter}}, []string{last + `"stop"` + none}},
		"parts of other wires": {[]callwright.Event{begin, callwright.OpaquePart{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{"x":1}`)}}, callwright.End{Finish: callwright.FinishStop}}, []string{last + `"stop"` + none}},
	} {
		t.Run(name, func(t *testing.T) {
			e := ollama.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
			out := e.Encode(nil, callwright.Batch{Events: c.events, More: true})
			if diff := cmp.Diff(c.want, lines(t, out)); diff != "" {
				t.Errorf("unexpected lines (-want +got):\n%s", diff)
			}
		})
	}
}

// A keep-alive is a line without content. After the end of an answer come neither lines of it nor keep-alives.
func TestKeepAlive(t *testing.T) {
	e := ollama.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
	out := e.KeepAlive(nil, progress.Snapshot{})
	out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.Begin{ID: "x", Model: "m"}}, More: true})
	out = e.KeepAlive(out, progress.Snapshot{})
	out = e.Encode(out, callwright.Batch{})
	out = e.Encode(out, callwright.Batch{Notes: []callwright.Note{{}}, Events: []callwright.Event{callwright.End{Finish: callwright.FinishStop}}})
	out = e.KeepAlive(out, progress.Snapshot{})
	out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: "late"}}})
	want := []string{`{"model":"tern","message":{"role":"assistant","content":""},"done":false}`, `{"model":"m","message":{"role":"assistant","content":""},"done":false}`,
		`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":0,"eval_count":0}`}
	if diff := cmp.Diff(want, lines(t, out)); diff != "" {
		t.Errorf("unexpected lines (-want +got):\n%s", diff)
	}
}

// The last line has the counts and the times that clients compute with, whole and streamed, of a chat and of a completion: those of the server where
// it tells them.
func TestLastLine(t *testing.T) {
	report := &callwright.Report{Attempts: []callwright.Attempt{{Duration: 5}, {Duration: 7}}}
	for form, codec := range map[string]wire.Codec{`{"model":"m","messages":[{"role":"user","content":"a"}]}`: ollama.Codec{}, `{"model":"m","prompt":"a"}`: ollama.Codec{}.Completes()} {
		req, err := codec.DecodeRequest([]byte(form))
		if err != nil {
			t.Fatal(err)
		}
		for _, told := range []string{"", `{"total_duration":99,"load_duration":9,"prompt_eval_duration":1,"eval_duration":2}`} {
			extra := callwright.Extra{}
			if told != "" {
				extra = callwright.Extra{Wire: callwright.WireOllama, JSON: []byte(told)}
			}
			whole, _, err := codec.EncodeResponse(req, &callwright.Response{Model: "m", Report: report, Extra: extra, Parts: []callwright.Part{callwright.Text{Text: "a"}}})
			if err != nil {
				t.Fatal(err)
			}
			stream := codec.NewStreamEncoder(req).Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.Begin{Model: "m"}, callwright.TextDelta{Text: "a"},
				callwright.End{Finish: callwright.FinishStop, Extra: extra}}})
			at := bytes.LastIndexByte(bytes.TrimSpace(stream), '\n') + 1
			for _, line := range [][]byte{whole, stream[at:]} {
				for _, key := range []string{"total_duration", "load_duration", "prompt_eval_duration", "eval_duration", "prompt_eval_count", "eval_count"} {
					if v, _ := jsonx.Find(line, key); jsonx.KindOf(v) != jsonx.Number || key == "eval_duration" && string(v) == "0" || bytes.Count(line, []byte(`"`+key+`"`)) != 1 {
						t.Errorf("%s is %s in %s", key, v, line)
					}
				}
				if total, _ := jsonx.Find(line, "total_duration"); told != "" && string(total) != "99" {
					t.Errorf("want the server's own times, got %s", line)
				}
			}
			if total, _ := jsonx.Find(whole, "total_duration"); told == "" && string(total) != "12" {
				t.Errorf("want the time of both attempts, got %s", whole)
			}
		}
	}
}

func TestFail(t *testing.T) {
	e := ollama.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
	out := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: "a"}}, More: true})
	out = e.Fail(out, &callwright.Error{Kind: callwright.KindServer, Message: "broken\nin two"})
	out = e.Encode(out, callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: "b"}}, More: true})
	want := []string{`{"model":"tern","message":{"role":"assistant","content":"a"},"done":false}`, `{"error":"broken\nin two","code":"provider_error"}`}
	if diff := cmp.Diff(want, lines(t, out)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// After a call that was encoded batches no longer go out as they came: their calls count on from others.
func TestBatchesAfterAnEncodedCall(t *testing.T) {
	const stream = `{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"id":"a","function":{"index":0,"name":"f","arguments":{}}}]},"done":false}
{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"id":"b","function":{"index":1,"name":"g","arguments":{}}}]},"done":false}
{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":9,"eval_count":4,"x":1}
`
	s := wiretest.Decode(ollama.Codec{}, strings.NewReader(stream))
	e := ollama.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/m"})
	var out []byte
	for i, b := range s.Batches {
		if i == 0 {
			b.Raw = nil
		}
		out = e.Encode(out, b)
	}
	if diff := cmp.Diff(lines(t, []byte(stream)), lines(t, out)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// State of other wires comes back from clients that keep the members of a message, and is not sent to servers.
func TestStateOfOthersComesBack(t *testing.T) {
	want := []callwright.Part{
		callwright.Reasoning{Text: "hm", Signature: "c2ln", Origin: callwright.Origin{Wire: callwright.WireAnthropic, Model: "anthropic/x"}},
		callwright.Call{ID: "a", Name: "f", Arguments: json.RawMessage(`{}`), Signature: "dHM", Origin: callwright.Origin{Wire: callwright.WireGemini}},
	}
	out, notes, err := ollama.Codec{}.EncodeResponse(nil, &callwright.Response{Model: "m", Parts: want})
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	message, _ := jsonx.Find(out, "message")
	req := decoded(t, `{"model":"a","messages":[{"role":"user","content":"q"},`+string(message)+`]}`)
	history, _ := req.History()
	if diff := cmp.Diff(want, history[1].Parts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if history[1].Extra.JSON != nil || !companion.Of(req).Body.Summaries()[1].Reasoning {
		t.Errorf("unexpected %s", history[1].Extra.JSON)
	}
	body, notes, err := ollama.Codec{}.EncodeRequest(req, "a", caps.Caps{})
	if err != nil || strings.Contains(string(body), "signature") || len(notes) != 1 || !strings.Contains(string(body), `{"role":"user","content":"q"}`) {
		t.Errorf("expected no state, got %s with %v (%v)", body, notes, err)
	}
}

// Texts of several stretches of reasoning are joined here, so that the state of one would come back with the wrong text.
func TestStateOfSeveralStretches(t *testing.T) {
	out, notes, err := ollama.Codec{}.EncodeResponse(nil, &callwright.Response{Model: "m", Parts: []callwright.Part{
		callwright.Reasoning{Text: "a", Signature: "x"}, callwright.Reasoning{Text: "b", Signature: "y"}}})
	if err != nil || strings.Contains(string(out), "signature") || len(notes) != 1 || notes[0].Rule != "response.signature" {
		t.Errorf("got %s with %v (%v)", out, notes, err)
	}
}

func TestPartsThatAnswersLack(t *testing.T) {
	_, notes, err := ollama.Codec{}.EncodeResponse(nil, &callwright.Response{Parts: []callwright.Part{
		callwright.Image{URL: "https://x.test"}, callwright.File{Name: "f"}, callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: []byte(`{"x":1}`)}}}})
	if diff := cmp.Diff([]string{"response.image", "response.file", "response.opaque"}, rules(notes)); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}
