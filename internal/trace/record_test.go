package trace_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the expected files anew")

// TestGolden: a trace as it stands in a file. Two requests, one of them streamed, one that fails, and a call of a tool.
func TestGolden(t *testing.T) {
	var out bytes.Buffer
	w := trace.NewWriter(&out, trace.WithClock(clock()), trace.WithIDs(counted()))
	model := &scripted{resp: answer(), caps: caps.Caps{Tools: caps.Yes, MaxOutput: 4096}.From(caps.Probed)}
	m := trace.Record(model, w)
	ctx := context.Background()
	if _, err := m.Generate(ctx, ask()); err != nil {
		t.Fatal(err)
	}
	err := w.Append(trace.Entry{Kind: trace.KindResult, ID: "c1", Duration: 12, Data: []byte(`{"parts": [{"type":"text","text":"sun"}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	model.batches = []callwright.Batch{
		{Wire: callwright.WireOpenAI, Raw: []byte("data: 1\n\n"), Events: []callwright.Event{callwright.Begin{ID: "a2"}, callwright.TextDelta{Text: "Su"}},
			Notes: []callwright.Note{{Rule: "test.rule"}}},
		{Wire: callwright.WireOpenAI, Raw: []byte("data: 2\n\n"), Events: []callwright.Event{callwright.TextDelta{Text: "n."}, callwright.End{Finish: callwright.FinishStop}}},
	}
	collect(t, m.Stream(ctx, ask()))
	model.err = &callwright.Error{Op: "test.send", Kind: callwright.KindRateLimited, Message: "slow down", Body: []byte("{}\n"), RetryAfter: 5, Err: errors.New("429")}
	if _, err := m.Generate(ctx, ask()); !errors.Is(err, model.err) {
		t.Fatal(err)
	}
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	const name = "testdata/weather.jsonl"
	if *update {
		if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Error(diff)
	}
}

// TestSent: the callback that a request has is still called, and the request stays as it is.
func TestSent(t *testing.T) {
	var out bytes.Buffer
	m := trace.Record(&scripted{resp: answer()}, trace.NewWriter(&out))
	var sent []string
	req := ask()
	companion.Change(req, func(c *companion.Companion) { c.OnSend = func(body []byte) { sent = append(sent, string(body)) } })
	if _, err := m.Generate(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	companion.Of(req).OnSend(nil)
	if diff := cmp.Diff([]string{`{"model":"scripted","n":1.0}`, ""}, sent); diff != "" {
		t.Error(diff)
	}
	if n := strings.Count(out.String(), `"kind":"sent"`); n != 1 {
		t.Errorf("%d bodies", n)
	}
}

// TestUndelayed: each event has passed before the next is asked for, the very value that the model gave.
func TestUndelayed(t *testing.T) {
	model := &scripted{events: answer().Events()}
	i := 0
	for ev, err := range trace.Record(model, trace.NewWriter(&bytes.Buffer{})).Stream(context.Background(), ask()) {
		if diff := cmp.Diff(model.events[i], ev); diff != "" || err != nil {
			t.Fatal(err, diff)
		}
		i++
	}
	if i != len(model.events) {
		t.Errorf("%d of %d events", i, len(model.events))
	}
}

// TestStopped: a loop that stops frees the stream, and what it has read is recorded. Playing it fails where it was stopped.
func TestStopped(t *testing.T) {
	for stop := range 4 {
		var out bytes.Buffer
		model := &scripted{events: []callwright.Event{callwright.Begin{ID: "a"}, callwright.TextDelta{Text: "Su"}, callwright.TextDelta{Text: "n"}, callwright.End{Finish: callwright.FinishStop}}}
		n := 0
		for range trace.Record(model, trace.NewWriter(&out)).Stream(context.Background(), ask()) {
			if n++; n > stop {
				break
			}
		}
		if model.freed != 1 {
			t.Errorf("%d streams were freed", model.freed)
		}
		got, err := callwright.Collect(player(t, out.Bytes()).Stream(context.Background(), ask()))
		if stop == 3 {
			if err != nil || got.Text() != "Sun" {
				t.Errorf("the whole answer: %v, %v", got, err)
			}
			continue
		}
		if callwright.KindOf(err) != callwright.KindTruncated {
			t.Errorf("stopped after %d: %v", stop, err)
		}
		if _, err := player(t, out.Bytes()).Generate(context.Background(), ask()); callwright.KindOf(err) != callwright.KindTruncated {
			t.Errorf("stopped after %d, whole: %v", stop, err)
		}
	}
}

// TestLongAnswer: of a stream that is longer than is kept the beginning is recorded, and all of it passes.
func TestLongAnswer(t *testing.T) {
	const most = 1000
	model := &scripted{batches: []callwright.Batch{{Events: []callwright.Event{callwright.Begin{ID: "a"}}}}}
	for range 100 {
		model.batches = append(model.batches, callwright.Batch{Raw: bytes.Repeat([]byte("f"), 90), Events: []callwright.Event{
			callwright.TextDelta{Text: strings.Repeat("a", 70)}, callwright.CallBegin{}, callwright.CallDelta{Text: "{}"}, callwright.CallEnd{}}})
	}
	model.events = []callwright.Event{callwright.End{Finish: callwright.FinishStop}}
	var out bytes.Buffer
	passed := 0
	for range trace.Record(model, trace.NewWriter(&out, trace.WithMaxAnswer(most))).Stream(t.Context(), ask()) {
		passed++
	}
	entries, err := trace.ReadAll(&out)
	if err != nil {
		t.Fatal(err)
	}
	last := &entries[len(entries)-1]
	got, err := last.Response()
	if err != nil || passed != 2+4*100 || !last.Partial || len(got.Text()) == 0 || len(got.Text())+len(got.Raw.Bytes) > most {
		t.Errorf("%d events passed, %v, recorded %d bytes of text", passed, err, len(got.Text()))
	}
}

// TestBrokenOff: a stream that breaks is played with what came before the error.
func TestBrokenOff(t *testing.T) {
	var out bytes.Buffer
	want := &callwright.Error{Op: "test.send", Kind: callwright.KindTruncated, Message: "it ended", Status: 502, Code: "c", Recovered: "text", NoRetry: true}
	model := &scripted{err: want, events: []callwright.Event{callwright.Begin{ID: "a"}, callwright.TextDelta{Text: "Su"}}}
	for range trace.Record(model, trace.NewWriter(&out)).Stream(context.Background(), ask()) {
	}
	text := ""
	var got error
	for ev, err := range player(t, out.Bytes()).Stream(context.Background(), ask()) {
		if d, ok := ev.(callwright.TextDelta); ok {
			text += d.Text
		}
		got = err
	}
	if diff := cmp.Diff(error(want), got); text != "Su" || diff != "" {
		t.Errorf("%q\n%s", text, diff)
	}
}

// TestRedacted: nothing of what was said is in a redacted trace, and it is not played.
func TestRedacted(t *testing.T) {
	const secret = "s3cret"
	var out bytes.Buffer
	w := trace.NewWriter(&out, trace.WithoutContent())
	js := []byte(`{"a":"` + secret + `"}`)
	x := callwright.Extra{Wire: callwright.WireOpenAI, JSON: js}
	parts := []callwright.Part{
		callwright.Text{Text: secret, Extra: x}, callwright.Image{Data: secret, URL: secret, Extra: x}, callwright.Opaque{Extra: x},
		callwright.File{Name: secret, Data: secret, URL: secret, Text: secret, Extra: x},
		callwright.Reasoning{Text: secret, Signature: secret, Redacted: secret, Extra: x},
		callwright.Call{ID: "c", Name: "weather", Arguments: js, Input: secret, Raw: secret, Signature: secret, Extra: x},
		callwright.Result{CallID: "c", Parts: []callwright.Part{callwright.Text{Text: secret}}, Extra: x},
	}
	notes := []callwright.Note{{Rule: "test.rule", Was: secret, Now: secret, Why: secret}}
	report := &callwright.Report{
		Notes: notes, Attempts: []callwright.Attempt{{Error: secret, Usage: callwright.Usage{Extra: x}}},
		Invalid: []callwright.InvalidCall{{Raw: secret, Violations: []callwright.Violation{{Message: secret}}}},
	}
	resp := &callwright.Response{
		Parts: parts, Report: report, Extra: x, Usage: callwright.Usage{Known: true, Extra: x}, Raw: &callwright.Raw{Bytes: js},
	}
	req := &callwright.Request{
		Messages: []callwright.Message{{Role: callwright.RoleUser, Parts: parts, Extra: x}}, Extra: x, Attached: &companion.Companion{Edits: []callwright.Edit{{Value: js, Only: js}}},
		Params: callwright.Params{User: secret, Stop: []string{secret}, Thinking: callwright.Thinking{Extra: x}},
	}
	model := &scripted{resp: resp, batches: []callwright.Batch{{Notes: notes[:1]}, resp.Batch()}}
	m := trace.Record(model, w)
	ctx := context.Background()
	_, _ = m.Generate(ctx, req)
	collect(t, m.Stream(ctx, req))
	model.err = &callwright.Error{Message: secret, Body: js, Recovered: secret, Report: report, Err: errors.New(secret)}
	_, _ = m.Generate(ctx, req)
	_ = w.Append(trace.Entry{Kind: trace.KindCall, ID: "c", Data: js})
	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	if at := strings.Index(out.String(), secret); at >= 0 {
		t.Errorf("it is there: %s", out.String()[max(0, at-200):at+20])
	}
	if !strings.Contains(out.String(), `"(6 bytes)"`) || resp.Text() != secret {
		t.Error("lengths are missing, or the answer was changed")
	}
	entries, err := trace.ReadAll(&out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.NewPlayer(entries); callwright.KindOf(err) != callwright.KindInvalid || !strings.Contains(err.Error(), "redacted") {
		t.Errorf("played: %v", err)
	}
}

// TestCaps: the player has the identity that the model had, and what the shipped table says of models comes back.
func TestCaps(t *testing.T) {
	for _, name := range []string{"openai/gpt-4o", "anthropic/claude-opus-4-5", "groq/llama-3.3-70b-versatile", "gemini/gemini-2.5-pro", "mistral/mistral-large-latest", "deepseek/deepseek-chat", "ollama/qwen3"} {
		provider, model := callwright.ModelID(name).Split()
		var out bytes.Buffer
		want := caps.ShippedFor(provider, model)
		_, _ = trace.Record(&scripted{resp: answer(), caps: want}, trace.NewWriter(&out)).Generate(context.Background(), ask())
		p := player(t, out.Bytes())
		if diff := cmp.Diff(want.KnownFacts(), p.Caps(context.Background()).KnownFacts()); diff != "" || p.ID() != "test/scripted" {
			t.Errorf("%s: %s %s", name, p.ID(), diff)
		}
	}
}
