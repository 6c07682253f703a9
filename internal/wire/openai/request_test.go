package openai_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/google/go-cmp/cmp"
)

const base = `{"model":"tern","messages":[{"role":"user","content":"Tide?"},` +
	`{"role":"assistant","content":null,"tool_calls":[{"id":"call_long_1","type":"function","function":{"name":"tide_at","arguments":"{ }"}}]},` +
	`{"role":"tool","tool_call_id":"call_long_1","content":[{"type":"text","text":"3 m"}]},{"role":"user","content":"And now?"}], "stream":true,` +
	`"tools":[{"type":"function","function":{"name":"tide_at","parameters":{"type":"object"}}}],"tool_choice":"auto","parallel_tool_calls":false,"max_tokens":9,"x":[1.0]}`

// decode reads a request that must be right.
func decode(t *testing.T, body string) *callwright.Request {
	t.Helper()
	req, err := openai.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// encode writes a request and gives its bytes and the rules of its notes.
func encode(t *testing.T, req *callwright.Request, c caps.Caps) (body string, rules []string) {
	t.Helper()
	out, notes, err := openai.Codec{}.EncodeRequest(req, "tern", c)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range notes {
		if n.Stage != callwright.StageEncode || n.Risk == "" || n.Why == "" {
			t.Errorf("expected a stage, a risk and a reason, got %+v", n)
		}
		rules = append(rules, n.Rule)
	}
	return string(out), rules
}

// patchCases are those of TestPatch.
var patchCases = []struct {
	name     string
	change   func(*callwright.Request)
	caps     caps.Caps
	old, new []string // what is replaced in the bytes
	rules    []string
}{
	{name: "nothing", change: func(*callwright.Request) {}},
	{name: "stream off", change: func(r *callwright.Request) { r.Params.Stream = false }, old: []string{` "stream":true,` + "\n"}, new: nil},
	{name: "temperature added", change: func(r *callwright.Request) { r.Params.Temperature = "0.5" },
		old: []string{`"x":[1.0]}`}, new: []string{`"x":[1.0],"temperature":0.5}`}},
	{name: "limit raised", change: func(r *callwright.Request) { r.Params.MaxTokens = "11" },
		old: []string{`"max_tokens":9,`}, new: []string{`"max_tokens":11,`}},
	{name: "limit under its other name", change: func(*callwright.Request) {}, caps: caps.Caps{MaxTokensKey: "max_completion_tokens"},
		old: []string{`"max_tokens":9,`, `"x":[1.0]}`}, new: []string{``, `"x":[1.0],"max_completion_tokens":9}`}},
	{name: "parallel switch refused", change: func(*callwright.Request) {}, caps: caps.Caps{ParallelField: caps.No},
		old: []string{`"parallel_tool_calls":false,`}, new: []string{``}},
	{name: "choice refused", change: func(*callwright.Request) {}, caps: caps.Caps{ChoiceField: caps.No},
		old: []string{`"tool_choice":"auto",`}, new: []string{``}},
	{name: "choice required", change: func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceRequired },
		old: []string{`"tool_choice":"auto",`}, new: []string{`"tool_choice":"required",`}},
	{name: "tools taken out", change: func(r *callwright.Request) { r.Tools = []callwright.Tool{} },
		old: []string{`"tools":[{"type":"function","function":{"name":"tide_at","parameters":{"type":"object"}}}],"tool_choice":"auto","parallel_tool_calls":false,`}, new: []string{``}},
	{name: "another tool", change: func(r *callwright.Request) { r.Tools = []callwright.Tool{{Name: "now"}} },
		old: []string{`{"name":"tide_at","parameters":{"type":"object"}}`}, new: []string{`{"name":"now","parameters":{"type":"object","properties":{}}}`}},
	{name: "ids too long", change: func(*callwright.Request) {}, caps: caps.Caps{IDs: caps.IDRule{Exact: 9}},
		old:   []string{`"call_long_1"`, `"{ }"`, `[{"type":"text","text":"3 m"}]`},
		new:   []string{`"Tzmpe7De3"`, `"{ }"`, `"3 m"`},
		rules: []string{"history.call_id"}},
	{name: "lists refused", change: func(*callwright.Request) {}, caps: caps.Caps{History: caps.HistoryRules{StringContent: true}},
		old: []string{`[{"type":"text","text":"3 m"}]`}, new: []string{`"3 m"`}},
	{name: "names wanted", change: func(*callwright.Request) {}, caps: caps.Caps{History: caps.HistoryRules{ResultName: true}},
		old: []string{`"call_long_1","content":[{"type":"text","text":"3 m"}]`}, new: []string{`"call_long_1","name":"tide_at","content":"3 m"`}},
	{name: "reasoning wanted", change: func(*callwright.Request) {}, caps: caps.Caps{History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackCalls}},
		old: []string{`"content":null,`}, new: []string{`"content":null,"reasoning_content":" ",`}, rules: []string{"history.reasoning_filler"}},
	{name: "content null refused", change: func(*callwright.Request) {}, caps: caps.Caps{History: caps.HistoryRules{NoNullContent: true}},
		old: []string{`"content":null,`}, new: []string{`"content":"",`}},
	{name: "strict refused", change: func(*callwright.Request) {}, caps: caps.Caps{StrictTools: caps.No}},
	{name: "an edit", change: func(r *callwright.Request) {
		companion.Change(r, func(c *companion.Companion) {
			c.Edits = []callwright.Edit{{Path: []string{"x"}}, {Path: []string{"messages", "*", "tag"}, Value: json.RawMessage("1")}}
		})
	}, old: []string{`,"x":[1.0]`, `"Tide?"`, `"{ }"}}]`, `"3 m"}]`, `"And now?"`}, new: []string{``, `"Tide?","tag":1`, `"{ }"}}],"tag":1`, `"3 m"}],"tag":1`, `"And now?","tag":1`}},
	{name: "a message added", change: func(r *callwright.Request) {
		m, _ := r.History()
		r.Messages = append(append([]callwright.Message{}, m...), callwright.Message{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "Go on."}}})
	}, old: []string{`"And now?"}`}, new: []string{`"And now?"},{"role":"user","content":"Go on."}`}},
}

