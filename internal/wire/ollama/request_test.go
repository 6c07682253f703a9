package ollama_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/ollama"
	"github.com/google/go-cmp/cmp"
)

// built is a request that did not come over this wire.
func built(parts ...callwright.Message) *callwright.Request {
	return &callwright.Request{Model: "lab/tern", Messages: parts}
}

func said(role callwright.Role, parts ...callwright.Part) callwright.Message {
	return callwright.Message{Role: role, Parts: parts}
}

func words(s string) callwright.Part { return callwright.Text{Text: s} }

func call(id, name, args string) callwright.Part {
	return callwright.Call{ID: id, Name: name, Arguments: json.RawMessage(args)}
}

func result(id, s string) callwright.Part {
	return callwright.Result{CallID: id, Parts: []callwright.Part{words(s)}}
}

// rules are the ids of notes.
func rules(notes []callwright.Note) []string {
	var out []string
	for _, n := range notes {
		out = append(out, n.Rule)
	}
	return out
}

var tools = []callwright.Tool{{Name: "look", Description: "Looks.", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "now"}}

// What the cases of TestRequestsOfOtherWires are made of.
var with = func(r *callwright.Request, change func(*callwright.Request)) *callwright.Request {
	change(r)
	return r
}

var hello = func() *callwright.Request { return built(said(callwright.RoleUser, words("a"))) }

const lookTool = `{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}}`

const nowTool = `{"type":"function","function":{"name":"now","parameters":{"type":"object","properties":{}}}}`

const helloBody = `{"model":"m","messages":[{"role":"user","content":"a"}]`

var foreign = callwright.Origin{Wire: callwright.WireAnthropic}

