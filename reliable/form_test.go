package reliable_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// What the cases of TestForm are made of.
var (
	cold        = `{"verdict":"cold"}`
	document    = append([]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: cold}}, goodCall[1:]...)
	other       = append([]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: cold}}, native("get_weather", `{"city":"Rome"}`, callwright.FinishCalls)[1:]...)
	prose       = append([]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Once more."}}, goodCall[1:]...)
	answered    = []string{"text " + cold, "finish stop"}
	formCalled  = []string{"call get_weather " + oslo, "finish tool_calls"}
	words       = caps.Caps{JSONWithTools: caps.No}
	once, again = []string{"lab/m native first"}, []string{"lab/m native first", "lab/m native correction"}
)

// formCases are those of TestForm.
var formCases = []struct {
	name     string
	caps     caps.Caps
	answers  []any
	opts     []reliable.Option
	plain    bool // no format is wanted
	want     []string
	attempts []string
}{
	{name: "the document at once", caps: words, answers: []any{text(cold)}, want: answered, attempts: once},
	{name: "a call first", caps: words, answers: []any{native("get_weather", `{"city":"Rome"}`, callwright.FinishCalls)},
		want: []string{`call get_weather {"city":"Rome"}`, "finish tool_calls"}, attempts: once},
	{name: "prose, then the document", caps: words, answers: []any{text("It is cold."), text(cold)}, want: answered, attempts: again},
	{name: "another document, then the right one", caps: words, answers: []any{text(`{"x":1}`), text(cold)}, want: answered, attempts: again},
	{name: "prose beside tools in words, then the document", caps: caps.Caps{Tools: caps.No}, answers: []any{text("It is cold."), text(cold)}, want: answered,
		attempts: []string{"lab/m text first", "lab/m text correction"}},
	{name: "prose in a document, then the wanted one in it", opts: []reliable.Option{reliable.WithModes(caps.JSONSchema)}, want: answered,
		answers: []any{text(`{"answer":"It is cold."}`), text(`{"answer":"{\"verdict\":\"cold\"}"}`)}, attempts: []string{"lab/m json_schema first", "lab/m json_schema correction"}},
	{name: "prose to the end", caps: words, answers: []any{text("It is cold.")}, opts: []reliable.Option{reliable.WithMaxCorrections(0)},
		want: []string{"text It is cold.", "finish stop"}, attempts: once},
	{name: "the document and a call made before", answers: []any{document}, want: answered, attempts: once},
	{name: "the document and a new call", answers: []any{other}, want: []string{`call get_weather {"city":"Rome"}`, "text " + cold, "finish tool_calls"}, attempts: once},
	{name: "prose and a call made before", answers: []any{prose}, want: []string{formCalled[0], "text Once more.", formCalled[1]}, attempts: once},
	{name: "a call made before where any text is good", answers: []any{document}, plain: true, want: []string{formCalled[0], "text " + cold, formCalled[1]}, attempts: once},
}

// A JSON answer beside tools: asked for in words where the provider takes no format, verified, and asked for again without
// tools; calls made before that stand beside a finished one are left out.
func TestForm(t *testing.T) {
	for _, tc := range formCases {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(tc.name+"/"+way, func(t *testing.T) {
				m := &scripted{name: "lab/m", caps: tc.caps, answers: tc.answers}
				req := ask(callwright.Choice{})
				req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "a", Name: "get_weather", Arguments: []byte(`{ "city": "Oslo" }`)}}},
					callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a", Parts: []callwright.Part{callwright.Text{Text: "-3"}}}}})
				if !tc.plain {
					req.Params.Format = &callwright.AnswerFormat{Schema: []byte(`{"type":"object","properties":{"verdict":{"type":"string"}},"required":["verdict"],"additionalProperties":false}`)}
				}
				client := reliable.New(m, tc.opts...)
				var resp *callwright.Response
				var err error
				if way == "whole" {
					resp, err = client.Generate(t.Context(), req)
				} else {
					resp, err = callwright.Collect(client.Stream(t.Context(), req))
				}
				if d := cmp.Diff(tc.want, outcome(resp, err)); d != "" {
					t.Fatalf("(-want +got)\n%s", d)
				}
				if d := cmp.Diff(tc.attempts, attempts(reportOf(resp, err))); d != "" {
					t.Errorf("attempts (-want +got)\n%s", d)
				}
				if len(m.asked) == 2 {
					last, want := sent(t, m.asked[1]), []string{"user Give this answer as the JSON object that was asked for.", "format"}
					if tc.attempts[0] == "lab/m text first" {
						want = want[:1] // in words
					}
					if d := cmp.Diff(want, last[len(last)-len(want):]); d != "" {
						t.Errorf("what was asked for (-want +got)\n%s", d)
					}
					if p := &m.asked[1].Params; p.Temperature != "0" {
						t.Errorf("the correction has the temperature %q, and the report %v", p.Temperature, rulesIn(reportOf(resp, err)))
					}
				}
			})
		}
	}
}

