package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// anyAnswer is an answer as a model gives it.
var anyAnswer = rapid.Custom(func(t *rapid.T) *callwright.Response {
	text := rapid.OneOf(rapid.StringN(1, 8, -1), rapid.SampledFrom([]string{"<&>", "a\nb", "\u2028"}))
	js := rapid.SampledFrom([]json.RawMessage{nil, []byte(`{}`), []byte(`{"b": 1.0,"a":1}`), []byte("{\n\"a\":1}"), []byte(`{"a":`)})
	extra := rapid.Map(js, func(b json.RawMessage) callwright.Extra {
		return callwright.Extra{Wire: callwright.WireOpenAI, JSON: b}
	})
	part := rapid.Custom(func(t *rapid.T) callwright.Part {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return callwright.Reasoning{Text: text.Draw(t, "text"), Signature: text.Draw(t, "signature"), Extra: extra.Draw(t, "extra")}
		case 1:
			return callwright.Call{ID: text.Draw(t, "id"), Name: "weather", Arguments: js.Draw(t, "arguments"), Extra: extra.Draw(t, "extra")}
		case 2:
			return callwright.Call{ID: text.Draw(t, "id"), Name: "shell", Type: callwright.CustomTool, Input: text.Draw(t, "input")}
		case 3:
			return callwright.Opaque{Extra: extra.Draw(t, "extra")}
		}
		return callwright.Text{Text: text.Draw(t, "text"), Extra: extra.Draw(t, "extra")}
	})
	r := &callwright.Response{
		ID: text.Draw(t, "id"), Model: text.Draw(t, "model"), Parts: rapid.SliceOf(part).Draw(t, "parts"), Finish: callwright.FinishCalls,
		Usage: callwright.Usage{Known: true, Input: rapid.Int().Draw(t, "input"), Extra: extra.Draw(t, "extra")}, Extra: extra.Draw(t, "extra"),
	}
	if rapid.Bool().Draw(t, "judged") {
		more := rapid.Bool().Draw(t, "more")
		r.NeedsMoreWork, r.Confidence = &more, 0.5
		r.Report = &callwright.Report{ID: "r", Attempts: []callwright.Attempt{{Model: "m", Usage: r.Usage}}, Notes: []callwright.Note{{Rule: "a"}}, Confidence: 0.5}
	}
	if b := rapid.SliceOf(rapid.Byte()).Draw(t, "raw"); len(b) > 0 {
		r.Raw = &callwright.Raw{Wire: callwright.WireOpenAI, Bytes: b}
	}
	return r
})

// TestReplay: an answer that was recorded whole or as a stream comes back whole and as a stream, and again joined as it was.
func TestReplay(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		want := anyAnswer.Draw(t, "answer")
		model := &scripted{resp: want, events: want.Events()}
		if want.Report != nil {
			model.events = append(model.events, callwright.Done{Report: want.Report, NeedsMoreWork: want.NeedsMoreWork})
		}
		joined, _ := callwright.Collect(events(model.events))

		var whole, streamed bytes.Buffer
		if _, err := trace.Record(model, trace.NewWriter(&whole)).Generate(ctx, ask()); err != nil {
			t.Fatal(err)
		}
		passed, err := callwright.Collect(trace.Record(model, trace.NewWriter(&streamed)).Stream(ctx, ask()))
		if diff := cmp.Diff(joined, passed); diff != "" || err != nil {
			t.Fatal(err, diff)
		}
		for name, c := range map[string]struct {
			file  []byte
			whole *callwright.Response
		}{"whole": {whole.Bytes(), want}, "streamed": {streamed.Bytes(), without(joined)}} {
			got, err := player(t, c.file).Generate(ctx, ask())
			if diff := cmp.Diff(c.whole, got); diff != "" || err != nil {
				t.Fatalf("%s, then whole: %v %s", name, err, diff)
			}
			got, err = callwright.Collect(player(t, c.file).Stream(ctx, ask()))
			if diff := cmp.Diff(without(joined), got); diff != "" || err != nil {
				t.Fatalf("%s, then streamed: %v %s", name, err, diff)
			}
		}
	})
}

// TestOrder: answers come in the order of the requests, each once.
func TestOrder(t *testing.T) {
	var out bytes.Buffer
	model := &scripted{}
	m := trace.Record(model, trace.NewWriter(&out))
	ctx := context.Background()
	for _, text := range []string{"one", "two", "three"} {
		model.resp = &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: text}}}
		if _, err := m.Generate(ctx, ask()); err != nil {
			t.Fatal(err)
		}
	}
	p := player(t, out.Bytes())
	for _, want := range []string{"one", "two", "three"} {
		got, err := p.Generate(ctx, ask())
		if err != nil || got.Text() != want {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
	}
	if _, err := p.Generate(ctx, ask()); callwright.KindOf(err) != callwright.KindNotFound || p.Remaining() != 0 {
		t.Errorf("behind the last: %v", err)
	}
}

