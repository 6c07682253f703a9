package inbound_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// watched makes an Answer whose progress is watched.
func watched(t rapid.TB, change func(*inbound.Setup)) (*inbound.Answer, *progress.Progress) {
	p := new(progress.Progress)
	a, _ := answer(t, func(s *inbound.Setup) {
		s.Progress = p
		if change != nil {
			change(s)
		}
	})
	return a, p
}

// What is told of an answer is its state, the declared tool of the call that arrives, and bytes.
func TestProgress(t *testing.T) {
	text := func(s string) callwright.Event { return callwright.TextDelta{Text: s} }
	begin := func(name string) callwright.Event { return callwright.CallBegin{ID: "c", Name: name} }
	args := callwright.CallDelta{Text: `{"city":"Os`}
	held := func(s *inbound.Setup) { s.HoldCalls = true }
	document := func(s *inbound.Setup) { s.Document, s.Mode = true, "json_schema" }
	for name, tc := range map[string]struct {
		change func(*inbound.Setup)
		events []callwright.Event
		want   progress.Snapshot
	}{
		"text":                       {nil, []callwright.Event{text("Hello")}, progress.Snapshot{State: "text", Bytes: 5}},
		"reasoning":                  {nil, []callwright.Event{callwright.ReasoningDelta{Text: "Hm"}}, progress.Snapshot{State: "thinking", Bytes: 2}},
		"reasoning in text":          {nil, []callwright.Event{text("<think>Let me see")}, progress.Snapshot{State: "thinking", Bytes: 17}},
		"text behind reasoning":      {nil, []callwright.Event{text("<think>Let me see</think>Done. "), text("And")}, progress.Snapshot{State: "text", Bytes: 34}},
		"a held call":                {held, []callwright.Event{begin("get_weather"), args}, progress.Snapshot{State: "holding", Tool: "get_weather", Bytes: 11}},
		"another spelling":           {held, []callwright.Event{begin("Get-Weather"), args}, progress.Snapshot{State: "holding", Tool: "get_weather", Bytes: 11}},
		"an undeclared name":         {held, []callwright.Event{begin("my secret"), args}, progress.Snapshot{State: "holding", Bytes: 11}},
		"a flowing call":             {nil, []callwright.Event{begin("get_weather"), args}, progress.Snapshot{State: "calling", Tool: "get_weather", Bytes: 11}},
		"a passed call":              {func(s *inbound.Setup) { s.Passthrough = true }, []callwright.Event{begin("get_weather"), args}, progress.Snapshot{State: "calling", Tool: "get_weather", Bytes: 11}},
		"a call that ended":          {held, []callwright.Event{begin("get_weather"), args, callwright.CallEnd{}}, progress.Snapshot{State: "holding", Tool: "get_weather", Bytes: 11}},
		"text behind a call":         {held, append(call("c", "get_weather", `{"city":"Oslo"}`), text("So")), progress.Snapshot{State: "text", Bytes: 17}},
		"a second call":              {held, append(call("c", "get_weather", `{"city":"Oslo"}`), begin("get_weather")), progress.Snapshot{State: "holding", Tool: "get_weather"}},
		"a call in text":             {nil, []callwright.Event{text(inText[:len(inText)-20])}, progress.Snapshot{State: "holding", Tool: "get_weather", Bytes: int64(len(inText) - 20)}},
		"its arguments first":        {nil, []callwright.Event{text(`<tool_call>{"arguments":{"city":"Rome`)}, progress.Snapshot{State: "holding", Bytes: 37}},
		"an undeclared name in text": {nil, []callwright.Event{text(`<tool_call>{"name":"my secret","arguments":{"city":"Rome`)}, progress.Snapshot{State: "holding", Bytes: 56}},
		"elements":                   {nil, []callwright.Event{text("<tool_call>\n<function=get_weather>\n<parameter=city>\nRom")}, progress.Snapshot{State: "holding", Tool: "get_weather", Bytes: 55}},
		"text before a call in text": {nil, []callwright.Event{text("I look.\n"), text(`<tool_call>{"name":"get_weather"`)}, progress.Snapshot{State: "holding", Tool: "get_weather", Bytes: 33}},
		"a document":                 {document, []callwright.Event{text(`{"toolCalls":[{"name":"get_`), text(`weather","arguments":{"city":"Ro`)}, progress.Snapshot{State: "holding", Tool: "get_weather", Bytes: 59}},
		"usage behind a call":        {held, []callwright.Event{begin("get_weather"), args, callwright.UsageDelta{}}, progress.Snapshot{State: "holding", Tool: "get_weather", Bytes: 11}},
	} {
		a, p := watched(t, tc.change)
		for _, ev := range tc.events {
			a.Take(callwright.Batch{Events: []callwright.Event{ev}})
		}
		got := p.Now(time.Now())
		got.Seconds, got.Silent = 0, 0
		if got != tc.want {
			t.Errorf("%s: expected %+v, got %+v", name, tc.want, got)
		}
	}
}

// However a text is cut, no tool is named but a declared one, the bytes never exceed what came, and the end is that of the text in one piece.
func TestProgressOfPieces(t *testing.T) {
	parts := []string{inText, "Some prose. ", "<think>Hm, {\"name\":\"get_weather\"</think>", `{"name":"my_secret","arguments":{"name":"get_weather"}}`, "```json\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Rome\"}}\n```\n",
		"<tool_call>\n<function=get_weather>\n<parameter=city>\nRome", "\n"}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(parts), 1, 4).Draw(t, "parts") {
			text += s
		}
		whole, pw := watched(t, nil)
		whole.Take(callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: text}}})
		a, p := watched(t, nil)
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			a.Take(callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: rest[:n]}}})
			rest = rest[n:]
			if now := p.Now(time.Now()); now.Tool != "" && now.Tool != "get_weather" || now.Bytes > int64(len(text)-len(rest)) {
				t.Fatalf("after %q: %+v", text[:len(text)-len(rest)], now)
			}
		}
		want, got := pw.Now(time.Now()), p.Now(time.Now())
		if want.State != got.State || want.Tool != got.Tool || want.Bytes != got.Bytes {
			t.Fatalf("expected %+v of %q, got %+v", want, text, got)
		}
	})
}