// A provider that was asked to hold its model to a form may not do so, and say nothing of it. The document is taken out of the text around it, or asked
// for again with its schema in words. What the client of a stream has been handed stands.
func TestFormIgnored(t *testing.T) {
	const cold, schemaText = `{"verdict":"cold"}`, `{"type":"object","properties":{"verdict":{"type":"string"}},"required":["verdict"],"additionalProperties":false}`
	refusal := []callwright.Event{callwright.Begin{}, callwright.TextBegin{Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: []byte(`{"type":"refusal"}`)}},
		callwright.TextDelta{Text: "I cannot say."}, callwright.End{Finish: callwright.FinishStop}}
	list := `{"type":"array","items":{"type":"string"}}`
	stands := func(words string) []string { return []string{"text " + words, "finish stop"} }
	answered := stands(cold)
	for name, tc := range map[string]*ignoredForm{
		"kept":                      {schema: schemaText, answers: []any{text(cold)}, whole: answered, asked: 1},
		"in a fence":                {schema: schemaText, answers: []any{text("Sure!\n\n```json\n" + cold + "\n```\nAnything else?")}, whole: answered, asked: 1},
		"in a sentence":             {schema: schemaText, answers: []any{text("It is " + cold + " I think.")}, whole: answered, asked: 1},
		"broken in a fence":         {schema: schemaText, answers: []any{text("```\n{'verdict': \"cold\",}\n```")}, whole: stands(`{"verdict": "cold"}`), asked: 1},
		"prose":                     {schema: schemaText, answers: []any{text("It is cold."), text(cold)}, whole: answered, asked: 2},
		"another document in prose": {schema: schemaText, answers: []any{text(`Here: {"x":1}`), text(cold)}, whole: answered, asked: 2},
		"two documents":             {schema: schemaText, answers: []any{text(`Here: {"verdict":"mild"} or ` + cold), text(cold)}, whole: answered, asked: 2},
		"cut":                       {schema: schemaText, answers: []any{text(`Here: {"verdict":"co`), text(cold)}, whole: answered, asked: 2},
		"prose to the end":          {schema: schemaText, answers: []any{text("It is cold.")}, opts: []reliable.Option{reliable.WithMaxCorrections(0)}, whole: stands("It is cold."), asked: 1},
		"broken":                    {schema: schemaText, answers: []any{text(`{'verdict': "cold",}`)}, whole: stands(`{"verdict": "cold"}`), streamed: stands(`{'verdict': "cold",}`), asked: 1},
		"another document":          {schema: schemaText, answers: []any{text(`{"x":1}`), text(cold)}, whole: answered, streamed: stands(`{"x":1}`), asked: 2, streams: 1},
		"no change is allowed":      {schema: schemaText, answers: []any{text("Sure: " + cold), text(cold)}, opts: []reliable.Option{reliable.WithRules(map[string]bool{"json.leading_text": false})}, whole: answered, asked: 2},
		"nothing is judged":         {schema: schemaText, answers: []any{text("Sure: " + cold)}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}, whole: stands("Sure: " + cold), asked: 1},
		"a refusal":                 {schema: schemaText, answers: []any{refusal}, whole: stands("I cannot say."), asked: 1},
		"a list":                    {schema: list, answers: []any{text(`["cold"]`)}, whole: stands(`["cold"]`), asked: 1},
		"a list in a fence":         {schema: list, answers: []any{text("```\n[\"cold\"]\n```")}, whole: stands(`["cold"]`), asked: 1},
		"any object":                {answers: []any{text("Sure: " + cold)}, whole: answered, asked: 1},
		"a schema that is none":     {schema: `{"type":7}`, whole: []string{"error invalid_request"}},
		"one that is left alone":    {schema: `{"type":7}`, answers: []any{text(`{"x":1}`)}, whole: stands(`{"x":1}`), asked: 1, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}},
		"wanted as it came":         {schema: schemaText, loose: true, answers: []any{text("Sure: " + cold)}, whole: stands("Sure: " + cold), asked: 1},
	} {
		t.Run(name, tc.run)
	}
}