// TestPatch changes one thing about a request of the same wire and expects nothing but that to differ in the bytes.
func TestPatch(t *testing.T) {
	for _, c := range patchCases {
		t.Run(c.name, func(t *testing.T) {
			req := decode(t, base)
			c.change(req)
			got, rules := encode(t, req, c.caps)
			want := base
			for i, old := range c.old {
				if c.new == nil {
					want = strings.Replace(want, strings.TrimSpace(old), "", 1)
					continue
				}
				if !strings.Contains(want, old) {
					t.Fatalf("the case is wrong: no %s", old)
				}
				want = strings.Replace(want, old, c.new[i], -1)
			}
			if diff := cmp.Diff(strings.ReplaceAll(want, " ", ""), strings.ReplaceAll(got, " ", "")); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s\n%s", diff, got)
			}
			if diff := cmp.Diff(c.rules, rules); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// user, assistant and results make messages as another wire would.
func user(parts ...callwright.Part) callwright.Message {
	return callwright.Message{Role: callwright.RoleUser, Parts: parts}
}

func assistant(parts ...callwright.Part) callwright.Message {
	return callwright.Message{Role: callwright.RoleAssistant, Parts: parts}
}

func text(s string) callwright.Text { return callwright.Text{Text: s} }

func call(id string) callwright.Call {
	return callwright.Call{ID: id, Name: "look", Arguments: json.RawMessage(`{"n":9007199254740993}`)}
}

func result(id string, parts ...callwright.Part) callwright.Result {
	return callwright.Result{CallID: id, Parts: parts}
}

// signedFor is a thought and a call with opaque state of one model of this wire.
func signedFor(m callwright.ModelID) []callwright.Part {
	from := callwright.Origin{Wire: callwright.WireOpenAI, Model: m}
	return []callwright.Part{
		callwright.Reasoning{Origin: from, Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(`{"reasoning_details":[{"data":"e"}]}`)}},
		callwright.Call{ID: "c1", Name: "f", Arguments: json.RawMessage(`{}`), Signature: "c2ln", Origin: from},
	}
}

var foreign = callwright.Origin{Wire: callwright.WireAnthropic, Model: "x/y"}

const wroteCall = `{"role":"assistant","content":null,"tool_calls":[{"id":"%s","type":"function","function":{"name":"look","arguments":"{\"n\":9007199254740993}"}}]}`

// What the cases of TestHistory are made of.
var one = fmt.Sprintf(wroteCall, "a")

// historyCases are those of TestHistory.
var historyCases = []struct {
	name     string
	caps     caps.Caps
	messages []callwright.Message
	want     string
	rules    []string
}{
	{name: "system and user", messages: []callwright.Message{{Role: callwright.RoleSystem, Parts: []callwright.Part{text("Be brief.")}}, user(text("Hi"))},
		want: `{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}`},
	{name: "texts", messages: []callwright.Message{user(text("a"), text("b"))},
		want: `{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`},
	{name: "texts where only one is taken", caps: caps.Caps{History: caps.HistoryRules{StringContent: true}},
		messages: []callwright.Message{user(text("a"), text("b"))}, want: `{"role":"user","content":"a\n\nb"}`},
	{name: "results before text", messages: []callwright.Message{assistant(call("a")), user(result("a", text("3")), text("Go on."))},
		want: one + `,{"role":"tool","tool_call_id":"a","content":"3"},{"role":"user","content":"Go on."}`},
	{name: "results late and apart", messages: []callwright.Message{assistant(call("a"), call("b")), user(text("wait"), result("b", text("2"))), user(result("a", text("1")))},
		want: `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{\"n\":9007199254740993}"}},{"id":"b","type":"function","function":{"name":"look","arguments":"{\"n\":9007199254740993}"}}]},` +
			`{"role":"tool","tool_call_id":"b","content":"2"},{"role":"tool","tool_call_id":"a","content":"1"},{"role":"user","content":"wait"}`,
		rules: []string{"history.results_first"}},
	{name: "an image in a result", messages: []callwright.Message{assistant(call("a")), user(result("a", text("Seen."), callwright.Image{MediaType: "image/png", Data: "AA=="}), text("Well?"))},
		want: one + `,{"role":"tool","tool_call_id":"a","content":"Seen.\n[The image of this result follows in the next message of the user.]"},` +
			`{"role":"user","content":[{"type":"text","text":"[The image from the result of look:]"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}},{"type":"text","text":"Well?"}]}`,
		rules: []string{"history.result_image"}},
	{name: "an image in a result, nothing after it", messages: []callwright.Message{assistant(call("a")), user(result("a", callwright.Image{URL: "https://i.example/1"}))},
		want: one + `,{"role":"tool","tool_call_id":"a","content":"[The image of this result follows in the next message of the user.]"},` +
			`{"role":"user","content":[{"type":"text","text":"[The image from the result of look:]"},{"type":"image_url","image_url":{"url":"https://i.example/1"}}]}`,
		rules: []string{"history.result_image"}},
	{name: "images where results may show them", caps: caps.Caps{ResultImages: caps.Yes}, messages: []callwright.Message{assistant(call("a")), user(result("a", callwright.Image{URL: "https://i.example/1"}))},
		want: one + `,{"role":"tool","tool_call_id":"a","content":[{"type":"image_url","image_url":{"url":"https://i.example/1"}}]}`},
	{name: "a failed call", messages: []callwright.Message{assistant(call("a")), {Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a", IsError: true, Parts: []callwright.Part{text("no such port")}}}}},
		want: one + `,{"role":"tool","tool_call_id":"a","content":"Error:\nno such port"}`, rules: []string{"history.result_error"}},
	{name: "a failed call that says so", messages: []callwright.Message{assistant(call("a")), user(callwright.Result{CallID: "a", IsError: true, Parts: []callwright.Part{text(`{"error":"x"}`)}})},
		want: one + `,{"role":"tool","tool_call_id":"a","content":"{\"error\":\"x\"}"}`},
	{name: "no arguments", messages: []callwright.Message{assistant(callwright.Call{ID: "a", Name: "now"}), user(result("a"))},
		want: `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"now","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":""}`},
	{name: "foreign reasoning", messages: []callwright.Message{assistant(callwright.Reasoning{Text: "Hm.", Signature: "c2ln", Origin: foreign}, text("Yes."))},
		want: `{"role":"assistant","content":"Yes."}`, rules: []string{"history.foreign_signature", "history.reasoning_left_out"}},
	{name: "opaque state of this model", messages: []callwright.Message{assistant(signedFor("lab/tern")...)},
		want: `{"role":"assistant","content":null,"reasoning_details":[{"data":"e"}],"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"},` +
			`"extra_content":{"google":{"thought_signature":"c2ln"}}}]}`},
	{name: "opaque state of another model", messages: []callwright.Message{assistant(signedFor("lab/gull")...)},
		want: `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`, rules: []string{"history.foreign_signature"}},
	{name: "reasoning that may return", caps: caps.Caps{Reasoning: caps.ReasoningField}, messages: []callwright.Message{assistant(callwright.Reasoning{Text: "Hm.", Origin: foreign}, text("Yes."))},
		want: `{"role":"assistant","content":"Yes.","reasoning":"Hm."}`},
	{name: "reasoning that must return", caps: caps.Caps{Reasoning: caps.ReasoningContent, History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackAlways}}, messages: []callwright.Message{assistant(text("Yes."))},
		want: `{"role":"assistant","content":"Yes.","reasoning_content":" "}`, rules: []string{"history.reasoning_filler"}},
	{name: "reasoning that must not return", caps: caps.Caps{Reasoning: caps.ReasoningContent, History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackNever}}, messages: []callwright.Message{assistant(callwright.Reasoning{Text: "Hm."}, text("Yes."))},
		want: `{"role":"assistant","content":"Yes."}`, rules: []string{"history.reasoning_left_out"}},
	{name: "reasoning in the content", caps: caps.Caps{Reasoning: caps.ReasoningInContent}, messages: []callwright.Message{assistant(callwright.Reasoning{Text: "Hm."}, text("Yes."))},
		want: `{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm."}]},{"type":"text","text":"Yes."}]}`},
	{name: "foreign parts", messages: []callwright.Message{user(text("a"), callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{"q":1}`)}})},
		want: `{"role":"user","content":"a"}`, rules: []string{"history.opaque"}},
	{name: "files", messages: []callwright.Message{user(callwright.File{Text: "plain"}, callwright.File{MediaType: "audio/wav", Data: "AA=="}, callwright.File{URL: "https://f.example/x"})},
		want: `{"role":"user","content":[{"type":"text","text":"plain"},{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}},{"type":"text","text":"[File: https://f.example/x]"}]}`, rules: []string{"history.file_url"}},
	{name: "an image by id", messages: []callwright.Message{user(text("See"), callwright.Image{FileID: "file-7"})},
		want: `{"role":"user","content":[{"type":"text","text":"See"},{"type":"text","text":"[Image: file-7]"}]}`, rules: []string{"history.media_reference"}},
	{name: "content null refused", caps: caps.Caps{History: caps.HistoryRules{NoNullContent: true}}, messages: []callwright.Message{assistant(call("a")), user(result("a", text("3")))},
		want: strings.Replace(one, `"content":null`, `"content":""`, 1) + `,{"role":"tool","tool_call_id":"a","content":"3"}`},
	{name: "empty texts where they are refused", caps: caps.Caps{History: caps.HistoryRules{NoBlankText: true}},
		messages: []callwright.Message{{Role: callwright.RoleSystem, Parts: []callwright.Part{text("")}}, assistant(text(" "), call("a")), user(result("a", text("")))},
		want:     one + `,{"role":"tool","tool_call_id":"a","content":"(no output)"}`, rules: []string{"history.empty_message", "history.empty_text", "history.empty_result"}},
	{name: "an answer begun, to be marked", caps: caps.Caps{History: caps.HistoryRules{Prefill: caps.PrefillPrefix}}, messages: []callwright.Message{assistant(text("No.")), user(text("Hi")), assistant(text("{"))},
		want: `{"role":"assistant","content":"No."},{"role":"user","content":"Hi"},{"role":"assistant","content":"{","prefix":true}`},
	{name: "an answer begun", messages: []callwright.Message{user(text("Hi")), assistant(text("{"))}, want: `{"role":"user","content":"Hi"},{"role":"assistant","content":"{"}`},
	{name: "instructions as the user's", caps: caps.Caps{History: caps.HistoryRules{SystemRole: caps.SystemRoleUser}}, messages: []callwright.Message{{Role: callwright.RoleSystem, Parts: []callwright.Part{text("Be brief.")}}, user(text("Hi"))},
		want: `{"role":"user","content":"Be brief."},{"role":"user","content":"Hi"}`, rules: []string{"history.system_role"}},
	{name: "an empty turn", messages: []callwright.Message{assistant()}, want: `{"role":"assistant","content":""}`},
}

// TestHistory writes histories that were built or came over another wire.
func TestHistory(t *testing.T) {
	for _, c := range historyCases {
		t.Run(c.name, func(t *testing.T) {
			got, rules := encode(t, &callwright.Request{Messages: c.messages}, c.caps)
			if diff := cmp.Diff(`{"model":"tern","messages":[`+c.want+`]}`, got); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, rules); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSettings writes parameters of a request that was built.
func TestSettings(t *testing.T) {
	yes := true
	tools := []callwright.Tool{{Name: "look", Strict: &yes}, {Name: "patch", Type: callwright.CustomTool}}
	const asFunction = `{"type":"function","function":{"name":"patch","description":"Edits.\n\nThe parameter input is free text that follows this lark grammar:\nstart: x","parameters":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}}`
	grammar := callwright.Tool{Name: "patch", Type: callwright.CustomTool, Description: "Edits.",
		Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: json.RawMessage(`{"format":{"type":"grammar","syntax":"lark","definition":"start: x"}}`)}}
	const wroteTools = `"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{}},"strict":true}},{"type":"custom","custom":{"name":"patch"}}],`
	for _, c := range []struct {
		name   string
		caps   caps.Caps
		params callwright.Params
		tools  []callwright.Tool
		want   string
	}{
		{name: "stream", params: callwright.Params{Stream: true}, want: `"stream":true,"stream_options":{"include_usage":true}`},
		{name: "stream without usage", caps: caps.Caps{StreamUsage: caps.No}, params: callwright.Params{Stream: true}, want: `"stream":true`},
		{name: "choice without tools", params: callwright.Params{Choice: callwright.Choice{Mode: callwright.ChoiceAuto}, Parallel: &yes}, want: ``},
		{name: "choice", tools: tools, params: callwright.Params{Choice: callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"patch"}}, Parallel: &yes},
			want: wroteTools + `"tool_choice":{"type":"custom","custom":{"name":"patch"}},"parallel_tool_calls":true`},
		{name: "allowed tools", tools: tools, params: callwright.Params{Choice: callwright.Choice{Mode: callwright.ChoiceRequired, Names: []string{"look"}}},
			want: wroteTools + `"tool_choice":{"type":"allowed_tools","allowed_tools":{"mode":"required","tools":[{"type":"function","function":{"name":"look"}}]}}`},
		{name: "a tool of free text where there are functions only", caps: caps.Caps{CustomTools: caps.No}, tools: []callwright.Tool{grammar},
			params: callwright.Params{Choice: callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"patch"}}},
			want:   `"tools":[` + asFunction + `],"tool_choice":{"type":"function","function":{"name":"patch"}}`},
		{name: "a tool of free text with its grammar", caps: caps.Caps{CustomTools: caps.Yes}, tools: []callwright.Tool{grammar},
			want: `"tools":[{"type":"custom","custom":{"name":"patch","description":"Edits.","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"start: x"}}}}]`},
		{name: "numbers", params: callwright.Params{MaxTokens: "5", Temperature: "1.0", Seed: "9223372036854775807"}, want: `"max_tokens":5,"temperature":1.0,"seed":9223372036854775807`},
		{name: "stop", params: callwright.Params{Stop: []string{"a", "\""}}, want: `"stop":["a","\""]`},
		{name: "any JSON", params: callwright.Params{Format: &callwright.AnswerFormat{}}, want: `"response_format":{"type":"json_object"}`},
		{name: "a schema", params: callwright.Params{Format: &callwright.AnswerFormat{Schema: json.RawMessage(`{}`), Strict: &yes}},
			want: `"response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{},"strict":true}}`},
		{name: "effort", params: callwright.Params{Thinking: callwright.Thinking{Effort: "low"}}, want: `"reasoning_effort":"low"`},
		{name: "no thinking", params: callwright.Params{Thinking: callwright.Thinking{Off: true}}, want: `"reasoning_effort":"none"`},
		{name: "a budget", params: callwright.Params{Thinking: callwright.Thinking{Budget: "8000"}}, want: `"reasoning_effort":"medium"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := encode(t, &callwright.Request{Messages: []callwright.Message{user(text("x"))}, Tools: c.tools, Params: c.params}, c.caps)
			want := `{"model":"tern","messages":[{"role":"user","content":"x"}],` + c.want + `}`
			if diff := cmp.Diff(strings.Replace(want, ",}", "}", 1), got); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRequestStays changes a request that was encoded: encoding must not have touched it.
func TestRequestStays(t *testing.T) {
	messages := []callwright.Message{assistant(call("a")), user(text("w"), result("a", callwright.Image{URL: "u"}))}
	req := &callwright.Request{Messages: messages}
	first, _ := encode(t, req, caps.Caps{})
	second, _ := encode(t, req, caps.Caps{})
	if first != second || len(messages[1].Parts) != 2 {
		t.Errorf("expected the same bytes twice, got\n%s\n%s", first, second)
	}
}

// looked is a call as clients hand it back.
const looked = `{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"}}`

// rewrittenCases are those of TestRewritten.
var rewrittenCases = []struct {
	name, body string
	caps       caps.Caps
	want       string // "" for the body itself
	rules      []string
}{
	{name: "a developer where there are none", caps: caps.Caps{History: caps.HistoryRules{SystemRole: caps.SystemRoleSystem}},
		body: `{"model":"tern","messages":[{"role":"developer","content":"Be brief.","name":"d"},{"role":"user","content": "Hi"}]}`,
		want: `{"model":"tern","messages":[{"role":"system","content":"Be brief.","name":"d"},{"role":"user","content": "Hi"}]}`, rules: []string{"history.system_role"}},
	{name: "a system message where there are none", caps: caps.Caps{History: caps.HistoryRules{SystemRole: caps.SystemRoleDeveloper}},
		body: `{"model":"tern","messages":[{"role":"system","content":"Be brief."},{"role":"user","content": "Hi"}]}`,
		want: `{"model":"tern","messages":[{"role":"developer","content":"Be brief."},{"role":"user","content": "Hi"}]}`, rules: []string{"history.system_role"}},
	{name: "the right role", caps: caps.Caps{History: caps.HistoryRules{SystemRole: caps.SystemRoleSystem}},
		body: `{"model":"tern","messages":[ {"role":"system","content":"Be brief."},{"role":"user","content": "Hi"}]}`},
	{name: "a developer where nobody minds", body: `{"model":"tern","messages":[ {"role":"developer","content":"Be brief."},{"role":"user","content": "Hi"}]}`},
	{name: "an answer begun and not marked", caps: caps.Caps{History: caps.HistoryRules{Prefill: caps.PrefillPrefix}},
		body: `{"model":"tern","messages":[{"role":"user","content": "Hi"},{"role":"assistant","content":"{"}]}`,
		want: `{"model":"tern","messages":[{"role":"user","content": "Hi"},{"role":"assistant","content":"{","prefix":true}]}`},
	{name: "an answer begun and marked wrongly", caps: caps.Caps{History: caps.HistoryRules{Prefill: caps.PrefillPrefix}},
		body: `{"model":"tern","messages":[{"role":"user","content": "Hi"},{"role":"assistant","content":"{","prefix":false}]}`,
		want: `{"model":"tern","messages":[{"role":"user","content": "Hi"},{"role":"assistant","content":"{","prefix":true}]}`},
	{name: "an answer begun and marked", caps: caps.Caps{History: caps.HistoryRules{Prefill: caps.PrefillPrefix}},
		body: `{"model":"tern","messages":[{"role":"user","content": "Hi"}, {"prefix":true,"role":"assistant","content":"{"}]}`},
	{name: "strict tools where there are none", caps: caps.Caps{StrictTools: caps.No},
		body:  `{"model":"tern","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"},"strict":true}},{"type":"function","function":{"name":"see","parameters":{},"strict":false}}]}`,
		want:  `{"model":"tern","messages":[{"role":"user","content":"Hi"}],"tools":[{"type":"function","function":{"name":"look","parameters":{"type":"object"}}},{"type":"function","function":{"name":"see","parameters":{}}}]}`,
		rules: []string{"tools.strict"}},
	{name: "ids of more than forty characters", caps: caps.Caps{IDs: caps.IDRule{Max: 40, Extra: "*"}},
		body: `{"model":"tern","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"fc_0123456789012345678901234567890123456789","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"fc_0123456789012345678901234567890123456789","content":"3"}]}`,
		want: `{"model":"tern","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"ID","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"ID","content":"3"}]}`, rules: []string{"history.call_id"}},
	{name: "an older call that is written anew", caps: caps.Caps{History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackAlways}},
		body:  `{"model":"tern","messages":[{"role":"assistant","content":null,"function_call":{"name":"look","arguments":"{}"}},{"role":"function","name":"look","content":"3"}]}`,
		want:  `{"model":"tern","messages":[{"role":"assistant","content":null,"reasoning_content":" ","tool_calls":[{"id":"call_0_0","type":"function","function":{"name":"look","arguments":"{}"}}]},{"role":"tool","tool_call_id":"call_0_0","content":"3","name":"look"}]}`,
		rules: []string{"history.reasoning_filler"}},
	{name: "an older call that stays", caps: caps.Caps{History: caps.HistoryRules{NoBlankText: true}},
		body:  `{"model":"tern","messages":[{"role":"assistant","content":null,"function_call":{"name":"look","arguments":"{}"}},{"role":"function","name":"look","content":"3"},{"role":"assistant","content":" "}]}`,
		want:  `{"model":"tern","messages":[{"role":"assistant","content":null,"function_call":{"name":"look","arguments":"{}"}},{"role":"function","name":"look","content":"3"},{"role":"assistant","content":" "}]}`,
		rules: nil},
	{name: "content that says nothing, wanted as null", caps: caps.Caps{History: caps.HistoryRules{NullContent: true}},
		body:  `{"model":"tern","messages":[{"role":"assistant","content":" ","tool_calls":[` + looked + `]},{"role":"tool","tool_call_id":"c1","content":"3"},{"role":"assistant","content":""},{"role":"user","content": "Hi"},{"role":"assistant","content":[{"type":"text","text":""}],"tool_calls":[` + looked + `]}]}`,
		want:  `{"model":"tern","messages":[{"role":"assistant","content":null,"tool_calls":[` + looked + `]},{"role":"tool","tool_call_id":"c1","content":"3"},{"role":"assistant","content":""},{"role":"user","content": "Hi"},{"role":"assistant","content":null,"tool_calls":[` + looked + `]}]}`,
		rules: []string{"history.null_content", "history.null_content"}},
	{name: "content that says something, or is null already", caps: caps.Caps{History: caps.HistoryRules{NullContent: true, NoNullContent: true}},
		body: `{"model":"tern","messages":[{"role":"assistant","content": null,"tool_calls":[` + looked + `]},{"role":"assistant", "content":"I look.","tool_calls":[` + looked + `]}]}`},
	{name: "an empty reasoning wanted", caps: caps.Caps{History: caps.HistoryRules{EmptyReasoning: true}},
		body:  `{"model":"tern","messages":[{"role":"assistant","content":null,"tool_calls":[` + looked + `]},{"role":"tool","tool_call_id":"c1","content":"3"},{"role":"assistant","content":"3."}]}`,
		want:  `{"model":"tern","messages":[{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[` + looked + `]},{"role":"tool","tool_call_id":"c1","content":"3"},{"role":"assistant","content":"3."}]}`,
		rules: []string{"history.empty_reasoning"}},
	{name: "an empty reasoning, and others that are there", caps: caps.Caps{History: caps.HistoryRules{EmptyReasoning: true}},
		body: `{"model":"tern","messages":[{"role":"assistant","content":null,"reasoning_content": "","tool_calls":[` + looked + `]},{"role":"assistant", "reasoning":"Hm.","content":null,"tool_calls":[` + looked + `]}]}`},
	{name: "an empty reasoning where every turn needs some", caps: caps.Caps{History: caps.HistoryRules{EmptyReasoning: true, ReasoningBack: caps.ReasoningBackAlways}},
		body:  `{"model":"tern","messages":[{"role":"assistant","content":null,"tool_calls":[` + looked + `]},{"role":"tool","tool_call_id":"c1","content":"3"},{"role":"assistant","content":"3."}]}`,
		want:  `{"model":"tern","messages":[{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[` + looked + `]},{"role":"tool","tool_call_id":"c1","content":"3"},{"role":"assistant","content":"3.","reasoning_content":" "}]}`,
		rules: []string{"history.empty_reasoning", "history.reasoning_filler"}},
	{name: "an empty reasoning where none may return", caps: caps.Caps{History: caps.HistoryRules{EmptyReasoning: true, ReasoningBack: caps.ReasoningBackNever}},
		body:  `{"model":"tern","messages":[{"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[` + looked + `]}]}`,
		want:  `{"model":"tern","messages":[{"role":"assistant","content":null,"reasoning_content":"","tool_calls":[` + looked + `]}]}`,
		rules: []string{"history.reasoning_left_out", "history.empty_reasoning"}},
	{name: "signed calls", caps: caps.Caps{History: caps.HistoryRules{SignedCalls: true}},
		body: `{"model":"tern","messages":[{"role":"assistant","content":null,"tool_calls":[` + looked + `,` + looked + `]},{"role":"assistant", "content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]},` +
			`{"role":"assistant", "content":null,"reasoning_details":[{"data":"e"}],"tool_calls":[` + looked + `]},{"role":"assistant", "content":"3."}]}`,
		want: `{"model":"tern","messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"},"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}},` + looked + `]},` +
			`{"role":"assistant", "content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{}"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]},` +
			`{"role":"assistant", "content":null,"reasoning_details":[{"data":"e"}],"tool_calls":[` + looked + `]},{"role":"assistant", "content":"3."}]}`,
		rules: []string{"history.sentinel"}},
	{name: "ids of forty characters", caps: caps.Caps{IDs: caps.IDRule{Max: 40, Extra: "*"}},
		body: `{"model":"tern","messages":[{"role":"assistant","tool_calls":[{"id":"call_01234567890123456789012345678901234","type":"function","function":{"name":"look","arguments":"{}"}}]}, {"role":"tool","tool_call_id":"call_01234567890123456789012345678901234","content":"3"}]}`},
}

// TestRewritten sends requests of this wire to providers that do not take all of it.
func TestRewritten(t *testing.T) {
	for _, c := range rewrittenCases {
		t.Run(c.name, func(t *testing.T) {
			got, rules := encode(t, decode(t, c.body), c.caps)
			if id, _, ok := strings.Cut(between(got, `"tool_calls":[{"id":"`), `"`); ok && strings.Contains(c.want, `"ID"`) {
				if len(id) > 40 {
					t.Errorf("id %s has %d characters", id, len(id))
				}
				got = strings.ReplaceAll(got, `"`+id+`"`, `"ID"`)
			}
			if c.want == "" {
				c.want = c.body
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, rules); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// between is what follows the first mark in s.
func between(s, mark string) string {
	_, rest, _ := strings.Cut(s, mark)
	return rest
}

// Whether tools have a type is known without decoding them, so that equal requests are sent alike.
func TestToolsWithoutType(t *testing.T) {
	const tool = `{"function":{"name":"look","parameters":{"type":"object"}}}`
	body := []byte(`{"model":"m","messages":[{"role":"user","content":"hi"}],"tools":[` + tool + `]}`)
	for range 2 {
		req, err := openai.Codec{}.DecodeRequest(body)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := openai.Codec{}.EncodeRequest(req, "lab/m", caps.Caps{})
		if err != nil || !strings.Contains(string(out), `"type":"function"`) {
			t.Errorf("expected the type to be written, got %s, %v", out, err)
		}
	}
}
