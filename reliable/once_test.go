package reliable_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// calling is an answer with native calls, each a name and arguments. Ids repeat from answer to answer, as they do with some models.
func calling(calls ...string) []callwright.Event {
	out := []callwright.Event{callwright.Begin{}}
	for i, c := range calls {
		name, args, _ := strings.Cut(c, " ")
		out = append(out, callwright.CallBegin{Index: i, ID: fmt.Sprintf("call_%d", i), Name: name}, callwright.CallDelta{Index: i, Text: args}, pause{}, callwright.CallEnd{Index: i})
	}
	return append(out, callwright.End{Finish: callwright.FinishCalls})
}

// inTags is an answer with the same calls as text.
func inTags(calls ...string) []callwright.Event {
	var b strings.Builder
	for _, c := range calls {
		name, args, _ := strings.Cut(c, " ")
		fmt.Fprintf(&b, "<tool_call>{\"name\":%q,\"arguments\":%s}</tool_call>", name, args)
	}
	return text(b.String())
}

// deliveries are the ways in which a client can get an answer.
var deliveries = map[string]func(*reliable.Client, *callwright.Request) (*callwright.Response, error){
	"whole": func(c *reliable.Client, r *callwright.Request) (*callwright.Response, error) {
		return c.Generate(context.Background(), r)
	},
	"streamed": func(c *reliable.Client, r *callwright.Request) (*callwright.Response, error) {
		return callwright.Collect(c.Stream(context.Background(), r))
	},
}

const (
	goodOne = `get_weather {"city":"Oslo"}`
	goodTwo = `get_weather {"city": "Bergen"}`
	badOne  = `get_weather {"town":5}`
	noOne   = `get_wether {"city":"Rome"}`
)

// A model that repeats all its calls when one has to be corrected does not get the others run twice, and is shown that they are taken.
func TestGoodSiblingsOfABadCallLeaveOnce(t *testing.T) {
	want := []string{"call get_weather " + oslo, `call get_weather {"city": "Bergen"}`, "finish tool_calls"}
	for name, answers := range map[string][]any{
		"native":                         {calling(goodOne, badOne), calling(goodOne, goodTwo)},
		"the bad one first":              {calling(badOne, goodOne), calling(goodTwo, goodOne)},
		"spaced differently":             {calling(goodOne, badOne), calling(`get_weather { "city" : "Oslo" }`, goodTwo)},
		"undeclared":                     {calling(goodOne, noOne), calling(goodOne, goodTwo)},
		"as text":                        {inTags(goodOne, badOne), inTags(goodOne, goodTwo)},
		"native, then as text":           {calling(goodOne, badOne), inTags(goodOne, goodTwo)},
		"the other alone, under its id":  {calling(goodOne, badOne), calling(goodTwo)},
		"two corrections":                {calling(goodOne, badOne), calling(goodOne, badOne), calling(goodOne, goodTwo)},
		"two corrections that each give": {calling(goodOne, badOne), calling(goodOne, goodTwo, badOne), calling(goodTwo, goodOne)},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				m := &scripted{name: "lab/m", answers: answers}
				resp, err := deliver(reliable.New(m), ask(callwright.Choice{}))
				if d := cmp.Diff(want, outcome(resp, err)); d != "" {
					t.Fatalf("(-want +got)\n%s", d)
				}
				ids := map[string]bool{}
				for _, c := range resp.Calls() {
					if ids[c.ID] {
						t.Errorf("two calls have the id %s", c.ID)
					}
					ids[c.ID] = true
				}
				var shown strings.Builder
				for _, line := range sent(t, m.asked[1]) {
					shown.WriteString(line + "\n")
				}
				if !strings.Contains(shown.String(), "This call was accepted.") {
					t.Errorf("the correction does not say that the good call is taken:\n%s", shown.String())
				}
			})
		}
	}
}

