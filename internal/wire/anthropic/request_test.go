package anthropic_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/google/go-cmp/cmp"
)

func say(role callwright.Role, text string) callwright.Message {
	return callwright.Message{Role: role, Parts: []callwright.Part{callwright.Text{Text: text}}}
}

func parts(role callwright.Role, p ...callwright.Part) callwright.Message {
	return callwright.Message{Role: role, Parts: p}
}

func call(id, name, args string) callwright.Call {
	return callwright.Call{ID: id, Name: name, Arguments: json.RawMessage(args)}
}

func result(id string, p ...callwright.Part) callwright.Message {
	return parts(callwright.RoleTool, callwright.Result{CallID: id, Parts: p})
}

// foreignBody makes a request one that came over another wire.
type foreignBody struct{}

func (foreignBody) Wire() callwright.WireName               { return callwright.WireOpenAI }
func (foreignBody) Bytes() []byte                           { return nil }
func (foreignBody) Summaries() []callwright.Summary         { return nil }
func (foreignBody) Messages() ([]callwright.Message, error) { return nil, nil }
func (foreignBody) Tools() ([]callwright.Tool, error)       { return nil, nil }

// history cases give the messages (and the system text) that a history becomes.
var historyCases = []struct {
	name     string
	messages []callwright.Message
	system   string
	want     string
	notes    string
}{
	{
		name:     "system text goes to the top",
		messages: []callwright.Message{say(callwright.RoleSystem, "Be terse."), say(callwright.RoleUser, "Hi")},
		system:   `"Be terse."`,
		want:     `[{"role":"user","content":"Hi"}]`,
	},
	{
		name:     "several system texts are blocks, empty ones left out",
		messages: []callwright.Message{say(callwright.RoleSystem, "A"), say(callwright.RoleSystem, " "), say(callwright.RoleSystem, "B"), say(callwright.RoleUser, "Hi")},
		system:   `[{"type":"text","text":"A"},{"type":"text","text":"B"}]`,
		want:     `[{"role":"user","content":"Hi"}]`,
		notes:    "history.empty_text",
	},
	{
		name: "system text in the middle goes behind the results of the next user message",
		messages: []callwright.Message{
			say(callwright.RoleUser, "Hi"), parts(callwright.RoleAssistant, call("a", "f", `{}`)), say(callwright.RoleSystem, "Hurry."),
			result("a", callwright.Text{Text: "1"}), say(callwright.RoleUser, "And?"),
		},
		want:  `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"text","text":"Hurry."},{"type":"text","text":"And?"}]}]`,
		notes: "history.system_moved",
	},
	{
		name:     "system text at the end becomes a user message",
		messages: []callwright.Message{say(callwright.RoleUser, "Hi"), say(callwright.RoleAssistant, "Ho"), say(callwright.RoleSystem, "Go on.")},
		want:     `[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"},{"role":"user","content":[{"type":"text","text":"Go on."}]}]`,
		notes:    "history.system_moved",
	},
	{
		name: "results of parallel calls are grouped, before text, with images",
		messages: []callwright.Message{
			say(callwright.RoleUser, "Hi"), parts(callwright.RoleAssistant, callwright.Text{Text: "ok"}, call("a", "f", `{"n":12345678901234567890}`), call("b", "g", ``)),
			result("b", callwright.Text{Text: "two"}, callwright.Image{Data: "/9j/xx"}), say(callwright.RoleUser, "thanks"),
			parts(callwright.RoleTool, callwright.Result{CallID: "a", IsError: true}),
		},
		want: `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"text","text":"ok"},{"type":"tool_use","id":"a","name":"f","input":{"n":12345678901234567890}},{"type":"tool_use","id":"b","name":"g","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":[{"type":"text","text":"two"},{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"/9j/xx"}}]},{"type":"tool_result","tool_use_id":"a","is_error":true},{"type":"text","text":"thanks"}]}]`,
	},
	{
		name: "empty text goes, and what is empty without it",
		messages: []callwright.Message{
			say(callwright.RoleUser, "Hi"), parts(callwright.RoleAssistant, callwright.Text{}, call("a", "f", `{}`)), result("a", callwright.Text{}),
			say(callwright.RoleAssistant, ""), say(callwright.RoleUser, " \n"), say(callwright.RoleUser, "Well?"),
		},
		want:  `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":""},{"type":"text","text":"Well?"}]}]`,
		notes: "history.empty_text history.empty_text history.empty_message history.empty_text history.empty_message",
	},
	{
		name: "arguments that are no object, and ids that are not allowed",
		messages: []callwright.Message{
			say(callwright.RoleUser, "Hi"), parts(callwright.RoleAssistant, call("functions.f:0", "f", `{"a":`), call("functions.f:1", "f", `"x"`)),
			result("functions.f:1", callwright.Text{Text: "1"}), result("functions.f:0", callwright.Text{Text: "0"}),
		},
		want: `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"ID0","name":"f","input":{}},{"type":"tool_use","id":"ID1","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"ID1","content":"1"},{"type":"tool_result","tool_use_id":"ID0","content":"0"}]}]`,
		notes: "history.call_id history.arguments history.call_id history.arguments",
	},
	{
		name: "reasoning goes back to its own wire only, hollow reasoning nowhere",
		messages: []callwright.Message{
			say(callwright.RoleUser, "Hi"),
			parts(callwright.RoleAssistant,
				callwright.Reasoning{Text: "mine", Signature: "s", Origin: callwright.Origin{Wire: callwright.WireAnthropic}},
				callwright.Reasoning{Redacted: "r", Origin: callwright.Origin{Wire: callwright.WireAnthropic, Model: "anthropic/target"}},
				callwright.Reasoning{Text: "another model's", Signature: "s", Origin: callwright.Origin{Wire: callwright.WireAnthropic, Model: "anthropic/other"}},
				callwright.Reasoning{Text: "theirs", Signature: "s", Origin: callwright.Origin{Wire: callwright.WireGemini}},
				callwright.Reasoning{Text: "unsigned", Origin: callwright.Origin{Wire: callwright.WireOpenAI}},
				callwright.Reasoning{Text: "whose", Signature: "s"},
				callwright.Reasoning{Origin: callwright.Origin{Wire: callwright.WireAnthropic}},
				callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{"x":1}`)}},
				callwright.Text{Text: "Ho"},
			),
			say(callwright.RoleUser, "Hm"),
		},
		want:  `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"thinking","thinking":"mine","signature":"s"},{"type":"redacted_thinking","data":"r"},{"type":"text","text":"Ho"}]},{"role":"user","content":"Hm"}]`,
		notes: "history.foreign_signature history.foreign_signature history.unsigned_reasoning history.foreign_signature history.unsigned_reasoning history.opaque",
	},
	{
		name: "the signature of a call is another wire's",
		messages: []callwright.Message{
			say(callwright.RoleUser, "Hi"),
			parts(callwright.RoleAssistant, callwright.Call{ID: "a", Name: "f", Signature: "s", Origin: callwright.Origin{Wire: callwright.WireGemini}}),
			result("a", callwright.Text{Text: "1"}),
		},
		want: `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]}]`,
		notes: "history.foreign_signature",
	},
	{
		name:     "the first message is the user's, the last text ends without white space",
		messages: []callwright.Message{say(callwright.RoleAssistant, "Hello!"), say(callwright.RoleUser, "Sing."), say(callwright.RoleAssistant, "La \n")},
		want:     `[{"role":"user","content":"(start of the conversation)"},{"role":"assistant","content":"Hello!"},{"role":"user","content":"Sing."},{"role":"assistant","content":"La"}]`,
		notes:    "history.trailing_space history.first_user",
	},
	{
		name: "messages of one role are put together",
		messages: []callwright.Message{
			say(callwright.RoleUser, "a"), say(callwright.RoleUser, "b"), say(callwright.RoleAssistant, "c"), parts(callwright.RoleAssistant, call("x", "f", `{}`)), result("x", callwright.Text{Text: "1"}),
		},
		want: `[{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"role":"assistant","content":[{"type":"text","text":"c"},{"type":"tool_use","id":"x","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"1"}]}]`,
	},
	{
		name: "media in all forms, and those this API does not take",
		messages: []callwright.Message{parts(callwright.RoleUser,
			callwright.Image{URL: "https://a.example/1.png"}, callwright.Image{URL: "data:image/gif;base64,R0lG"}, callwright.Image{FileID: "file-1"}, callwright.Image{},
			callwright.File{Name: "n", MediaType: "application/pdf", Data: "data:application/pdf;base64,JVBE"}, callwright.File{MediaType: "text/csv", Data: "YSxi"},
			callwright.File{MediaType: "audio/wav", Data: "UklG"}, callwright.File{FileID: "file-2"}, callwright.Text{Text: "See."},
		)},
		want: `[{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://a.example/1.png"}},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lG"}},` +
			`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBE"},"title":"n"},{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a,b"}},{"type":"text","text":"See."}]}]`,
		notes: "history.media history.media history.media history.media",
	},
	{
		name: "a custom call is a call with one text parameter",
		messages: []callwright.Message{
			say(callwright.RoleUser, "Hi"), parts(callwright.RoleAssistant, callwright.Call{ID: "x", Name: "patch", Type: callwright.CustomTool, Input: "a\"b"}), result("x", callwright.Text{Text: "ok"}),
		},
		want: `[{"role":"user","content":"Hi"},{"role":"assistant","content":[{"type":"tool_use","id":"x","name":"patch","input":{"input":"a\"b"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"ok"}]}]`,
	},
	{
		name:  "no messages at all",
		want:  `[{"role":"user","content":"(start of the conversation)"}]`,
		notes: "history.first_user",
	},
}

func rules(notes []callwright.Note) string {
	var r []string
	for _, n := range notes {
		if n.Rule != "params.max_tokens_default" {
			r = append(r, n.Rule)
		}
	}
	return strings.Join(r, " ")
}

// member is a top-level member of the body, which must be JSON.
func member(t *testing.T, body []byte, name string) string {
	t.Helper()
	if err := jsonx.Valid(body); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	v, _ := jsonx.Find(body, name)
	return string(v)
}

func TestEncodeHistory(t *testing.T) {
	for _, c := range historyCases {
		t.Run(c.name, func(t *testing.T) {
			req := &callwright.Request{Model: "m", Messages: c.messages, Attached: &companion.Companion{Body: foreignBody{}}}
			if c.messages == nil {
				companion.Change(req, func(c *companion.Companion) { c.Body = nil })
			}
			out, notes, err := anthropic.Codec{}.EncodeRequest(req, "target", caps.Caps{})
			if err != nil {
				t.Fatal(err)
			}
			got := member(t, out, "messages")
			want := c.want
			for i, id := range mintedIDs(out) {
				want = strings.ReplaceAll(want, []string{"ID0", "ID1"}[i], id)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("unexpected messages (-want +got):\n%s", diff)
			}
			if got := member(t, out, "system"); got != c.system {
				t.Errorf("expected system %s, got %s", c.system, got)
			}
			if got := rules(notes); got != c.notes {
				t.Errorf("expected notes %q, got %q", c.notes, got)
			}
		})
	}
}

// mintedIDs are the ids made for calls, in order.
func mintedIDs(body []byte) (ids []string) {
	messages, _ := jsonx.Find(body, "messages")
	for m := range jsonx.Elements(messages) {
		content, _ := jsonx.Find(m, "content")
		for b := range jsonx.Elements(content) {
			v, _ := jsonx.Find(b, "id")
			if id, _ := jsonx.String(v); strings.HasPrefix(id, "call_") {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

func yes() *bool { b := true; return &b }
func no() *bool  { b := false; return &b }

var object = json.RawMessage(`{"type":"object"}`)

// paramCases give the members (but for model and messages) that params become.
var paramCases = []struct {
	name  string
	p     callwright.Params
	tools []callwright.Tool
	caps  caps.Caps
	want  string
	notes string
}{
	{name: "the output limit is required", want: `{"max_tokens":4096}`},
	{name: "the output limit of the caps", caps: caps.Caps{MaxOutput: 64000}, want: `{"max_tokens":64000}`},
	{name: "room for the budget", p: callwright.Params{Thinking: callwright.Thinking{Budget: "5000"}}, want: `{"max_tokens":9096,"thinking":{"type":"enabled","budget_tokens":5000}}`},
	{
		name: "a budget over the limit",
		p:    callwright.Params{MaxTokens: "3000", Thinking: callwright.Thinking{Budget: "3000"}},
		want: `{"max_tokens":3000,"thinking":{"type":"enabled","budget_tokens":2999}}`, notes: "params.thinking",
	},
	{
		name: "a limit too small for thinking",
		p:    callwright.Params{MaxTokens: "1000", Thinking: callwright.Thinking{Budget: "2000"}},
		want: `{"max_tokens":1000}`, notes: "params.thinking",
	},
	{name: "an effort", p: callwright.Params{MaxTokens: "9", Thinking: callwright.Thinking{Effort: "high"}}, want: `{"max_tokens":9,"thinking":{"type":"adaptive"},"output_config":{"effort":"high"}}`},
	{
		name: "the least effort", p: callwright.Params{MaxTokens: "9", Thinking: callwright.Thinking{Effort: "minimal"}},
		want: `{"max_tokens":9,"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}}`, notes: "params.effort",
	},
	{name: "no effort", p: callwright.Params{MaxTokens: "9", Thinking: callwright.Thinking{Effort: "none"}}, want: `{"max_tokens":9,"thinking":{"type":"disabled"}}`},
	{name: "thinking off", p: callwright.Params{MaxTokens: "9", Thinking: callwright.Thinking{Off: true}}, want: `{"max_tokens":9,"thinking":{"type":"disabled"}}`},
	{
		name: "sampling, stops and the user",
		p:    callwright.Params{MaxTokens: "9", Temperature: "1.7", TopP: "0.10", TopK: "5", Stop: []string{"END", "\n"}, User: "u", Stream: true},
		want: `{"max_tokens":9,"stream":true,"temperature":1,"top_p":0.10,"top_k":5,"stop_sequences":["END"],"metadata":{"user_id":"u"}}`, notes: "params.temperature params.stop",
	},
	{name: "a temperature as it is", p: callwright.Params{MaxTokens: "9", Temperature: "1.0"}, want: `{"max_tokens":9,"temperature":1.0}`},
	{
		name: "what this API incomplete",
		p:    callwright.Params{MaxTokens: "9", Seed: "7", Presence: "0.5", Frequency: "0.5"},
		want: `{"max_tokens":9}`, notes: "params.dropped params.dropped params.dropped",
	},
	{
		name: "a schema for the answer",
		p:    callwright.Params{MaxTokens: "9", Format: &callwright.AnswerFormat{Name: "n", Schema: object}},
		want: `{"max_tokens":9,"output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}}}`,
	},
	{name: "JSON mode", p: callwright.Params{MaxTokens: "9", Format: &callwright.AnswerFormat{}}, want: `{"max_tokens":9}`, notes: "params.json_object"},
	{
		name: "a choice without tools", p: callwright.Params{MaxTokens: "9", Choice: callwright.Choice{Mode: callwright.ChoiceRequired}, Parallel: no()},
		want: `{"max_tokens":9}`, notes: "params.tool_choice",
	},
	{
		name: "required", p: callwright.Params{MaxTokens: "9", Choice: callwright.Choice{Mode: callwright.ChoiceRequired}, Parallel: no()}, tools: []callwright.Tool{{Name: "f"}},
		want: `{"max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}],"tool_choice":{"type":"any","disable_parallel_tool_use":true}}`,
	},
	{
		name: "one call at most", p: callwright.Params{MaxTokens: "9", Parallel: no()}, tools: []callwright.Tool{{Name: "f", Description: "d", Schema: object}},
		want: `{"max_tokens":9,"tools":[{"name":"f","description":"d","input_schema":{"type":"object"}}],"tool_choice":{"type":"auto","disable_parallel_tool_use":true}}`,
	},
	{
		name: "parallel calls are the default", p: callwright.Params{MaxTokens: "9", Parallel: yes()}, tools: []callwright.Tool{{Name: "f", Schema: object}},
		want: `{"max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object"}}]}`,
	},
	{
		name: "none has no switch for parallel calls", p: callwright.Params{MaxTokens: "9", Choice: callwright.Choice{Mode: callwright.ChoiceNone}, Parallel: no()}, tools: []callwright.Tool{{Name: "f", Schema: object}},
		want: `{"max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object"}}],"tool_choice":{"type":"none"}}`,
	},
	{
		name: "one tool", p: callwright.Params{MaxTokens: "9", Choice: callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"g"}}}, tools: []callwright.Tool{{Name: "f", Schema: object}, {Name: "g", Schema: object}},
		want: `{"max_tokens":9,"tools":[{"name":"f","input_schema":{"type":"object"}},{"name":"g","input_schema":{"type":"object"}}],"tool_choice":{"type":"tool","name":"g"}}`,
	},
	{
		name: "some tools", p: callwright.Params{MaxTokens: "9", Choice: callwright.Choice{Mode: callwright.ChoiceRequired, Names: []string{"g"}}}, tools: []callwright.Tool{{Name: "f", Schema: object}, {Name: "g", Schema: object}},
		want: `{"max_tokens":9,"tools":[{"name":"g","input_schema":{"type":"object"}}],"tool_choice":{"type":"any"}}`, notes: "tools.filtered",
	},
	{
		name: "schemas whose root is no object", p: callwright.Params{MaxTokens: "9"},
		tools: []callwright.Tool{{Name: "a", Schema: json.RawMessage(`{"properties":{"x":{}}}`)}, {Name: "b", Schema: json.RawMessage(`{"type":["object","null"]}`)}, {Name: "c", Schema: json.RawMessage(`true`)}, {Name: "d", Schema: json.RawMessage(`{}`)}, {Name: "e", Schema: json.RawMessage(`null`)}},
		want:  `{"max_tokens":9,"tools":[{"name":"a","input_schema":{"type":"object","properties":{"x":{}}}},{"name":"b","input_schema":{"type":"object"}},{"name":"c","input_schema":{"type":"object","properties":{}}},{"name":"d","input_schema":{"type":"object","properties":{}}},{"name":"e","input_schema":{"type":"object","properties":{}}}]}`,
		notes: "tools.schema_type tools.schema_type tools.schema_type",
	},
	{
		name: "hosted tools of others, strict tools, custom tools", p: callwright.Params{MaxTokens: "9"},
		tools: []callwright.Tool{
			{Name: "h", Type: callwright.HostedTool, Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: json.RawMessage(`{"type":"web_search"}`)}},
			{Name: "w", Type: callwright.HostedTool, Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"type":"web_search_1","name":"w"}`)}},
			{Name: "s", Schema: object, Strict: yes()}, {Name: "l", Schema: object, Strict: no()}, {Name: "p", Type: callwright.CustomTool, Description: "patches"},
		},
		want:  `{"max_tokens":9,"tools":[{"type":"web_search_1","name":"w"},{"name":"s","input_schema":{"type":"object"}},{"name":"l","input_schema":{"type":"object"}},{"name":"p","description":"patches","input_schema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}]}`,
		notes: "tools.hosted tools.strict tools.custom",
	},
	{
		name: "strict tools where the caps have them", p: callwright.Params{MaxTokens: "9"}, caps: caps.Caps{StrictTools: caps.Yes},
		tools: []callwright.Tool{{Name: "s", Schema: object, Strict: yes()}},
		want:  `{"max_tokens":9,"tools":[{"name":"s","input_schema":{"type":"object"},"strict":true}]}`,
	},
}

func TestEncodeParams(t *testing.T) {
	for _, c := range paramCases {
		t.Run(c.name, func(t *testing.T) {
			req := &callwright.Request{Model: "m", Messages: []callwright.Message{say(callwright.RoleUser, "Hi")}, Tools: c.tools, Params: c.p, Attached: &companion.Companion{Body: foreignBody{}}}
			out, notes, err := anthropic.Codec{}.EncodeRequest(req, "target", c.caps)
			if err != nil {
				t.Fatal(err)
			}
			list, _ := jsonx.ParseObject(out)
			list.Delete("model")
			list.Delete("messages")
			if diff := cmp.Diff(c.want, string(list.Append(nil))); diff != "" {
				t.Errorf("unexpected members (-want +got):\n%s", diff)
			}
			if got := rules(notes); got != c.notes {
				t.Errorf("expected notes %q, got %q", c.notes, got)
			}
		})
	}
}

func TestEncodeRefusesWhatIsNoNumber(t *testing.T) {
	req := &callwright.Request{Messages: []callwright.Message{say(callwright.RoleUser, "Hi")}, Params: callwright.Params{TopP: `0.5,"x":1`}}
	_, _, err := anthropic.Codec{}.EncodeRequest(req, "m", caps.Caps{})
	if callwright.KindOf(err) != callwright.KindInvalid {
		t.Fatalf("expected %s, got %v", callwright.KindInvalid, err)
	}
}
