package callwright_test

import (
	"encoding/json"
	"errors"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
)

// stream gives events and then, unless it is nil, an error.
func stream(events []callwright.Event, err error) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		for _, ev := range events {
			if !yield(ev, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// collected is the answer that events make.
func collected(t interface{ Fatal(...any) }, events []callwright.Event) *callwright.Response {
	r, err := callwright.Collect(stream(events, nil))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var (
	word   = rapid.StringMatching(`[a-z]{0,4}`)
	said   = rapid.StringN(1, 20, -1)
	object = rapid.SampledFrom([]string{``, `{}`, `{"a":1}`, `{"n":9007199254740993,"s":"\u00e9 \"x\""}`, `{"cut":`})
)

func extra(t *rapid.T) callwright.Extra {
	if doc := object.Draw(t, "extra"); doc != "" {
		return callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(doc)}
	}
	return callwright.Extra{}
}

func origin(t *rapid.T) callwright.Origin {
	return callwright.Origin{Wire: callwright.WireName(word.Draw(t, "wire")), Model: callwright.ModelID(word.Draw(t, "model"))}
}

// part draws a part of an answer. Texts are not empty, and a call has what events carry: the pieces of its arguments.
func part(t *rapid.T) callwright.Part {
	switch rapid.IntRange(0, 6).Draw(t, "part") {
	case 0:
		return callwright.Text{Text: said.Draw(t, "text"), Extra: extra(t)}
	case 1:
		return callwright.Reasoning{
			Text: rapid.String().Draw(t, "reasoning"), Signature: word.Draw(t, "signature"), Redacted: word.Draw(t, "redacted"),
			ID: word.Draw(t, "id"), Origin: origin(t), Extra: extra(t),
		}
	case 2:
		c := callwright.Call{ID: word.Draw(t, "id"), Name: word.Draw(t, "name"), Signature: word.Draw(t, "signature"), Origin: origin(t), Extra: extra(t)}
		if doc := object.Draw(t, "arguments"); doc != "" {
			c.Arguments = json.RawMessage(doc)
		}
		return c
	case 3:
		return callwright.Call{ID: word.Draw(t, "id"), Name: word.Draw(t, "name"), Type: callwright.CustomTool, Input: rapid.String().Draw(t, "input")}
	case 4:
		return callwright.Image{MediaType: word.Draw(t, "type"), Data: word.Draw(t, "data"), URL: word.Draw(t, "url"), Extra: extra(t)}
	case 5:
		return callwright.File{Name: word.Draw(t, "name"), MediaType: word.Draw(t, "type"), Data: word.Draw(t, "data"), Text: word.Draw(t, "text"), Extra: extra(t)}
	}
	return callwright.Opaque{Extra: extra(t)}
}

func usage(t *rapid.T) callwright.Usage {
	if !rapid.Bool().Draw(t, "known") {
		return callwright.Usage{}
	}
	n := func(label string) int { return rapid.IntRange(0, 3).Draw(t, label) }
	return callwright.Usage{
		Known: true, Input: n("input"), CacheRead: n("read"), CacheWrite: n("write"), Output: n("output"), Reasoning: n("thought"), Extra: extra(t),
	}
}

// response draws a whole answer of a codec. Two texts never follow each other: events do not tell them apart.
func response(t *rapid.T) *callwright.Response {
	r := &callwright.Response{
		ID: word.Draw(t, "id"), Model: word.Draw(t, "model"), Extra: extra(t), Usage: usage(t),
		Finish: rapid.SampledFrom([]callwright.Finish{callwright.FinishStop, callwright.FinishCalls, callwright.FinishLength, ""}).Draw(t, "finish"),
	}
	text := false
	for range rapid.IntRange(0, 6).Draw(t, "parts") {
		p := part(t)
		if _, ok := p.(callwright.Text); ok && text {
			continue
		} else {
			text = ok
		}
		r.Parts = append(r.Parts, p)
	}
	if rapid.Bool().Draw(t, "framed") {
		r.Raw = &callwright.Raw{Wire: callwright.WireOpenAI, Bytes: []byte(rapid.String().Draw(t, "raw"))}
	}
	return r
}

// A whole answer as events is that answer again, its bytes included.
func TestCollectIsTheReverseOfEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := response(t)
		var c callwright.Collector
		c.AddBatch(r.Batch())
		if d := cmp.Diff(r, c.Response()); d != "" {
			t.Fatalf("want (-) got (+):\n%s", d)
		}
	})
}