// However answers are corrected: a call leaves as often as one answer made it, and never more often.
func TestCallsLeaveOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pool := []string{goodOne, goodTwo, badOne, noOne, `get_weather {"city":"Oslo"`, `get_weather {"city":"Oslo","days":"3"}`}
		var answers []any
		most := map[string]int{}
		for range 4 {
			calls := rapid.SliceOfN(rapid.SampledFrom(pool), 1, 4).Draw(t, "calls")
			made := map[string]int{}
			for _, c := range calls {
				made[c]++
				most[c] = max(most[c], made[c])
			}
			if rapid.Bool().Draw(t, "as text") {
				answers = append(answers, inTags(calls...))
			} else {
				answers = append(answers, calling(calls...))
			}
		}
		stream := rapid.SampledFrom([]callwright.StreamCalls{callwright.StreamAuto, callwright.StreamHeld, callwright.StreamFlowing}).Draw(t, "stream calls")
		mode := rapid.SampledFrom([]caps.Mode{caps.Native, caps.Text}).Draw(t, "mode")
		way := rapid.SampledFrom([]string{"whole", "streamed"}).Draw(t, "way")
		m := &scripted{name: "lab/m", answers: answers}
		var left []string
		client := reliable.New(m, reliable.WithStreamCalls(stream), reliable.WithModes(mode, caps.Text))
		if way == "whole" {
			if resp, err := client.Generate(context.Background(), ask(callwright.Choice{})); err == nil {
				left = outcome(resp, nil)
			}
		} else {
			left = streamed(client.Batches(context.Background(), ask(callwright.Choice{})))
		}
		got := map[string]int{}
		for _, line := range left {
			for _, city := range []string{"Oslo", "Bergen"} {
				if (strings.HasPrefix(line, "call ") || strings.HasPrefix(line, "end ")) && strings.Contains(line, city) && !strings.Contains(line, "days") {
					got[city]++
				}
			}
		}
		if got["Oslo"] > most[goodOne]+most[pool[4]] || got["Bergen"] > most[goodTwo] {
			t.Fatalf("%d and %d calls left, at most %d and %d were made in one answer: %v", got["Oslo"], got["Bergen"], most[goodOne]+most[pool[4]], most[goodTwo], left)
		}
	})
}

// oddCalls draws answers with calls by one of the names and arguments that are sound or not.
func oddCalls(t *rapid.T, names []string) (answers []any) {
	bodies := []string{"{}", "", oslo, `{"city":"Oslo"`, "<city>Oslo</city>", `<parameter name="city">Oslo</parameter>`, "null", `{"tool_uses":[{"recipient_name":"x","parameters":{}}]}`}
	for range 6 {
		var events []callwright.Event
		frame := func(evs ...callwright.Event) {
			events = append(append(events, rawOf{Wire: callwright.WireOpenAI, Bytes: []byte(fmt.Sprint(evs)), Events: len(evs)}), evs...)
		}
		frame(callwright.Begin{})
		for i := range rapid.IntRange(1, 2).Draw(t, "calls") {
			name, args := rapid.SampledFrom(names).Draw(t, "name"), rapid.SampledFrom(bodies).Draw(t, "arguments")
			frame(callwright.CallBegin{Index: i, ID: fmt.Sprintf("c%d", i), Name: name})
			if rapid.Bool().Draw(t, "pause") {
				events = append(events, pause{})
			}
			frame(callwright.CallDelta{Index: i, Text: args}, callwright.CallEnd{Index: i})
		}
		frame(callwright.End{Finish: callwright.FinishCalls})
		answers = append(answers, events)
	}
	return answers
}

// No name of a tool that is not declared leaves, in no event and no frame, whatever the name is and whichever way it takes.
func TestUndeclaredNamesNeverLeave(t *testing.T) {
	names := []string{
		"get_weather", "Get_Weather", "functions.get_weather", "get_weather:0", "get_wether", "", "get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value>",
		`get_weather{"city":"Oslo"}`, "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>", "get_weather\n<arg_key>city", "read_file", "get_weatherget_weather",
		"<|python_tag|>get_weather", `get_weather({"city": "Oslo"})`, "multi_tool_use.parallel",
	}
	rapid.Check(t, func(t *rapid.T) {
		answers := oddCalls(t, names)
		stream := rapid.SampledFrom([]callwright.StreamCalls{callwright.StreamAuto, callwright.StreamHeld, callwright.StreamFlowing}).Draw(t, "stream calls")
		mode := rapid.SampledFrom([]caps.Mode{caps.Native, caps.Text, caps.JSONSchema, caps.JSONObject, caps.Parsed}).Draw(t, "mode")
		policy := rapid.SampledFrom([]callwright.Policy{callwright.PolicyHeal, callwright.PolicyHealHeuristic, callwright.PolicyStrict}).Draw(t, "policy")
		client := reliable.New(&scripted{name: "lab/m", answers: answers}, reliable.WithStreamCalls(stream), reliable.WithModes(mode), reliable.WithPolicy(policy))
		check := func(name string) {
			if name != "get_weather" {
				t.Fatalf("%q left, in mode %s", name, mode)
			}
		}
		if resp, err := client.Generate(context.Background(), received(ask(callwright.Choice{}))); err == nil {
			for _, c := range resp.Calls() {
				check(c.Name)
			}
			if resp.Raw != nil && strings.Contains(string(resp.Raw.Bytes), "arg_key") {
				t.Fatalf("the bytes %s left", resp.Raw.Bytes)
			}
		}
		client = reliable.New(&scripted{name: "lab/m", answers: answers}, reliable.WithStreamCalls(stream), reliable.WithModes(mode), reliable.WithPolicy(policy))
		for b, err := range client.Batches(context.Background(), received(ask(callwright.Choice{}))) {
			if err != nil {
				break
			}
			for _, ev := range b.Events {
				switch ev := ev.(type) {
				case callwright.CallBegin:
					check(ev.Name)
				case callwright.CallEnd:
					check(ev.Call.Name)
				}
			}
			for _, name := range names[1:] {
				if name != "" && strings.Contains(string(b.Raw), " "+name+" ") {
					t.Fatalf("the bytes %s left", b.Raw)
				}
			}
		}
	})
}