// requestsOfOtherWiresCases are those of TestRequestsOfOtherWires.
var requestsOfOtherWiresCases = map[string]struct {
	req   *callwright.Request
	caps  caps.Caps
	want  string
	rules []string
}{
	"stream is always said": {req: hello(), want: helloBody + `,"stream":false}`},
	"params": {req: with(hello(), func(r *callwright.Request) {
		r.Params = callwright.Params{Stream: true, MaxTokens: "9", Temperature: "0.10", TopK: "4", Seed: "9007199254740993", Stop: []string{"x"},
			Format: &callwright.AnswerFormat{Schema: json.RawMessage(`{"type":"object"}`)}, User: "me", Parallel: new(false)}
	}), want: helloBody + `,"stream":true,"format":{"type":"object"},"options":{"num_predict":9,"temperature":0.10,"top_k":4,"seed":9007199254740993,"stop":["x"]}}`,
		rules: []string{"params.dropped", "params.dropped"}},
	"any object": {req: with(hello(), func(r *callwright.Request) { r.Params.Format = &callwright.AnswerFormat{} }),
		want: helloBody + `,"stream":false,"format":"json"}`},
	"effort": {req: with(hello(), func(r *callwright.Request) { r.Params.Thinking.Effort = "high" }), want: helloBody + `,"stream":false,"think":"high"}`},
	"an effort where levels are refused": {req: with(hello(), func(r *callwright.Request) { r.Params.Thinking.Effort = "high" }), caps: caps.Caps{Efforts: "none"},
		want: helloBody + `,"stream":false,"think":true}`, rules: []string{"params.thinking"}},
	"unknown effort": {req: with(hello(), func(r *callwright.Request) { r.Params.Thinking.Effort = "minimal" }), want: helloBody + `,"stream":false,"think":"low"}`, rules: []string{"params.thinking"}},
	"no thinking":    {req: with(hello(), func(r *callwright.Request) { r.Params.Thinking.Off = true }), want: helloBody + `,"stream":false,"think":false}`},
	"budget":         {req: with(hello(), func(r *callwright.Request) { r.Params.Thinking.Budget = "9000" }), want: helloBody + `,"stream":false,"think":"medium"}`, rules: []string{"params.thinking"}},
	"large budget":   {req: with(hello(), func(r *callwright.Request) { r.Params.Thinking.Budget = "64000" }), want: helloBody + `,"stream":false,"think":"high"}`, rules: []string{"params.thinking"}},
	"members of another wire": {req: with(hello(), func(r *callwright.Request) {
		r.Extra = callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(`{"n":2}`)}
	}), want: helloBody + `,"stream":false}`, rules: []string{"params.left_out"}},
	"tools":   {req: with(hello(), func(r *callwright.Request) { r.Tools = tools }), want: helloBody + `,"tools":[` + lookTool + `,` + nowTool + `],"stream":false}`},
	"no tool": {req: with(hello(), func(r *callwright.Request) { r.Tools, r.Params.Choice.Mode = tools, callwright.ChoiceNone }), want: helloBody + `,"stream":false}`, rules: []string{"tools.filtered", "tools.filtered"}},
	"one tool": {req: with(hello(), func(r *callwright.Request) {
		r.Tools, r.Params.Choice = tools, callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"now"}}
	}), want: helloBody + `,"tools":[` + nowTool + `],"stream":false}`, rules: []string{"tools.filtered", "params.dropped"}},
	"some tools": {req: with(hello(), func(r *callwright.Request) {
		r.Tools, r.Params.Choice = tools, callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"look"}}
	}), want: helloBody + `,"tools":[` + lookTool + `],"stream":false}`, rules: []string{"tools.filtered"}},
	"strict tools": {req: with(hello(), func(r *callwright.Request) { r.Tools = []callwright.Tool{{Name: "now", Strict: new(true)}} }), want: helloBody + `,"tools":[` + nowTool + `],"stream":false}`, rules: []string{"tools.strict"}},
	"hosted tools": {req: with(hello(), func(r *callwright.Request) { r.Tools = []callwright.Tool{{Name: "web", Type: callwright.HostedTool}} }), want: helloBody + `,"stream":false}`, rules: []string{"tools.hosted"}},
	"custom tools": {req: with(hello(), func(r *callwright.Request) { r.Tools = []callwright.Tool{{Name: "patch", Type: callwright.CustomTool}} }), want: helloBody + `,"tools":[{"type":"function","function":{"name":"patch","parameters":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}}],"stream":false}`, rules: []string{"tools.custom"}},
	"odd schema": {req: with(hello(), func(r *callwright.Request) {
		r.Tools = []callwright.Tool{{Name: "now", Schema: json.RawMessage(`true`)}}
	}), want: helloBody + `,"tools":[` + nowTool + `],"stream":false}`, rules: []string{"tools.schema_type"}},
	"null schema": {req: with(hello(), func(r *callwright.Request) {
		r.Tools = []callwright.Tool{{Name: "now", Schema: json.RawMessage(` null`)}}
	}), want: helloBody + `,"tools":[` + nowTool + `],"stream":false}`},
	"texts":         {req: built(said(callwright.RoleSystem, words("a"), words("b\n"), words("c")), said(callwright.RoleUser, words("d"), words("\n\ne"))), want: `{"model":"m","messages":[{"role":"system","content":"a\n\nb\nc"},{"role":"user","content":"d\n\ne"}],"stream":false}`},
	"images":        {req: built(said(callwright.RoleUser, callwright.Image{MediaType: "image/png", Data: "AAAA"}, words("a"))), want: `{"model":"m","messages":[{"role":"user","content":"a","images":["AAAA"]}],"stream":false}`},
	"image address": {req: built(said(callwright.RoleUser, callwright.Image{URL: "https://x.test/a.png"})), want: `{"model":"m","messages":[{"role":"user","content":"[Image: https://x.test/a.png]"}],"stream":false}`, rules: []string{"history.image_url"}},
	"files":         {req: built(said(callwright.RoleUser, callwright.File{Name: "a.txt", Text: "t"}, callwright.File{Name: "b.pdf", Data: "AAAA"})), want: `{"model":"m","messages":[{"role":"user","content":"t\n\n[A file was left out: b.pdf]"}],"stream":false}`, rules: []string{"history.file"}},
	"loop": {req: built(said(callwright.RoleAssistant, callwright.Reasoning{Text: "hm"}, words("I look."), call("x", "look", "{\n\"n\": 9007199254740993}"), call("y", "now", "")),
		said(callwright.RoleUser, result("x", "1"), result("y", "2"), words("go on"))),
		want: `{"model":"m","messages":[{"role":"assistant","content":"I look.","thinking":"hm","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{"n":9007199254740993}}},` +
			`{"id":"y","function":{"index":1,"name":"now","arguments":{}}}]},{"role":"tool","content":"1","tool_name":"look","tool_call_id":"x"},` +
			`{"role":"tool","content":"2","tool_name":"now","tool_call_id":"y"},{"role":"user","content":"go on"}],"stream":false}`,
		rules: []string{"history.bad_arguments"}},
	"results out of order": {req: built(said(callwright.RoleAssistant, call("x", "look", "{}"), call("y", "look", "{}")), said(callwright.RoleTool, result("y", "2")), said(callwright.RoleTool, result("x", "1"))),
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{}}},{"id":"y","function":{"index":1,"name":"look","arguments":{}}}]},` +
			`{"role":"tool","content":"1","tool_name":"look","tool_call_id":"x"},{"role":"tool","content":"2","tool_name":"look","tool_call_id":"y"}],"stream":false}`,
		rules: []string{"history.results_first"}},
	"text before results": {req: built(said(callwright.RoleAssistant, call("x", "look", "{}")), said(callwright.RoleUser, words("wait"), result("x", "1"))),
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{}}}]},` +
			`{"role":"tool","content":"1","tool_name":"look","tool_call_id":"x"},{"role":"user","content":"wait"}],"stream":false}`,
		rules: []string{"history.results_first"}},
	"image in a result": {req: built(said(callwright.RoleAssistant, call("x", "look", "{}")), said(callwright.RoleTool, callwright.Result{CallID: "x", Parts: []callwright.Part{words("see"), callwright.Image{Data: "AAAA"}}})),
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{}}}]},` +
			`{"role":"tool","content":"see","images":["AAAA"],"tool_name":"look","tool_call_id":"x"}],"stream":false}`},
	"image that may not stay in a result": {req: built(said(callwright.RoleAssistant, call("x", "look", "{}")), said(callwright.RoleTool, callwright.Result{CallID: "x", Parts: []callwright.Part{words("see"), callwright.Image{Data: "AAAA"}}})),
		caps: caps.Caps{ResultImages: caps.No},
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{}}}]},` +
			`{"role":"tool","content":"see\n[The image of this result follows in the next message of the user.]","tool_name":"look","tool_call_id":"x"},` +
			`{"role":"user","content":"[The image from the result of look:]","images":["AAAA"]}],"stream":false}`,
		rules: []string{"history.result_image"}},
	"result of several texts": {req: built(said(callwright.RoleAssistant, call("x", "look", "{}")), said(callwright.RoleTool, callwright.Result{CallID: "x", Parts: []callwright.Part{words("12"), words("34")}})),
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{}}}]},{"role":"tool","content":"12\n34","tool_name":"look","tool_call_id":"x"}],"stream":false}`},
	"failed result": {req: built(said(callwright.RoleAssistant, call("x", "look", "{}")), said(callwright.RoleTool, callwright.Result{CallID: "x", IsError: true, Parts: []callwright.Part{words("gone")}})),
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{}}}]},` +
			`{"role":"tool","content":"Error:\ngone","tool_name":"look","tool_call_id":"x"}],"stream":false}`,
		rules: []string{"history.result_error"}},
	"failed result that says so": {req: built(said(callwright.RoleAssistant, call("x", "look", "{}")), said(callwright.RoleTool, callwright.Result{CallID: "x", IsError: true, Parts: []callwright.Part{words(`{"error":"gone"}`)}})),
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{}}}]},` +
			`{"role":"tool","content":"{\"error\":\"gone\"}","tool_name":"look","tool_call_id":"x"}],"stream":false}`},
	"custom call": {req: built(said(callwright.RoleAssistant, callwright.Call{ID: "x", Name: "patch", Type: callwright.CustomTool, Input: "*** \"a\""})),
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"patch","arguments":{"input":"*** \"a\""}}}]}],"stream":false}`},
	"state of others": {req: built(said(callwright.RoleAssistant, callwright.Reasoning{Text: "hm", Signature: "s", Origin: foreign},
		callwright.Call{ID: "x", Name: "now", Arguments: json.RawMessage(`{}`), Signature: "s", Origin: foreign})),
		want:  `{"model":"m","messages":[{"role":"assistant","content":"","thinking":"hm","tool_calls":[{"id":"x","function":{"index":0,"name":"now","arguments":{}}}]}],"stream":false}`,
		rules: []string{"history.foreign_signature"}},
	"no reasoning back": {req: built(said(callwright.RoleAssistant, callwright.Reasoning{Text: "hm"}, words("a"))), caps: caps.Caps{History: caps.HistoryRules{ReasoningBack: caps.ReasoningBackNever}},
		want: `{"model":"m","messages":[{"role":"assistant","content":"a"}],"stream":false}`, rules: []string{"history.reasoning_left_out"}},
	"opaque part": {req: built(said(callwright.RoleUser, words("a"), callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{}`)}})),
		want: helloBody + `,"stream":false}`, rules: []string{"history.opaque"}},
	"ids": {req: built(said(callwright.RoleAssistant, call("functions.now:0", "now", "{}")), said(callwright.RoleTool, result("functions.now:0", "1"))), caps: caps.Caps{IDs: caps.IDRule{Exact: 9}},
		want: `{"model":"m","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"ID","function":{"index":0,"name":"now","arguments":{}}}]},` +
			`{"role":"tool","content":"1","tool_name":"now","tool_call_id":"ID"}],"stream":false}`, rules: []string{"history.call_id"}},
}

func TestRequestsOfOtherWires(t *testing.T) {
	for name, c := range requestsOfOtherWiresCases {
		t.Run(name, func(t *testing.T) {
			out, notes, err := ollama.Codec{}.EncodeRequest(c.req, "m", c.caps)
			if err != nil {
				t.Fatal(err)
			}
			got := string(out)
			if c.caps.IDs.Exact > 0 {
				_, after, _ := strings.Cut(got, `"id":"`)
				got = strings.ReplaceAll(got, after[:9], "ID")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("unexpected body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, rules(notes)); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNumbersMustBeNumbers(t *testing.T) {
	for _, n := range []json.Number{"hot", "1,\"x\":2", `"1"`} {
		req := built(said(callwright.RoleUser, words("a")))
		req.Params.Temperature = n
		if _, _, err := (ollama.Codec{}).EncodeRequest(req, "m", caps.Caps{}); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%s: expected a refusal, got %v", n, err)
		}
	}
}

// decoded is the request of a client of this wire.
func decoded(t *testing.T, body string) *callwright.Request {
	t.Helper()
	req, err := ollama.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// What was not changed keeps its bytes, white space included.
func TestChangesKeepTheRest(t *testing.T) {
	const body = `{ "model":"a" , "messages" : [ { "role":"user" , "content":"q" } , {"role":"assistant","content":"","tool_calls":[{"function":{"name":"now","arguments":{ }}}]} , {"role":"tool","content":"1"} ] ,
 "tools":[ {"type":"function","function":{"name":"now"}} , {"type":"function","function":{"name":"look"}} ] , "options" : { "seed" : 1 , "num_ctx" : 9 } }`
	for name, c := range map[string]struct {
		change func(r *callwright.Request)
		caps   caps.Caps
		from   string
		to     string
		rules  []string
	}{
		"option":     {change: func(r *callwright.Request) { r.Params.Seed = "2" }, from: `"seed" : 1`, to: `"seed" : 2`},
		"new option": {change: func(r *callwright.Request) { r.Params.MaxTokens = "5" }, from: `"num_ctx" : 9 `, to: `"num_ctx" : 9,"num_predict":5 `},
		"stream":     {change: func(r *callwright.Request) { r.Params.Stream = false }, from: `9 } }`, to: `9 },"stream":false }`},
		"choice": {change: func(r *callwright.Request) {
			r.Params.Choice = callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"look"}}
		}, from: `[ {"type":"function","function":{"name":"now"}} , {"type":"function","function":{"name":"look"}} ]`,
			to: `[{"type":"function","function":{"name":"look","parameters":{"type":"object","properties":{}}}}]`, rules: []string{"tools.filtered"}},
		"a message more": {change: func(r *callwright.Request) {
			h, _ := r.History()
			r.Messages = append(slices.Clone(h), said(callwright.RoleUser, words("more")))
		}, from: `[ { "role":"user" , "content":"q" } , {"role":"assistant","content":"","tool_calls":[{"function":{"name":"now","arguments":{ }}}]} , {"role":"tool","content":"1"} ]`,
			to: `[{ "role":"user" , "content":"q" },{"role":"assistant","content":"","tool_calls":[{"function":{"name":"now","arguments":{ }}}]},{"role":"tool","content":"1"},{"role":"user","content":"more"}]`},
		"edit": {change: func(r *callwright.Request) {
			companion.Change(r, func(c *companion.Companion) {
				c.Edits = []callwright.Edit{{Path: []string{"options", "num_ctx"}, Value: json.RawMessage("4096")}}
			})
		}, from: `"num_ctx" : 9`, to: `"num_ctx" : 4096`},
	} {
		t.Run(name, func(t *testing.T) {
			req := decoded(t, body)
			c.change(req)
			out, notes, err := ollama.Codec{}.EncodeRequest(req, "b", c.caps)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(strings.Replace(body, c.from, c.to, 1), `"model":"a"`, `"model":"b"`, 1)
			if diff := cmp.Diff(want, string(out)); diff != "" {
				t.Errorf("unexpected body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, rules(notes)); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// A server refuses arguments that are text, so such a history is written anew.
func TestArgumentsAsTextInHistory(t *testing.T) {
	req := decoded(t, `{"model":"a","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"name":"look","arguments":"{\"n\":1}"}}]},{"role":"tool","tool_name":"look","content":"1"}]}`)
	if turn := companion.Of(req).Body.Summaries()[0]; turn.Calls[0].Sound {
		t.Error("expected a call that is not sound")
	}
	out, _, err := ollama.Codec{}.EncodeRequest(req, "a", caps.Caps{})
	const want = `{"model":"a","messages":[{"role":"assistant","content":"","tool_calls":[{"id":"x","function":{"index":0,"name":"look","arguments":{"n":1}}}]},{"role":"tool","tool_name":"look","content":"1"}]}`
	if err != nil || string(out) != want {
		t.Errorf("expected %s, got %s (%v)", want, out, err)
	}
}

// A result without an id belongs to the first call of its tool that has none yet, in whatever order results come.
func TestResultsWithoutIDs(t *testing.T) {
	req := decoded(t, `{"model":"a","messages":[{"role":"assistant","content":"","tool_calls":[{"function":{"name":"look","arguments":{"n":1}}},{"function":{"name":"now","arguments":{}}},{"function":{"name":"look","arguments":{"n":2}}}]},
		{"role":"tool","tool_name":"now","content":"t"},{"role":"tool","tool_name":"look","content":"1"},{"role":"tool","tool_name":"look","content":"2"},{"role":"tool","tool_name":"look","content":"3"}]}`)
	var got []string
	for _, turn := range companion.Of(req).Body.Summaries()[1:] {
		got = append(got, turn.Results...)
	}
	if diff := cmp.Diff([]string{"call_0_1", "call_0_0", "call_0_2", ""}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A member that is read may not stand there twice, however it is spelled: a server might take the other one.
func TestMembersStandOnce(t *testing.T) {
	const body = `{"model":"a","messages":[{"role":"user","content":"q"}],"mod\u0065l":"b"}`
	if _, err := (ollama.Codec{}).DecodeRequest([]byte(body)); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("expected a refusal, got %v", err)
	}
}

// Of many calls without ids each gets its own result.
func TestManyCalls(t *testing.T) {
	const n = 20000
	var members, calls, results strings.Builder
	for i := range n {
		members.WriteString(`"x` + strconv.Itoa(i) + `":1,`)
		calls.WriteString(`{"function":{"name":"now","arguments":{}}},`)
		results.WriteString(`{"role":"tool","content":"1"},`)
	}
	req := decoded(t, `{`+members.String()+`"model":"a","messages":[{"role":"assistant","content":"","tool_calls":[`+strings.TrimSuffix(calls.String(), ",")+`]},`+
		strings.TrimSuffix(results.String(), ",")+`]}`)
	req.Messages, _ = req.History()
	companion.Change(req, func(c *companion.Companion) { c.Body = nil })
	out, _, err := ollama.Codec{}.EncodeRequest(req, "a", caps.Caps{})
	if err != nil || strings.Count(string(out), `"tool_call_id"`) != n {
		t.Errorf("got %d bytes (%v)", len(out), err)
	}
}