// A collected response has the parts of the stream in the same order, wherever the stream cuts its texts, and with batches of only bytes
// or only notes between. Only the bytes are lost.
func TestCollectKeepsOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := response(t)
		r.Raw = nil
		var c callwright.Collector
		c.AddBatch(callwright.Batch{Raw: []byte(": beginning")})
		for _, ev := range r.Events() {
			for _, piece := range cutAnywhere(t, ev) {
				c.AddBatch(callwright.Batch{Events: []callwright.Event{piece}})
				if aside := rapid.IntRange(0, 5).Draw(t, "aside"); aside < 3 {
					c.AddBatch([]callwright.Batch{{}, {Raw: []byte(":")}, {Notes: []callwright.Note{{}}}}[aside])
				}
			}
		}
		if d := cmp.Diff(r, c.Response()); d != "" {
			t.Fatalf("want (-) got (+):\n%s", d)
		}
	})
}

// cutAnywhere is an event in pieces that mean the same.
func cutAnywhere(t *rapid.T, ev callwright.Event) []callwright.Event {
	var text string
	var piece func(string) callwright.Event
	switch ev := ev.(type) {
	case callwright.TextDelta:
		text, piece = ev.Text, func(s string) callwright.Event { return callwright.TextDelta{Text: s} }
	case callwright.ReasoningDelta:
		text, piece = ev.Text, func(s string) callwright.Event { return callwright.ReasoningDelta{Text: s} }
	case callwright.CallDelta:
		text, piece = ev.Text, func(s string) callwright.Event { return callwright.CallDelta{Index: ev.Index, Text: s} }
	default:
		return []callwright.Event{ev}
	}
	var out []callwright.Event
	for text != "" {
		n := rapid.IntRange(1, len(text)).Draw(t, "cut")
		out = append(out, piece(text[:n]))
		text = text[n:]
	}
	return out
}

// What was collected so far is the answer so far, and asking for it loses nothing of the rest.
func TestCollectorAnswersOnTheWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := response(t).Events()
		asked := rapid.IntRange(0, len(events)).Draw(t, "asked")
		var c callwright.Collector
		for i, ev := range events {
			if i == asked {
				if d := cmp.Diff(collected(t, events[:i]), c.Response()); d != "" {
					t.Fatalf("so far, want (-) got (+):\n%s", d)
				}
			}
			c.Add(ev)
		}
		want, got := collected(t, events), c.Response()
		if got.Text() != want.Text() || got.Reasoning() != want.Reasoning() || !cmp.Equal(got.Calls(), want.Calls()) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

func TestCollect(t *testing.T) {
	whole := callwright.Call{ID: "c1", Name: "find_train", Arguments: json.RawMessage(`{"from":"Bonn"}`), Raw: "<tool_call>", Unvalidated: true}
	more := true
	report := &callwright.Report{ID: "rep_1", Confidence: 0.9}
	for _, tc := range []struct {
		about  string
		events []callwright.Event
		want   callwright.Response
	}{
		{"nothing", nil, callwright.Response{}},
		{"a judged call replaces its pieces", []callwright.Event{
			callwright.CallBegin{ID: "c1", Name: "FindTrain"}, callwright.CallDelta{Text: `{"from":`}, callwright.CallEnd{Call: &whole},
		}, callwright.Response{Parts: []callwright.Part{whole}}},
		{"a call that never ends is left out", []callwright.Event{
			callwright.TextDelta{Text: "I look."}, callwright.CallBegin{Name: "ping"}, callwright.CallDelta{Text: "{"}, callwright.End{Finish: callwright.FinishLength},
		}, callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "I look."}}, Finish: callwright.FinishLength}},
		{"an end without a call", []callwright.Event{callwright.CallEnd{}}, callwright.Response{}},
		{"reasoning without an end", []callwright.Event{
			callwright.ReasoningDelta{Text: "hm"}, callwright.TextDelta{Text: "yes"}, callwright.ReasoningDelta{Text: "so"},
		}, callwright.Response{Parts: []callwright.Part{callwright.Reasoning{Text: "hm"}, callwright.Text{Text: "yes"}, callwright.Reasoning{Text: "so"}}}},
		{"the report comes last", []callwright.Event{
			callwright.End{Finish: callwright.FinishStop}, callwright.Done{Report: report, NeedsMoreWork: &more},
		}, callwright.Response{Finish: callwright.FinishStop, Report: report, NeedsMoreWork: &more, Confidence: 0.9}},
	} {
		if d := cmp.Diff(&tc.want, collected(t, tc.events)); d != "" {
			t.Errorf("%s: want (-) got (+):\n%s", tc.about, d)
		}
	}
}

func TestCollectFails(t *testing.T) {
	broken := errors.New("broken")
	if r, err := callwright.Collect(stream([]callwright.Event{callwright.TextDelta{Text: "half"}}, broken)); r != nil || !errors.Is(err, broken) {
		t.Errorf("%+v, %v", r, err)
	}
}