// A call that was read out of its name, or out of markup in its arguments, leaves as it was read.
func TestMendedCallsLeaveAsMended(t *testing.T) {
	want := []string{"call get_weather " + oslo, "finish tool_calls"}
	for name, answer := range map[string]any{
		"arguments in the name":            calling("get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value> {}"),
		"elements for arguments":           calling("get_weather <city>Oslo</city>"),
		"named parameters for arguments":   calling(`get_weather <parameter name="city">Oslo</parameter>`),
		"parameters for arguments":         calling("get_weather <parameter=city>\nOslo\n</parameter>"),
		"keys and values for arguments":    calling("get_weather <arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>"),
		"an element of another for a city": calling(goodOne),
	} {
		for _, stream := range []callwright.StreamCalls{callwright.StreamAuto, callwright.StreamHeld, callwright.StreamFlowing} {
			for way, deliver := range deliveries {
				t.Run(name+"/"+string(stream)+"/"+way, func(t *testing.T) {
					resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{answer}}, reliable.WithStreamCalls(stream)), ask(callwright.Choice{}))
					if d := cmp.Diff(want, outcome(resp, err)); d != "" {
						t.Errorf("(-want +got)\n%s", d)
					}
				})
			}
		}
	}
}

// Every answer says whether the work goes on.
func TestNeedsMoreWorkIsSet(t *testing.T) {
	for name, tc := range map[string]struct {
		answers []any
		want    bool
	}{
		"a call":                      {[]any{goodCall}, true},
		"a call in text":              {[]any{inHermes}, true},
		"a text":                      {[]any{text("Cold.")}, false},
		"a text that was cut":         {[]any{[]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Co"}, callwright.End{Finish: callwright.FinishLength}}}, true},
		"an envelope that ends":       {[]any{text(`{"toolCalls":[],"content":"done","needsMoreWork":false}`)}, false},
		"an envelope and a call":      {[]any{text(`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}],"content":"","needsMoreWork":false}`)}, true},
		"an envelope that asks on":    {[]any{text(`{"content":"first","needsMoreWork":true}`), text(`{"content":"last","needsMoreWork":false}`)}, false},
		"an envelope that never ends": {[]any{text(`{"content":"a","needsMoreWork":true}`), text(`{"content":"b","needsMoreWork":true}`), text(`{"content":"c","needsMoreWork":true}`)}, true},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: tc.answers}), ask(callwright.Choice{}))
				if err != nil || resp.NeedsMoreWork == nil || *resp.NeedsMoreWork != tc.want {
					t.Errorf("got %v, %v", resp, err)
				}
			})
		}
	}
}

// Text in place of a call that could not be made valid comes with what its answer said beside it.
func TestPlainTextIsWhole(t *testing.T) {
	answer := append([]callwright.Event{callwright.Begin{ID: "a1", Model: "m-2"}, callwright.ReasoningDelta{Text: "hm"}, callwright.ReasoningEnd{}, callwright.TextDelta{Text: "Cold."},
		callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 7, Output: 3}}}, badCall[1:]...)
	resp, err := reliable.New(&scripted{name: "lab/m", answers: []any{answer}}, reliable.WithMaxCorrections(0), reliable.WithOneMode()).Generate(t.Context(), ask(callwright.Choice{}))
	if err != nil || resp.Model != "m-2" || resp.Text() != "Cold." || resp.Reasoning() != "hm" || resp.Usage.Input != 7 || resp.Usage.Output != 3 {
		t.Errorf("got %+v, %v", resp, err)
	}
}
