package directive_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive"
	"github.com/google/go-cmp/cmp"
)

const (
	opens  = `{"type":"open_file","payload":{"path":"main.go"}}`
	opened = `open_file {"path":"main.go"}`
	saves  = `{"type":"save","payload":{}}`
	saved  = "save {}"
)

// answers are what models write, and what is read in it.
var answers = []struct {
	name, answer string
	want         []string
	rules        string
	finish       callwright.Finish // "" is stop
}{
	{name: "as it was asked for", answer: `{"assistant_text":"Here.","directives":[` + opens + `,` + saves + `]}`, want: []string{"text Here.", opened, saved}},
	{name: "nothing to do", answer: `{"assistant_text":"Hello.","directives":[]}`, want: []string{"text Hello."}},
	{name: "nothing to say", answer: `{"assistant_text":"","directives":[` + saves + `]}`, want: []string{"text ", saved}},
	{name: "with white space", answer: "\n {\n  \"assistant_text\" : \"Here.\" ,\n  \"directives\" : [ " + opens + "\n]\n}\n", want: []string{"text Here.", opened}},
	{name: "escapes", answer: `{"assistant_text":"A \"b\" \\ \u00e9 \ud83d\ude00\n","directives":[]}`, want: []string{"text A \"b\" \\ é 😀\n"}},
	{name: "the same twice is meant twice", answer: `{"assistant_text":"","directives":[` + saves + `,` + saves + `]}`, want: []string{"text ", saved, saved}},

	{name: "unknown type", answer: `{"assistant_text":"Here.","directives":[{"type":"reboot","payload":{}},` + saves + `]}`, want: []string{"text Here.", saved, "dropped unknown_type /directives/0 reboot"}},
	{name: "bad payload", answer: `{"assistant_text":"Here.","directives":[` + saves + `,{"type":"open_file","payload":{"line":3}}]}`, want: []string{"text Here.", saved, "dropped bad_payload /directives/1 open_file"}},
	{name: "a payload that cannot be", answer: `{"assistant_text":"","directives":[{"type":"open_file","payload":[1]},{"type":"set_theme","payload":{"name":"red"}}]}`,
		want: []string{"text ", "dropped bad_payload /directives/0 open_file", "dropped bad_payload /directives/1 set_theme"}},
	{name: "no directives at all", answer: `{"assistant_text":"","directives":[1,null,"x",{"payload":{}},{"type":5},[` + saves + `]]}`,
		want: []string{"text ", "dropped malformed /directives/0", "dropped malformed /directives/1", "dropped malformed /directives/2", "dropped malformed /directives/3", "dropped malformed /directives/4", "dropped malformed /directives/5"}},
	{name: "a type that is spelt otherwise", answer: `{"assistant_text":"","directives":[{"type":"OpenFile","payload":{"path":"a"}}]}`, want: []string{"text ", `open_file {"path":"a"}`}, rules: "name.separators"},
	{name: "values of another type", answer: `{"assistant_text":"","directives":[{"type":"open_file","payload":{"path":"a","line":"3"}}]}`, want: []string{"text ", `open_file {"path":"a","line":3}`}, rules: "coerce.string_to_integer"},
	{name: "payload in a string", answer: `{"assistant_text":"","directives":[{"type":"open_file","payload":"{\"path\":\"a\"}"}]}`, want: []string{"text ", `open_file {"path":"a"}`}, rules: "coerce.string_to_object"},
	{name: "broken payload in a string", answer: `{"assistant_text":"","directives":[{"type":"open_file","payload":"{'path':'a',}"}]}`, want: []string{"text ", `open_file {"path":"a"}`}, rules: "coerce.string_to_object"},
	{name: "a directive in a string", answer: `{"assistant_text":"","directives":["{\"type\":\"save\",\"payload\":{}}"]}`, want: []string{"text ", saved}, rules: "json.double_encoded"},
	{name: "directives in a string", answer: `{"assistant_text":"","directives":"[{\"type\":\"save\",\"payload\":{}}]"}`, want: []string{"text ", saved}, rules: "json.double_encoded"},
	{name: "no payload where there is none", answer: `{"assistant_text":"","directives":[{"type":"save"},{"type":"save","payload":null}]}`, want: []string{"text ", saved, saved}},
	{name: "no payload where there is one", answer: `{"assistant_text":"","directives":[{"type":"open_file"}]}`, want: []string{"text ", "dropped bad_payload /directives/0 open_file"}},
	{name: "the payload beside the type", answer: `{"assistant_text":"","directives":[{"type":"open_file","path":"a"}]}`, want: []string{"text ", `open_file {"path":"a"}`}, rules: "directive.flat"},
	{name: "members beside the payload", answer: `{"assistant_text":"","directives":[{"id":1,"type":"save","payload":{}}]}`, want: []string{"text ", saved}, rules: "directive.member"},
	{name: "duplicate members of a directive", answer: `{"assistant_text":"","directives":[{"type":"save","type":"save","payload":{}},{"type":"save","type":"open_file","payload":{}}]}`,
		want: []string{"text ", saved, "dropped malformed /directives/1"}},

	{name: "directives first", answer: `{"directives":[` + opens + `,{"type":"x"}],"assistant_text":"Here."}`, want: []string{"text Here.", opened, "dropped unknown_type /directives/1 x"}},
	{name: "other members", answer: `{"thoughts":{"a":[1]},"assistant_text":"Here.","directives":[],"done":true}`, want: []string{"text Here."}, rules: "directive.member"},
	{name: "members that are spelt otherwise", answer: `{"assistantText":"Here.","Directives":[` + saves + `]}`, want: []string{"text Here.", saved}, rules: "directive.name"},
	{name: "no directives", answer: `{"assistant_text":"Here."}`, want: []string{"text Here."}},
	{name: "null directives and text", answer: `{"assistant_text":null,"directives":null}`, want: []string{"text "}},
	{name: "no text", answer: `{"directives":[` + saves + `]}`, want: []string{"text ", saved}},
	{name: "one directive for a list", answer: `{"assistant_text":"Here.","directives":` + saves + `}`, want: []string{"text Here.", saved}, rules: "directive.single"},
	{name: "directives that are none", answer: `{"assistant_text":"Here.","directives":17}`, want: []string{"text Here.", "dropped malformed /directives"}},
	{name: "text that is no string", answer: `{"assistant_text":12,"directives":[]}`, want: []string{"text 12"}, rules: "directive.text"},
	{name: "text that is an object", answer: `{"assistant_text":{"a":1},"directives":[` + saves + `]}`, want: []string{"text ", saved}, rules: "directive.text"},
	{name: "duplicate text", answer: `{"assistant_text":"Here.","assistant_text":"Here.","directives":[]}`, want: []string{"text Here."}, rules: "directive.repeated"},
	{name: "two texts", answer: `{"assistant_text":"Here.","assistant_text":"Hereby.","directives":[]}`, want: []string{"text Here.\nHereby."}},
	{name: "duplicate directives", answer: `{"assistant_text":"","directives":[` + saves + `],"directives":[` + opens + `]}`, want: []string{"text ", saved, opened}},

	{name: "text around", answer: "Sure, here it is:\n{\"assistant_text\":\"Here.\",\"directives\":[" + saves + "]}\nAnything else?\n", want: []string{"text Sure, here it is:\nHere.\nAnything else?", saved}, rules: "directive.outside"},
	{name: "a code fence", answer: "```json\n{\"assistant_text\":\"Here.\",\"directives\":[" + saves + "]}\n```", want: []string{"text Here.", saved}, rules: "json.code_fence"},
	{name: "text around a code fence", answer: "Sure:\n\n```json\n{\"assistant_text\":\"Here.\"}\n```\n\nBye.", want: []string{"text Sure:\nHere.\nBye."}, rules: "json.code_fence directive.outside"},
	{name: "reasoning", answer: "<think>They want { \"assistant_text\" </think>\n\n{\"assistant_text\":\"Here.\",\"directives\":[]}", want: []string{"text Here."}, rules: "reasoning.split"},
	{name: "reasoning twice, in other marks", answer: "<thinking>a</thinking> [THINK]b[/THINK] {\"assistant_text\":\"Here.\",\"directives\":[]}", want: []string{"text Here."}, rules: "reasoning.split"},
	{name: "reasoning without an end", answer: "<think>I say {\"assistant_text\":\"Here.\",\"directives\":[" + saves + "]}", want: []string{"text Here.", saved}, rules: "reasoning.split directive.in_reasoning"},
	{name: "nothing but reasoning", answer: "<think>I say nothing.", want: []string{"text "}, rules: "reasoning.split"},
	{name: "the end of reasoning that nothing opened", answer: "So be it.</think>{\"assistant_text\":\"Here.\",\"directives\":[]}", want: []string{"text So be it.\nHere."}, rules: "mark.unopened directive.outside"},
	{name: "a document in a member", answer: `{"response":{"assistant_text":"Here.","directives":[` + saves + `]}} Bye.`, want: []string{"text Here.\nBye.", saved}, rules: "directive.wrapped directive.outside"},

	{name: "two documents", answer: `{"assistant_text":"One.","directives":[` + saves + `]}` + "\n" + `{"assistant_text":"Two.","directives":[` + opens + `]}`, want: []string{"text One.\nTwo.", saved, opened}},
	{name: "a document twice", answer: strings.Repeat(`{"assistant_text":"Here.","directives":[`+saves+`]}`, 2), want: []string{"text Here.", saved, "dropped repeated /directives/0 save"}, rules: "directive.repeated"},
	{name: "a draft and a document", answer: `{"assistant_text":"Here.","directives":[` + saves + `]} {"assistant_text":"Here.","directives":[` + opens + `,` + saves + `,` + saves + `]}`,
		want: []string{"text Here.", saved, opened, saved, "dropped repeated /directives/1 save"}, rules: "directive.repeated"},
	{name: "two in one fence", answer: "```json\n{\"assistant_text\":\"A\"}\n{\"assistant_text\":\"B\"}\n```\n", want: []string{"text A\nB"}, rules: "json.code_fence"},
	{name: "the text before the document that repeats it", answer: "Here.\n" + `{"assistant_text":"Here.","directives":[]}`, want: []string{"text Here."}, rules: "directive.repeated directive.outside"},
	{name: "directives without a document", answer: "Done.\n" + saves + "\n" + saves + "\n", want: []string{"text Done.", saved, saved}, rules: "directive.bare directive.outside"},
	{name: "a list without a document", answer: "[" + saves + "," + opens + "]", want: []string{"text ", saved, opened}, rules: "directive.bare"},
	{name: "a list with others in it", answer: "[" + saves + ",{\"type\":\"x\"}, 5]", want: []string{"text ", saved, "dropped unknown_type /1 x", "dropped malformed /2"}, rules: "directive.bare"},
	{name: "a list of other things", answer: "[{\"a\":1}, " + saves + "]", want: []string{"text [{\"a\":1}, " + saves + "]"}, rules: "directive.outside"},
	{name: "a directive in a sentence", answer: "You could send " + saves + " yourself.", want: []string{"text You could send " + saves + " yourself."}, rules: "directive.outside"},

	{name: "cut in the text", answer: `{"assistant_text":"Here it`, want: []string{"text Here it"}, rules: "directive.cut", finish: callwright.FinishLength},
	{name: "cut in an escape", answer: `{"assistant_text":"caf\u00e`, want: []string{"text caf"}, rules: "directive.cut", finish: callwright.FinishLength},
	{name: "cut in a directive", answer: `{"assistant_text":"Here.","directives":[` + saves + `,{"type":"open_file","payload":{"path":"ma`, want: []string{"text Here.", saved, "dropped truncated /directives/1"}, rules: "directive.cut", finish: callwright.FinishLength},
	{name: "cut before the last brackets", answer: `{"assistant_text":"Here.","directives":[` + saves, want: []string{"text Here.", saved}, rules: "directive.cut", finish: callwright.FinishLength},
	{name: "cut after the payload", answer: `{"assistant_text":"Here.","directives":[{"type":"save","payload":{}`, want: []string{"text Here.", "dropped truncated /directives/0"}, rules: "directive.cut", finish: callwright.FinishLength},
	{name: "brackets forgotten after the payload", answer: `{"assistant_text":"Here.","directives":[{"type":"save","payload":{}`, want: []string{"text Here.", saved}, rules: "json.missing_closer json.unclosed directive.cut"},
	{name: "cut in a name", answer: `{"assistant_text":"Here.","direc`, want: []string{"text Here."}, rules: "directive.cut", finish: callwright.FinishLength},
	{name: "cut at once", answer: `{"assist`, want: []string{"text "}, rules: "directive.cut", finish: callwright.FinishLength},
	{name: "cut in a string of directives", answer: `{"assistant_text":"Here.","directives":"[{\"type\"`, want: []string{"text Here.", "dropped truncated /directives"}, rules: "directive.cut", finish: callwright.FinishLength},
	{name: "cut in a fence", answer: "```json\n{\"assistant_text\":\"Here.\",\"directives\":[{\"ty", want: []string{"text Here.", "dropped truncated /directives/0"}, rules: "directive.cut json.code_fence", finish: callwright.FinishLength},

	{name: "cut in a list without a document", answer: "[" + saves + `,{"type":"sa`, want: []string{"text ", saved, "dropped truncated /1"}, rules: "directive.bare directive.cut", finish: callwright.FinishLength},
	{name: "cut in a directive without a document", answer: `{"type":"open_file","payload":{"path":"ma`, want: []string{"text ", "dropped truncated"}, rules: "directive.bare directive.cut", finish: callwright.FinishLength},
	{name: "cut in a document in a member", answer: `{"response":{"assistant_text":"Her`, want: []string{"text Her"}, rules: "directive.wrapped directive.cut", finish: callwright.FinishLength},
	{name: "plain text", answer: "Just an answer.\n", want: []string{"text Just an answer."}, rules: "directive.outside"},
	{name: "plain text with code", answer: "Use {name}:\n```go\nfunc main() { x := map[string]int{\"a\": 1} }\n```\nand [1] `{\"a\": 2}`.", want: []string{"text Use {name}:\n```go\nfunc main() { x := map[string]int{\"a\": 1} }\n```\nand [1] `{\"a\": 2}`."}, rules: "directive.outside"},
	{name: "other JSON", answer: "{\"a\": [1, {\"b\": 2}]}", want: []string{"text {\"a\": [1, {\"b\": 2}]}"}, rules: "directive.outside"},
	{name: "a document shown in code", answer: "Write\n```js\nsend({\"assistant_text\": \"x\"})\n```", want: []string{"text Write\n```js\nsend({\"assistant_text\": \"x\"})\n```"}, rules: "directive.outside"},
	{name: "an empty answer", answer: "", want: []string{"text "}},

	{name: "quotes of Python", answer: `{'assistant_text': 'It's here', 'directives': [{'type': 'save', 'payload': None}, ]}`, want: []string{"text It's here", saved}, rules: "json.single_quotes json.inner_quote json.python_literal json.trailing_comma"},
	{name: "bare names", answer: `{assistant_text: "Here.", directives: [{type: "save"}]}`, want: []string{"text Here.", saved}, rules: "json.unquoted_key"},
	{name: "quotes in the text", answer: `{"assistant_text":"Press "save", then "quit".","directives":[]}`, want: []string{`text Press "save", then "quit".`}, rules: "json.inner_quote"},
	{name: "lines in the text", answer: "{\"assistant_text\":\"One.\nTwo.\",\"directives\":[]}", want: []string{"text One.\nTwo."}, rules: "json.raw_control"},
	{name: "commas missing and too many", answer: `{"assistant_text":"Here." "directives":[` + saves + saves + `,,],}`, want: []string{"text Here.", saved, saved}, rules: "json.missing_comma json.trailing_comma"},
	{name: "an encoded document", answer: `{\"assistant_text\":\"Here.\",\"directives\":[]}`, want: []string{"text Here."}, rules: "json.double_encoded"},
	{name: "doubled braces", answer: `{{"assistant_text":"Here.","directives":[]}}`, want: []string{"text Here."}, rules: "json.extra_opener"},
	{name: "typographic quotes", answer: `{“assistant_text”: “Here.”, “directives”: []}`, want: []string{"text Here."}, rules: "json.smart_quotes"},
	{name: "a list that is not closed", answer: `{"directives":[` + saves + `,"assistant_text":"Here."}`, want: []string{"text Here.", saved}, rules: "json.missing_closer"},
	{name: "brackets too many", answer: `{"assistant_text":"Here.","directives":[` + saves + `]]}}`, want: []string{"text Here.", saved}, rules: "json.extra_closer"},
	{name: "no last brace", answer: "{\"assistant_text\":\"Here.\",\"directives\":[]\nBye.", want: []string{"text Here.\nBye."}, rules: "json.missing_closer directive.outside"},
	{name: "bytes that are no UTF-8", answer: "{\"assistant_text\":\"a\xffb\",\"directives\":[]}\xe2\x82", want: []string{"text a\uFFFDb\n\uFFFD\uFFFD"}, rules: "json.invalid_utf8 directive.outside"},
	{name: "deep nesting", answer: `{"assistant_text":"Here.","directives":[{"type":"save","payload":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `},` + saves + `]}`,
		want: []string{"text Here.", saved, "dropped too_large /directives/0"}},
	{name: "deep nesting beside the text", answer: `{"x":` + strings.Repeat(`{"a":`, 2000) + `"]}"` + strings.Repeat("}", 2000) + `,"assistant_text":"Here."}`, want: []string{"text Here."}},
}

// in reads an answer in pieces.
func in(reg *directive.Registry, text string, size int, limits directive.Limits, finish callwright.Finish) (*directive.Turn, []directive.Event) {
	r := directive.NewReader(reg, limits)
	var events []directive.Event
	for len(text) > 0 {
		n := min(size, len(text))
		events = append(events, r.Feed(text[:n])...)
		text = text[n:]
	}
	events = append(events, r.Close(finish)...)
	return r.Turn(), events
}

func TestRead(t *testing.T) {
	reg := registry(t)
	for _, c := range answers {
		t.Run(c.name, func(t *testing.T) {
			if c.finish == "" {
				c.finish = callwright.FinishStop
			}
			whole := reg.Read(c.answer, c.finish)
			if d := cmp.Diff(c.want, gist(whole)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if got := rules(whole); got != c.rules {
				t.Errorf("notes %q, want %q", got, c.rules)
			}
			for size := 1; size <= min(len(c.answer), 60); size++ {
				turn, events := in(reg, c.answer, size, directive.Limits{}, c.finish)
				if d := cmp.Diff(whole, turn); d != "" {
					t.Fatalf("in pieces of %d (-whole +pieces)\n%s", size, d)
				}
				checkEvents(t, events, turn)
			}
		})
	}
}

// What was left out can be seen: the place, what is wrong, and what the model wrote.
func TestProblems(t *testing.T) {
	turn := registry(t).Read(`{"assistant_text":"","directives":[{"type":"open_file","payload":{"line":"x", "to":{}}},{"type":"reboot"}]}`, callwright.FinishStop)
	want := []directive.Problem{
		{Reason: directive.ReasonBadPayload, Type: "open_file", Path: "/directives/0", Raw: `{"type":"open_file","payload":{"line":"x", "to":{}}}`, Violations: []callwright.Violation{
			{Path: "/payload/line", Keyword: "type", Message: `/payload/line: want integer, got string "x"`},
			{Path: "/payload/to", Keyword: "additionalProperties", Message: `/payload/to: want only the members "line", "path", got another, with the object {}`},
			{Path: "/payload", Keyword: "required", Message: `/payload: want the member "path" (string), got none`},
		}},
		{Reason: directive.ReasonUnknownType, Type: "reboot", Path: "/directives/1", Raw: `{"type":"reboot"}`, Violations: []callwright.Violation{
			{Keyword: "enum", Message: `unknown type "reboot": expected open_file, save, set_theme`},
		}},
	}
	if d := cmp.Diff(want, turn.Dropped); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// Text is streamed as early as it is certain, and directives when they are complete: after the text of their document.
func TestStreamedEarly(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []string // pieces, each with the events that it leads to
	}{
		{"text first", []string{`{"assistant_text": "Hel`, "Hel", `lo \u00`, "lo ", `e9`, "é", `"`, "", `, "directives": [`, "", `{"type":"save"}`, "<save>", `, {"type":"x"`, "", `}]}`, "<dropped x>"}},
		{"directives first", []string{`{"directives": [{"type":"save"},{"type":"x"}]`, "", `, "assistant_text": "He`, "He", `llo"`, "llo", `}`, "<save><dropped x>"}},
		{"plain text", []string{"Hello ", "Hello", "you", " you", " {", "", "x} ", " {x}", "`", " `", "y", "y"}},
		{"text before", []string{"Sure: ", "Sure:", "{", "", `"assistant_text"`, "", `: "A`, "\nA", `bc"`, "bc", "}", "", "\nBye", "\nBye"}},
		{"another member first", []string{`{"n": [1,2], "assistant_text": "A`, "A", `b"}`, "b"}},
		{"a text that may be said again", []string{`{"assistant_text":"Hello"}`, "Hello", `{"assistant_text":"Hel`, "", `p"}`, "\nHelp"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := directive.NewReader(registry(t), directive.Limits{})
			for i := 0; i < len(c.steps); i += 2 {
				var got strings.Builder
				for _, ev := range r.Feed(c.steps[i]) {
					switch ev.Kind {
					case directive.EventDirective:
						got.WriteString("<" + ev.Directive.Type + ">")
					case directive.EventDropped:
						got.WriteString("<dropped " + ev.Problem.Type + ">")
					default:
						got.WriteString(ev.Text)
					}
				}
				if got.String() != c.steps[i+1] {
					t.Errorf("after %q: got %q, want %q", c.steps[i], got.String(), c.steps[i+1])
				}
			}
		})
	}
}

func TestLimits(t *testing.T) {
	reg := registry(t)
	long := `{"type":"open_file","payload":{"path":"` + strings.Repeat("x", 200) + `"}}`
	for _, c := range []struct {
		name, answer string
		limits       directive.Limits
		want         []string
	}{
		{"directives", `{"assistant_text":"A","directives":[` + strings.Repeat(saves+",", 9) + saves + `],"done":1}`, directive.Limits{Directives: 3}, []string{"text A", saved, saved, saved, "dropped too_many /directives/3"}},
		{"bytes of one", `{"assistant_text":"A","directives":[` + long + `,` + saves + `]}`, directive.Limits{Bytes: 100}, []string{"text A", saved, "dropped too_large /directives/0"}},
		{"the answer", `{"assistant_text":"0123456789","directives":[` + saves + `]}`, directive.Limits{Answer: 25}, []string{"text 012345"}},
		{"the answer, in a directive", `{"assistant_text":"A","directives":[` + saves + `,` + saves + `]}`, directive.Limits{Answer: 70}, []string{"text A", saved, "dropped truncated /directives/1"}},
		{"an object that is too long to wait for", `{"a":"` + strings.Repeat("x", 70<<10) + `","assistant_text":"A"}`, directive.Limits{}, []string{`text {"a":"` + strings.Repeat("x", 70<<10) + `","assistant_text":"A"}`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			whole, _ := in(reg, c.answer, len(c.answer), c.limits, callwright.FinishStop)
			if d := cmp.Diff(c.want, gist(whole)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			for _, size := range []int{1, 7, 1000} {
				turn, events := in(reg, c.answer, size, c.limits, callwright.FinishStop)
				if d := cmp.Diff(whole, turn); d != "" {
					t.Errorf("in pieces of %d (-whole +pieces)\n%s", size, d)
				}
				checkEvents(t, events, turn)
			}
			for _, p := range whole.Dropped {
				if p.Reason == directive.ReasonTooMany && p.Count != 7 {
					t.Errorf("%d directives had no room", p.Count)
				}
				if len(p.Violations) == 0 || len(p.Raw) == 0 || len(p.Raw) > directive.MaxRaw {
					t.Errorf("got %+v", p)
				}
			}
		})
	}
}

func TestDecode(t *testing.T) {
	turn := registry(t).Read(`{"assistant_text":"","directives":[{"type":"open_file","payload":{"path":"a.go","line":7}}]}`, callwright.FinishStop)
	var got openFile
	if err := turn.Directives[0].Decode(&got); err != nil || got != (openFile{"a.go", 7}) {
		t.Errorf("got %+v, %v", got, err)
	}
	var other []int
	if err := turn.Directives[0].Decode(&other); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("got %v, %v", other, err)
	}
	if out, err := json.Marshal(turn.Directives[0]); string(out) != `{"type":"open_file","payload":{"path":"a.go","line":7}}` {
		t.Errorf("got %s, %v", out, err)
	}
}
