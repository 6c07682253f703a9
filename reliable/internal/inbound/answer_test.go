package inbound_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/eventqueue"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const weather = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`

// An owner asks for answers with tools.
type owner struct{ tools *judge.Toolset }

func (owner) IDTaken(string) bool { return false }
func (owner) IsStopped() bool     { return false }

func (o owner) ScanOptions() dialect.Options {
	return dialect.Options{Tools: o.tools.Shapes, Names: o.tools.Names}
}

// answer makes an Answer and a place for what it hands on. change may be nil.
func answer(t rapid.TB, change func(*inbound.Setup)) (*inbound.Answer, *[]callwright.Event) {
	t.Helper()
	tools, err := judge.NewToolset([]callwright.Tool{{Name: "get_weather", Schema: []byte(weather)}}, schema.NewCache(8))
	if err != nil {
		t.Fatal(err)
	}
	var got []callwright.Event
	set := inbound.Setup{
		Toolset: tools, Ledger: &judge.Ledger{Policy: callwright.PolicyHeal}, Mint: func(prefix string) string { return prefix + "minted" }, Model: "lab/m", Mode: caps.Native,
		Attempt: owner{tools},
		Out: func(b callwright.Batch) bool {
			got = append(got, b.Events...)
			return true
		},
	}
	if change != nil {
		change(&set)
	}
	return inbound.New(set), &got
}

// take feeds events up to the End and finalizes the answer.
func take(a *inbound.Answer, events ...callwright.Event) {
	for _, ev := range events {
		a.Take(one(ev))
	}
	a.Finalize()
}

// one is an event as a batch that more follows.
func one(ev callwright.Event) callwright.Batch {
	return callwright.Batch{Events: []callwright.Event{ev}, More: true}
}

func call(id, name, args string) []callwright.Event {
	return []callwright.Event{callwright.CallBegin{ID: id, Name: name}, callwright.CallDelta{Text: args}, callwright.CallEnd{}}
}

const inText = `<tool_call>{"name":"get_weather","arguments":{"city":"Rome"}}</tool_call>`

func TestOutcome(t *testing.T) {
	end := func(f callwright.Finish) callwright.Event { return callwright.End{Finish: f} }
	good := call("c1", "get_weather", `{"city":"Oslo"}`)
	for _, tc := range []struct {
		name                            string
		events                          []callwright.Event
		good                            int
		invalid                         []callwright.InvalidReason
		correctable, truncated, isEmpty bool
	}{
		{name: "a good call", events: append(good, end(callwright.FinishCalls)), good: 1},
		{name: "a call in the text", events: []callwright.Event{callwright.TextDelta{Text: inText}, end(callwright.FinishStop)}, good: 1},
		{name: "another call beside a native one", events: append(append([]callwright.Event{callwright.TextDelta{Text: inText}}, good...), end(callwright.FinishCalls)),
			good: 1, invalid: []callwright.InvalidReason{callwright.InvalidBesideNative}},
		{name: "a cut call", events: append(call("c1", "get_weather", `{"city":"Os`), end(callwright.FinishLength)),
			invalid: []callwright.InvalidReason{callwright.InvalidTruncated}, correctable: true, truncated: true},
		{name: "a cut call in the text", events: []callwright.Event{callwright.TextDelta{Text: `<tool_call>{"name":"get_weather","arguments":{"city":"Os`}, end(callwright.FinishLength)},
			invalid: []callwright.InvalidReason{callwright.InvalidTruncated}, correctable: true, truncated: true},
		{name: "an undeclared tool in the text", events: []callwright.Event{callwright.TextDelta{Text: `<tool_call>{"name":"get_time","arguments":{}}</tool_call>`}, end(callwright.FinishStop)},
			invalid: []callwright.InvalidReason{callwright.InvalidUndeclared}, correctable: true},
		{name: "nothing", events: []callwright.Event{end(callwright.FinishStop)}, isEmpty: true},
		{name: "nothing, for its length", events: []callwright.Event{end(callwright.FinishLength)}},
		{name: "reasoning alone", events: []callwright.Event{callwright.ReasoningDelta{Text: "hm"}, callwright.ReasoningEnd{}, end(callwright.FinishStop)}, isEmpty: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, _ := answer(t, nil)
			take(a, tc.events...)
			var invalid []callwright.InvalidReason
			for _, c := range a.Outcome.Invalid {
				invalid = append(invalid, c.Why)
			}
			if d := cmp.Diff(tc.invalid, invalid); d != "" || len(a.Outcome.Good) != tc.good {
				t.Errorf("%d good calls (-want +got)\n%s", len(a.Outcome.Good), d)
			}
			if a.Outcome.Correctable() != tc.correctable || a.Outcome.AllTruncated() != tc.truncated || a.Outcome.Empty() != tc.isEmpty {
				t.Errorf("correctable %t, truncated %t, empty %t", a.Outcome.Correctable(), a.Outcome.AllTruncated(), a.Outcome.Empty())
			}
		})
	}
}