// TestOtherRequest: a request that is not the recorded one fails with the place of the difference, and takes no answer.
func TestOtherRequest(t *testing.T) {
	var out bytes.Buffer
	ctx := context.Background()
	if _, err := trace.Record(&scripted{resp: answer()}, trace.NewWriter(&out)).Generate(ctx, ask()); err != nil {
		t.Fatal(err)
	}
	p := player(t, out.Bytes())
	for _, c := range []struct {
		path, says string
		change     func(*callwright.Request)
	}{
		{"/conversation/messages/1/parts/0/text", `expected "Weather in <Oslo>?", got "Weather in <Rome>?"`, func(r *callwright.Request) { r.Messages[1] = callwright.UserText("Weather in <Rome>?") }},
		{"/conversation/messages/2", "expected nothing, got {", func(r *callwright.Request) { r.Messages = append(r.Messages, callwright.UserText("And?")) }},
		{"/conversation/messages/1", "got nothing", func(r *callwright.Request) { r.Messages = r.Messages[:1] }},
		{"/conversation/tools/0/description", "got nothing", func(r *callwright.Request) { r.Tools[0].Description = "" }},
		{"/conversation/model", "", func(r *callwright.Request) { r.Model = "other" }},
		{"/params/temperature", "expected 0.70, got 0.7", func(r *callwright.Request) { r.Params.Temperature = "0.7" }},
		{"/params/seed", "expected nothing, got 1", func(r *callwright.Request) { r.Params.Seed = "1" }},
		{"/conversation/messages/1/parts/0/text", "…", func(r *callwright.Request) { r.Messages[1] = callwright.UserText(strings.Repeat("€", 200)) }},
	} {
		req := ask()
		c.change(req)
		_, err := p.Generate(ctx, req)
		e, ok := errors.AsType[*callwright.Error](err)
		if !ok || e.Kind != callwright.KindConflict || e.Path != c.path || !strings.Contains(e.Message, c.says) {
			t.Errorf("%v, want %q at %s", err, c.says, c.path)
		}
	}
	for _, err := range p.Stream(ctx, &callwright.Request{}) {
		if callwright.KindOf(err) != callwright.KindConflict {
			t.Errorf("streamed: %v", err)
		}
	}
	req := ask()
	req.Params.Stream, req.Params.StreamUsage = true, true
	if diff := cmp.Diff(without(answer()), collect(t, p.Stream(ctx, req))); diff != "" {
		t.Error(diff)
	}
}

// TestUnanswered: a trace that ends before an answer says so.
func TestUnanswered(t *testing.T) {
	var out bytes.Buffer
	ctx := context.Background()
	_, _ = trace.Record(&scripted{resp: answer()}, trace.NewWriter(&out)).Generate(ctx, ask())
	cut := bytes.LastIndexByte(bytes.TrimSuffix(out.Bytes(), []byte("\n")), '\n') + 1
	if _, err := player(t, out.Bytes()[:cut]).Generate(ctx, ask()); callwright.KindOf(err) != callwright.KindTruncated {
		t.Error(err)
	}
}

// TestDifferences: every place is found, up to the bound, in the order of the first document; what means the same is none.
func TestDifferences(t *testing.T) {
	for _, c := range []struct {
		was, now string
		want     []string
	}{
		{`{"a":1,"b":[1,2]}`, `{"b":[1,2],"a":1}`, nil},
		{`"é\n"`, `"\u00e9\u000a"`, nil},
		{`{"a":1.0}`, `{"a":1}`, []string{`/a: was 1.0, now 1`}},
		{`{"a":1,"b":{"c/d":[1,{"e~":"x"}]}}`, `{"b":{"c/d":[2,{"e~":"y"},3]},"f":null}`, []string{
			`/a: was 1, now nothing`, `/b/c~1d/0: was 1, now 2`, `/b/c~1d/1/e~0: was "x", now "y"`, `/b/c~1d/2: was nothing, now 3`, `/f: was nothing, now null`,
		}},
		{`[1]`, `{}`, []string{`: was [1], now {}`}},
		{`[1,2,3,4,5,6,7]`, `[]`, []string{"/0: was 1, now nothing", "/1: was 2, now nothing", "/2: was 3, now nothing", "/3: was 4, now nothing", "/4: was 5, now nothing"}},
	} {
		var got []string
		for _, d := range trace.Differences([]byte(c.was), []byte(c.now), 5) {
			got = append(got, d.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s and %s: %s", c.was, c.now, diff)
		}
	}
}