// A whole answer as a batch has the notes of its report.
func TestBatchOfAReport(t *testing.T) {
	notes := []callwright.Note{{Rule: "json.trailing_comma"}, {Rule: "finish.derived"}}
	r := &callwright.Response{Finish: callwright.FinishStop, Report: &callwright.Report{Notes: notes}}
	want := callwright.Batch{Events: []callwright.Event{callwright.Begin{}, callwright.End{Finish: callwright.FinishStop}}, Notes: notes}
	if d := cmp.Diff(want, r.Batch()); d != "" {
		t.Errorf("want (-) got (+):\n%s", d)
	}
}

// Raw bytes are those of the whole answer, or there are none. Those of a batch are valid until the next batch alone.
func TestRawIsWhole(t *testing.T) {
	text := callwright.TextDelta{Text: "a"}
	with := func(raw string, events ...callwright.Event) callwright.Batch {
		return callwright.Batch{Wire: callwright.WireOpenAI, Raw: []byte(raw), Events: events}
	}
	bare := callwright.Batch{Events: []callwright.Event{text}}
	for name, c := range map[string]struct {
		batches []callwright.Batch
		raw     string
	}{
		"one batch":             {[]callwright.Batch{{Notes: []callwright.Note{{}}}, with("whole", text)}, "whole"},
		"two batches":           {[]callwright.Batch{with("first", text), with("second", text)}, ""},
		"three batches":         {[]callwright.Batch{with("first", text), with("second", text), with("third", text)}, ""},
		"text before bytes":     {[]callwright.Batch{bare, with("rest", text)}, ""},
		"text behind bytes":     {[]callwright.Batch{with("first", text), bare}, ""},
		"bytes behind bytes":    {[]callwright.Batch{with("first", text), with(":")}, ""},
		"batches without words": {[]callwright.Batch{with(":"), with(":"), with("rest", text)}, ""},
	} {
		var col callwright.Collector
		for _, b := range c.batches {
			col.AddBatch(b)
			clear(b.Raw)
		}
		got := ""
		if raw := col.Response().Raw; raw != nil {
			got = string(raw.Bytes)
		}
		if got != c.raw {
			t.Errorf("%s: raw bytes %q, expected %q", name, got, c.raw)
		}
	}
}

func TestUsageMerge(t *testing.T) {
	first := callwright.Usage{Known: true, Input: 10, CacheRead: 4, Output: 1, Extra: callwright.Extra{JSON: json.RawMessage(`{"a":1}`)}}
	later := callwright.Usage{Known: true, Output: 7, Reasoning: 2}
	want := callwright.Usage{Known: true, Input: 10, CacheRead: 4, Output: 7, Reasoning: 2, Extra: first.Extra}
	if d := cmp.Diff(want, first.Merge(later)); d != "" {
		t.Errorf("want (-) got (+):\n%s", d)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := usage(t), usage(t), usage(t)
		if d := cmp.Diff(a.Merge(b).Merge(c), a.Merge(b.Merge(c))); d != "" {
			t.Fatalf("the grouping matters:\n%s", d)
		}
		if !cmp.Equal(a, a.Merge(callwright.Usage{})) || !cmp.Equal(a, callwright.Usage{}.Merge(a)) || !cmp.Equal(a, a.Merge(a)) {
			t.Fatalf("%+v is changed by nothing, or by itself", a)
		}
	})
}

// The members that only one wire knows come with the beginning of an answer and with its end; what the end says counts.
func TestCollectJoinsMembers(t *testing.T) {
	extra := func(w callwright.WireName, v string) callwright.Extra {
		return callwright.Extra{Wire: w, JSON: []byte(v)}
	}
	for _, c := range []struct{ begin, end, want callwright.Extra }{
		{extra("a", `{"x":1,"y":null}`), extra("a", `{"y":2,"z":3}`), extra("a", `{"x":1,"y":2,"z":3}`)},
		{extra("a", `{"x":1}`), callwright.Extra{}, extra("a", `{"x":1}`)},
		{callwright.Extra{}, extra("a", `{"x":1}`), extra("a", `{"x":1}`)},
		{extra("a", `{"x":1}`), extra("a", `{"x":1}`), extra("a", `{"x":1}`)},
		{extra("a", `{"x":1}`), extra("b", `{"y":1}`), extra("b", `{"y":1}`)},
	} {
		var all callwright.Collector
		all.Add(callwright.Begin{Extra: c.begin})
		all.Add(callwright.End{Extra: c.end})
		if got := all.Response().Extra; got.Wire != c.want.Wire || string(got.JSON) != string(c.want.JSON) {
			t.Errorf("%s and %s: expected %s, got %s of %s", c.begin.JSON, c.end.JSON, c.want.JSON, got.JSON, got.Wire)
		}
	}
}