// The End is handed on by ReleaseEnd alone, with the finish that follows from the content.
func TestRelease(t *testing.T) {
	events := append(call("c1", "get_weather", `{"city":"Oslo"}`), callwright.End{Finish: callwright.FinishStop})
	a, got := answer(t, nil)
	take(a, events...)
	if n := len(*got); n != 3 {
		t.Fatalf("%d events before the release", n)
	}
	a.ReleaseEnd()
	if last, ok := (*got)[len(*got)-1].(callwright.End); !ok || last.Finish != callwright.FinishCalls {
		t.Errorf("the last event is %#v", last)
	}
	a, got = answer(t, nil)
	take(a, events...)
	a.ReleaseWithoutEnd()
	if n := len(*got); n != 3 {
		t.Errorf("%d events without the end", n)
	}
}

func TestDelivered(t *testing.T) {
	text := []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Cold."}, callwright.End{Finish: callwright.FinishStop}}
	for _, tc := range []struct {
		name   string
		change func(*inbound.Setup)
		want   inbound.Delivered
	}{
		{"text", nil, inbound.Delivered{Progress: eventqueue.Progress{Shown: true, Answered: true, Text: true, TextBytes: 5}}},
		{"text where the prompt demands a call", func(s *inbound.Setup) { s.ChoiceInPrompt = true }, inbound.Delivered{}},
		{"text after text of an earlier attempt", func(s *inbound.Setup) { s.EarlierText = true }, inbound.Delivered{Progress: eventqueue.Progress{Shown: true, Answered: true, Text: true, TextBytes: 5}}},
		{"a client that stops", func(s *inbound.Setup) { s.Out = func(callwright.Batch) bool { return false } }, inbound.Delivered{Progress: eventqueue.Progress{Stopped: true}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, _ := answer(t, tc.change)
			take(a, text...)
			if d := cmp.Diff(tc.want, a.Outcome.Delivered); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// What a text and a call have beside what they say comes through, where they need no change and where they do.
func TestExtrasComeThrough(t *testing.T) {
	extra := callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"caller":{}}`)}
	for _, args := range []string{`{"city":"Oslo"}`, `{'city': 'Oslo'}`} {
		a, got := answer(t, nil)
		take(a, callwright.TextBegin{Extra: extra}, callwright.TextDelta{Text: "Cold."}, callwright.CallBegin{ID: "c1", Name: "get_weather", Extra: extra},
			callwright.CallDelta{Text: args}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls})
		a.ReleaseEnd()
		var all callwright.Collector
		for _, ev := range *got {
			all.Add(ev)
		}
		parts := all.Response().Parts
		if c, ok := parts[len(parts)-1].(callwright.Call); ok {
			c.Raw = ""
			parts[len(parts)-1] = c
		}
		want := []callwright.Part{callwright.Text{Text: "Cold.", Extra: extra},
			callwright.Call{ID: "c1", Name: "get_weather", Arguments: []byte(`{"city":"Oslo"}`), Extra: extra}}
		if d := cmp.Diff(want, parts, cmp.Transformer("compact", func(b []byte) string { return strings.ReplaceAll(string(b), " ", "") })); d != "" {
			t.Errorf("%s (-want +got)\n%s", args, d)
		}
	}
}

// What stands before the end of reasoning that nothing opened is reasoning: a call there is a draft, and runs only where nothing is
// said after it. Of a stream the text before it was handed on.
func TestEndOfReasoningThatNothingOpened(t *testing.T) {
	const after = "\n</think>\n\n"
	for _, tc := range []struct {
		name, text       string
		calls            int
		content, thought string // of a whole answer
		streamed         string // visible text of a stream
		draft            bool   // noted in the stream
	}{
		{"text after it", "Maybe\n" + inText + after + "Which city?", 0, "Which city?", "Maybe\n" + inText, "Maybe\n\nWhich city?", true},
		{"a call after it", "Well.\n" + inText + after + strings.Replace(inText, "Rome", "Oslo", 1), 1, "", "Well.\n" + inText, "Well.", true},
		{"the same call after it", inText + after + inText, 1, "", inText, "", true},
		{"nothing after it", inText + after, 1, "", "", "", false},
		{"no call", "It may be on." + after + "It is on.", 0, "It is on.", "It may be on.", "It may be on.\n\nIt is on.", false},
		{"only its mention", "Write the </think> tag.", 0, "Write the </think> tag.", "", "Write the </think> tag.", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			events := []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: tc.text}, callwright.End{Finish: callwright.FinishStop}}
			whole, got := answer(t, nil)
			whole.Preview([]callwright.Batch{{Events: events}})
			take(whole, events...)
			if content, thought := said(*got); content != tc.content || thought != tc.thought || len(whole.Outcome.Good) != tc.calls {
				t.Errorf("whole: %q, %q, %d calls", content, thought, len(whole.Outcome.Good))
			}
			streamed, got := answer(t, nil)
			for i := range tc.text {
				streamed.Take(one(callwright.TextDelta{Text: tc.text[i : i+1]}))
			}
			take(streamed, callwright.End{Finish: callwright.FinishStop})
			if content, thought := said(*got); content != tc.streamed || thought != "" || len(streamed.Outcome.Good) != tc.calls {
				t.Errorf("streamed: %q, %q, %d calls", content, thought, len(streamed.Outcome.Good))
			}
			if noted := slices.ContainsFunc(streamed.Setup.Ledger.Notes, func(n callwright.Note) bool { return n.Rule == "reasoning.draft" }); noted != tc.draft {
				t.Errorf("noted %v: %v", noted, streamed.Setup.Ledger.Notes)
			}
		})
	}
}

// said is the text and the reasoning of events.
func said(events []callwright.Event) (text, thought string) {
	for _, ev := range events {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			text += ev.Text
		case callwright.ReasoningDelta:
			thought += ev.Text
		}
	}
	return text, thought
}

// Every mark that closes reasoning has one of the words that are looked for first.
func TestReasoningWords(t *testing.T) {
	n := 0
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			text := "It may be on.\n" + m.Close + "\nIt is on."
			isUnopened := func(it dialect.Item) bool { return it.Note.Rule == dialect.Unopened }
			if m.Role != dialect.Think || !slices.ContainsFunc(dialect.ScanAll(dialect.Options{}, text), isUnopened) {
				continue
			}
			n++
			a, got := answer(t, nil)
			events := []callwright.Event{callwright.TextDelta{Text: text}, callwright.End{Finish: callwright.FinishStop}}
			a.Preview([]callwright.Batch{{Events: events}})
			take(a, events...)
			if _, thought := said(*got); strings.TrimSpace(thought) != "It may be on." {
				t.Errorf("%s: %q of %q", m.Close, thought, text)
			}
		}
	}
	if n < 8 {
		t.Errorf("%d marks", n)
	}
}

// Calls that come once the checks of an answer took too long are not checked any more. What a whole answer's calls took that cannot be taken
// as they are does not count, nor are their ids in use.
func TestTimeForChecks(t *testing.T) {
	first := callwright.Call{ID: "c1", Name: "get_weather", Arguments: []byte(`{"city":"Oslo"}`)}
	for name, tc := range map[string]struct {
		second     callwright.Call
		wholeFirst bool
		limit      time.Duration
		good       int
		whyNot     callwright.InvalidReason
	}{
		"two good calls in time":              {second: callwright.Call{ID: "c2", Name: "get_weather", Arguments: []byte(`{"city":"Rome"}`)}, limit: time.Hour, good: 2},
		"the second comes too late":           {second: callwright.Call{ID: "c2", Name: "get_weather", Arguments: []byte(`{"city":"Rome"}`)}, limit: 1, good: 1, whyNot: callwright.InvalidArguments},
		"whole first, with an unknown tool":   {second: callwright.Call{ID: "c2", Name: "get_news", Arguments: []byte(`{}`)}, wholeFirst: true, limit: time.Hour, good: 1, whyNot: callwright.InvalidUndeclared},
		"whole first, which took all of time": {second: callwright.Call{ID: "c2", Name: "get_news", Arguments: []byte(`{}`)}, wholeFirst: true, limit: 1, good: 1, whyNot: callwright.InvalidUndeclared},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := answer(t, func(s *inbound.Setup) { s.WantsWhole = tc.wholeFirst })
			a.BoundChecks(tc.limit)
			if tc.wholeFirst && a.TakeWhole(&callwright.Response{Parts: []callwright.Part{first, tc.second}, Finish: callwright.FinishCalls}) {
				t.Fatal("an answer with a call of an unknown tool was taken whole")
			}
			events := append(call(first.ID, first.Name, string(first.Arguments)), call(tc.second.ID, tc.second.Name, string(tc.second.Arguments))...)
			take(a, append(events, callwright.End{Finish: callwright.FinishCalls})...)
			if len(a.Outcome.Good) != tc.good || a.Outcome.Good[0].ID != first.ID || (tc.whyNot == "") != (len(a.Outcome.Invalid) == 0) || tc.whyNot != "" && a.Outcome.Invalid[0].Why != tc.whyNot {
				t.Errorf("good calls: %+v, invalid: %+v", a.Outcome.Good, a.Outcome.Invalid)
			}
		})
	}
}

// An answer may be of so many bytes and no more, whatever they are.
func TestSizeOfAnswers(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for name, ev := range map[string]callwright.Event{
		"text": callwright.TextDelta{Text: long}, "reasoning": callwright.ReasoningDelta{Text: long},
		"an image": callwright.MediaPart{Part: callwright.Image{Data: long}}, "a file": callwright.MediaPart{Part: callwright.File{Data: long}},
		"an opaque part": callwright.OpaquePart{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: []byte(`"` + long + `"`)}},
	} {
		a, _ := answer(t, nil)
		n := 0
		for ; a.Outcome.Err == nil && n < 100; n++ {
			take(a, ev)
		}
		if n < 60 || n > 64 {
			t.Errorf("%s: %d MiB were taken", name, n)
		}
	}
}