// An ignoredForm is a form that an answer may not have, and what a client gets.
type ignoredForm struct {
	schema   string // "" for any object
	answers  []any
	opts     []reliable.Option
	whole    []string
	streamed []string // nil: as whole
	asked    int
	loose    bool
	streams  int // how often a stream is asked for, 0: as often
}

func (tc *ignoredForm) run(t *testing.T) {
	for _, stream := range []bool{false, true} {
		m := &scripted{name: "lab/m", answers: tc.answers}
		req := ask(callwright.Choice{})
		req.Tools, req.Params.Format = nil, &callwright.AnswerFormat{Loose: tc.loose}
		if tc.schema != "" {
			req.Params.Format.Schema = []byte(tc.schema)
		}
		client, want, asked := reliable.New(m, tc.opts...), tc.whole, tc.asked
		var resp *callwright.Response
		var err error
		if !stream {
			resp, err = client.Generate(t.Context(), req)
		} else {
			resp, err = callwright.Collect(client.Stream(t.Context(), req))
			if tc.streamed != nil {
				want = tc.streamed
			}
			if tc.streams > 0 {
				asked = tc.streams
			}
		}
		if d := cmp.Diff(want, outcome(resp, err)); d != "" {
			t.Errorf("stream %t (-want +got)\n%s", stream, d)
		}
		if len(m.asked) != asked {
			t.Fatalf("stream %t: asked %d times, want %d", stream, len(m.asked), asked)
		}
		if asked == 2 && !strings.Contains(strings.Join(sent(t, m.asked[1]), "\n"), tc.schema) {
			t.Errorf("asked again without the schema: %q", sent(t, m.asked[1]))
		}
	}
}

// Calls are looked for among those of a long history in a time that grows with their number, not with its square.
func TestFormOfManyCalls(t *testing.T) {
	city := func(i int) string { return `{"city":"` + strconv.Itoa(i) + `"}` }
	const old, anew = 100_000, 2000
	req := ask(callwright.Choice{})
	req.Params.Format = &callwright.AnswerFormat{}
	var past []callwright.Part
	for i := range old {
		past = append(past, callwright.Call{ID: "c" + strconv.Itoa(i), Name: "get_weather", Arguments: []byte(city(i))})
	}
	req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: past})
	events := []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: `{"verdict":"cold"}`}}
	for i := range anew {
		events = append(events, makes(i, "n"+strconv.Itoa(i), city(old-1-i), "")...)
	}
	resp := generate(t, reliable.New(&scripted{name: "lab/m", answers: []any{append(events, callwright.End{Finish: callwright.FinishCalls})}}), req)
	if n := len(resp.Calls()); n != 0 {
		t.Errorf("%d calls are left", n)
	}
}

// A schema with objects of any keys is put into words where the provider would leave them empty.
func TestFormThatIsOpen(t *testing.T) {
	for schema, said := range map[string]bool{
		`{"type":"object","properties":{"by":{"type":"object","additionalProperties":{"type":"string"}}}}`:                  true,
		`{"type":"object","properties":{"list":{"type":"array","items":{"anyOf":[{"type":"object"},{"type":"null"}]}}}}`:    true,
		`{"type":"object","additionalProperties":true}`:                                                                     true,
		`{"type":"object","properties":{"by":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"object","patternProperties":{}}}}`: true,
		`{"type":"object","properties":{"by":{"type":"object","properties":{"a":{"type":"string"}}}}}`:                      false,
		`{"type":"object","properties":{"additionalProperties":{"type":"string"}},"additionalProperties":false}`:            false,
		`{"type":"object","additionalProperties":false}`:                                                                    false,
	} {
		for _, tools := range [][]callwright.Tool{nil, weather} {
			m := &scripted{name: "lab/m", caps: caps.Caps{OpenObjects: caps.No}, answers: []any{text(`{}`)}}
			req := ask(callwright.Choice{})
			req.Tools, req.Params.Format = tools, &callwright.AnswerFormat{Schema: []byte(schema)}
			resp := generate(t, reliable.New(m), req)
			if words := strings.Contains(sent(t, m.asked[0])[0], "JSON Schema"); words != said || (m.asked[0].Params.Format == nil) != said {
				t.Errorf("%s: expected said in words: %t, got %q with %v", schema, said, sent(t, m.asked[0]), m.asked[0].Params.Format)
			}
			if resp.Text() != `{}` {
				t.Errorf("%s: got %q", schema, resp.Text())
			}
		}
	}
}
