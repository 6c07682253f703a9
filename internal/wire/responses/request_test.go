package responses_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/google/go-cmp/cmp"
)

func decode(t testing.TB, body string) *callwright.Request {
	t.Helper()
	req, err := responses.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// encode gives the body and the rules of the notes.
func encode(t testing.TB, req *callwright.Request, c caps.Caps) (body string, rules []string) {
	t.Helper()
	out, notes, err := responses.Codec{}.EncodeRequest(req, "tern", c)
	if err != nil {
		t.Fatal(err)
	}
	if err := jsonx.Valid(out); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, n := range notes {
		rules = append(rules, n.Rule)
	}
	return string(out), rules
}

const base = `{"model":"tern","instructions":"Be brief.","input":[{"role":"user","content":"Tide?"},` +
	`{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gA"},{"type":"function_call","id":"fc_1","call_id":"call_long_1","name":"tide_at","arguments":"{ }"},` +
	`{"type":"function_call_output","call_id":"call_long_1","output":"3 m"},{"role":"user","content":"And now?"}],` +
	`"tools":[{"type":"function","name":"tide_at","parameters":{"type":"object"}}],"tool_choice":"auto","parallel_tool_calls":false,"x":[1.0],"text":{"verbosity":"low"}}`

// TestPatch changes a request of this wire: what no change concerns keeps its bytes.
func TestPatch(t *testing.T) {
	for _, c := range []struct {
		name     string
		change   func(*callwright.Request)
		caps     caps.Caps
		old, new []string
		rules    []string
	}{
		{name: "nothing"},
		{name: "streamed", change: func(r *callwright.Request) { r.Params.Stream = true }, old: []string{`"low"}}`}, new: []string{`"low"},"stream":true}`}},
		{name: "parallel refused", caps: caps.Caps{ParallelField: caps.No}, old: []string{`"parallel_tool_calls":false,`}, new: []string{``}},
		{name: "choice refused", caps: caps.Caps{ChoiceField: caps.No}, old: []string{`"tool_choice":"auto",`}, new: []string{``}},
		{name: "choice required", change: func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceRequired }, old: []string{`"auto"`}, new: []string{`"required"`}},
		{name: "a schema", change: func(r *callwright.Request) {
			r.Params.Format = &callwright.AnswerFormat{Schema: json.RawMessage(`{"type":"object"}`)}
		}, old: []string{`{"verbosity":"low"}`}, new: []string{`{"format":{"type":"json_schema","name":"answer","schema":{"type":"object"},"strict":false},"verbosity":"low"}`}},
		{name: "tools taken out", change: func(r *callwright.Request) { r.Tools = []callwright.Tool{} },
			old: []string{`"tools":[{"type":"function","name":"tide_at","parameters":{"type":"object"}}],"tool_choice":"auto","parallel_tool_calls":false,`}, new: []string{``}},
		{name: "another tool", change: func(r *callwright.Request) { r.Tools = []callwright.Tool{{Name: "now"}} },
			old: []string{`"name":"tide_at","parameters":{"type":"object"}}]`}, new: []string{`"name":"now","parameters":{"type":"object","properties":{}}}]`}},
		{name: "ids too long", caps: caps.Caps{IDs: caps.IDRule{Exact: 9}},
			old:   []string{`"id":"rs_1","summary":[],"encrypted_content":"gA"`, `"id":"fc_1","call_id":"call_long_1","name":"tide_at","arguments":"{ }"`, `"call_long_1"`},
			new:   []string{`"id":"rs_1","summary":[],"encrypted_content":"gA"`, `"call_id":"Tzmpe7De3","name":"tide_at","arguments":"{ }","id":"fc_1"`, `"Tzmpe7De3"`},
			rules: []string{"history.call_id"}},
		{name: "an edit", change: func(r *callwright.Request) {
			companion.Change(r, func(c *companion.Companion) { c.Edits = []callwright.Edit{{Path: []string{"x"}}} })
		}, old: []string{`"x":[1.0],`}, new: []string{``}},
		{name: "a message added", change: func(r *callwright.Request) {
			m, _ := r.History()
			r.Messages = append(append([]callwright.Message{}, m...), user(text("Go on.")))
		}, old: []string{`"And now?"}`}, new: []string{`"And now?"},{"role":"user","content":"Go on."}`}},
		{name: "instructions added to", change: func(r *callwright.Request) {
			m, _ := r.History()
			first := m[0]
			first.Parts = []callwright.Part{first.Parts[0], text("Really.")}
			r.Messages = append([]callwright.Message{first}, m[1:]...)
		}, old: []string{`"Be brief."`}, new: []string{`"Be brief.\n\nReally."`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			req := decode(t, base)
			if c.change != nil {
				c.change(req)
			}
			got, rules := encode(t, req, c.caps)
			want := base
			for i, old := range c.old {
				if !strings.Contains(want, old) {
					t.Fatalf("the case is wrong: no %s", old)
				}
				want = strings.ReplaceAll(want, old, c.new[i])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s\n%s", diff, got)
			}
			if diff := cmp.Diff(c.rules, rules); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestReasoningThatMayNotGo leaves out, in a request of this wire, what the API would refuse.
func TestReasoningThatMayNotGo(t *testing.T) {
	const fc = `{"type":"function_call","id":"fc_1","call_id":"c","name":"f","arguments":"{}"}`
	const bareCall = `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`
	const out, u = `{"type":"function_call_output","call_id":"c","output":"x"}`, `{"role":"user","content":"a"}`
	const bare, whole = `{"type":"reasoning","id":"rs_1","summary":[]}`, `{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"g"}`
	for _, c := range []struct {
		name, store, input, want string
		rules                    []string
	}{
		{"an orphan", "false", u + `,` + whole + `,` + u, u + `,` + u, []string{"history.orphan_reasoning"}},
		{"without its content", "false", u + `,` + bare + `,` + fc + `,` + out, u + `,` + bareCall + `,` + out, []string{"history.reasoning_left_out"}},
		{"kept by the provider", "true", u + `,` + bare + `,` + fc + `,` + out, u + `,` + bare + `,` + fc + `,` + out, nil},
		{"as it should be", "false", u + `,` + whole + `,` + fc + `,` + out, u + `,` + whole + `,` + fc + `,` + out, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, rules := encode(t, decode(t, `{"model":"tern","store":`+c.store+`,"input":[`+c.input+`]}`), caps.Caps{})
			if diff := cmp.Diff(`{"model":"tern","store":`+c.store+`,"input":[`+c.want+`]}`, got); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, rules); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// user, assistant and the rest make messages as another wire would.
func user(parts ...callwright.Part) callwright.Message {
	return callwright.Message{Role: callwright.RoleUser, Parts: parts}
}

func assistant(parts ...callwright.Part) callwright.Message {
	return callwright.Message{Role: callwright.RoleAssistant, Parts: parts}
}

func text(s string) callwright.Text { return callwright.Text{Text: s} }

var foreign = callwright.Origin{Wire: callwright.WireAnthropic, Model: "x/y"}

func call(id string) callwright.Call {
	return callwright.Call{ID: id, Name: "look", Arguments: json.RawMessage(`{"n":9007199254740993}`), Origin: foreign}
}

func result(id string, parts ...callwright.Part) callwright.Result {
	return callwright.Result{CallID: id, Name: "look", Parts: parts}
}

func wroteCall(id string) string {
	return `{"type":"function_call","call_id":"` + id + `","name":"look","arguments":"{\"n\":9007199254740993}"}`
}

// TestHistory writes histories that were built or came over another wire.
func TestHistory(t *testing.T) {
	system := callwright.Message{Role: callwright.RoleSystem, Parts: []callwright.Part{text("Be brief.")}}
	for _, c := range []struct {
		name     string
		caps     caps.Caps
		messages []callwright.Message
		want     string
		rules    []string
	}{
		{name: "system first and later", messages: []callwright.Message{system, user(text("Hi")), system},
			want: `"instructions":"Be brief.","input":[{"role":"user","content":"Hi"},{"role":"system","content":"Be brief."}]`},
		{name: "texts", messages: []callwright.Message{user(text("a"), text("b")), assistant(text("c"))},
			want: `"input":[{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"input_text","text":"b"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"c"}]}]`},
		{name: "texts where only one is taken", caps: caps.Caps{History: caps.HistoryRules{StringContent: true}}, messages: []callwright.Message{user(text("a"), text("b"))},
			want: `"input":[{"role":"user","content":"a\n\nb"}]`},
		{name: "results late and apart", messages: []callwright.Message{assistant(call("a"), call("b")), user(text("wait"), result("b", text("2"))), user(result("a", text("1")))},
			want:  `"input":[` + wroteCall("a") + `,` + wroteCall("b") + `,{"type":"function_call_output","call_id":"b","output":"2"},{"type":"function_call_output","call_id":"a","output":"1"},{"role":"user","content":"wait"}]`,
			rules: []string{"history.results_first"}},
		{name: "text between calls", messages: []callwright.Message{assistant(call("a"), text("and"), call("b"))},
			want: `"input":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"and"}]},` + wroteCall("a") + `,` + wroteCall("b") + `]`, rules: []string{"history.calls_last"}},
		{name: "an image in a result", messages: []callwright.Message{assistant(call("a")), user(result("a", text("Seen."), callwright.Image{MediaType: "image/png", Data: "AA=="}))},
			want: `"input":[` + wroteCall("a") + `,{"type":"function_call_output","call_id":"a","output":[{"type":"input_text","text":"Seen."},{"type":"input_image","image_url":"data:image/png;base64,AA=="}]}]`},
		{name: "a failed call", messages: []callwright.Message{assistant(call("a")), {Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a", IsError: true, Parts: []callwright.Part{text("no such port")}}}}},
			want: `"input":[` + wroteCall("a") + `,{"type":"function_call_output","call_id":"a","output":"Error:\nno such port"}]`, rules: []string{"history.result_error"}},
		{name: "free text", messages: []callwright.Message{assistant(callwright.Call{ID: "a", Name: "patch", Type: callwright.CustomTool, Input: "x\n", Origin: foreign}), {Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a", Type: callwright.CustomTool, Parts: []callwright.Part{text("ok")}}}}},
			want: `"input":[{"type":"custom_tool_call","call_id":"a","name":"patch","input":"x\n"},{"type":"custom_tool_call_output","call_id":"a","output":"ok"}]`},
		{name: "foreign reasoning", messages: []callwright.Message{assistant(callwright.Reasoning{Text: "Hm.", Signature: "c2ln", Origin: foreign}, text("Yes."))},
			want: `"input":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes."}]}]`, rules: []string{"history.foreign_signature", "history.reasoning_left_out"}},
		{name: "a call that another wire signed", messages: []callwright.Message{assistant(callwright.Call{ID: "a", Name: "look", Arguments: json.RawMessage(`{"n":9007199254740993}`), Signature: "c2ln", Origin: foreign})},
			want: `"input":[` + wroteCall("a") + `]`, rules: []string{"history.foreign_signature"}},
		{name: "own reasoning", messages: []callwright.Message{assistant(callwright.Reasoning{Text: "Hm.", Redacted: "g", ID: "rs_1", Origin: callwright.Origin{Wire: callwright.WireResponses}}, call("a"))},
			want: `"input":[{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"g"},` + wroteCall("a") + `]`},
		{name: "files", messages: []callwright.Message{user(callwright.File{Text: "plain"}, callwright.File{MediaType: "application/pdf", Data: "AA=="}, callwright.File{URL: "https://f.example/x"})},
			want: `"input":[{"role":"user","content":[{"type":"input_text","text":"plain"},{"type":"input_file","filename":"file","file_data":"data:application/pdf;base64,AA=="},{"type":"input_file","file_url":"https://f.example/x"}]}]`},
		{name: "foreign parts", messages: []callwright.Message{user(text("a"), callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{"q":1}`)}})},
			want: `"input":[{"role":"user","content":"a"}]`, rules: []string{"history.opaque"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, rules := encode(t, &callwright.Request{Messages: c.messages}, c.caps)
			if diff := cmp.Diff(`{"model":"tern",`+c.want+`,"store":false}`, got); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, rules); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSettings writes parameters and tools of a request that was built.
func TestSettings(t *testing.T) {
	yes := true
	tools := []callwright.Tool{{Name: "look", Strict: &yes}, {Name: "patch", Type: callwright.CustomTool}}
	const wroteTools = `"tools":[{"type":"function","name":"look","parameters":{"type":"object","properties":{}},"strict":true},{"type":"custom","name":"patch"}],`
	for _, c := range []struct {
		name   string
		caps   caps.Caps
		params callwright.Params
		tools  []callwright.Tool
		want   string
		rules  []string
	}{
		{name: "stream", params: callwright.Params{Stream: true, StreamUsage: true}, want: `"stream":true,`},
		{name: "choice without tools", params: callwright.Params{Choice: callwright.Choice{Mode: callwright.ChoiceAuto}, Parallel: &yes}},
		{name: "choice", tools: tools, params: callwright.Params{Choice: callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"patch"}}, Parallel: &yes},
			want: wroteTools + `"tool_choice":{"type":"custom","name":"patch"},"parallel_tool_calls":true,`},
		{name: "allowed tools", tools: tools, params: callwright.Params{Choice: callwright.Choice{Mode: callwright.ChoiceRequired, Names: []string{"look"}}},
			want: wroteTools + `"tool_choice":{"type":"allowed_tools","mode":"required","tools":[{"type":"function","name":"look"}]},`},
		{name: "strict is said", tools: []callwright.Tool{{Name: "f"}}, want: `"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"strict":false}],`},
		{name: "a provider's tool of another wire", tools: []callwright.Tool{{Name: "web", Type: callwright.HostedTool, Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{}`)}}},
			rules: []string{"tools.hosted"}},
		{name: "numbers", params: callwright.Params{MaxTokens: "5", Temperature: "1.0"}, want: `"max_output_tokens":16,"temperature":1.0,`, rules: []string{"params.max_tokens"}},
		{name: "what the wire lacks", params: callwright.Params{Stop: []string{"a"}, Seed: "1", TopK: "2", Presence: "0.1", Frequency: "0.2"},
			rules: []string{"params.left_out", "params.left_out", "params.left_out", "params.left_out", "params.left_out"}},
		{name: "any JSON", params: callwright.Params{Format: &callwright.AnswerFormat{}}, want: `"text":{"format":{"type":"json_object"}},`},
		{name: "no thinking", params: callwright.Params{Thinking: callwright.Thinking{Off: true}}, want: `"reasoning":{"effort":"none"},`},
		{name: "a budget", params: callwright.Params{Thinking: callwright.Thinking{Budget: "8000"}}, want: `"reasoning":{"effort":"medium"},`, rules: []string{"params.thinking"}},
		{name: "encrypted reasoning", caps: caps.Caps{Reasoning: caps.ReasoningEncrypted}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, rules := encode(t, &callwright.Request{Messages: []callwright.Message{user(text("x"))}, Tools: c.tools, Params: c.params}, c.caps)
			include := ""
			if c.caps.Reasoning != "" {
				include = `,"include":["reasoning.encrypted_content"]`
			}
			if diff := cmp.Diff(`{"model":"tern","input":[{"role":"user","content":"x"}],`+c.want+`"store":false`+include+`}`, got); diff != "" {
				t.Errorf("unexpected bytes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, rules); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}
