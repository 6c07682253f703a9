package gemini_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/gemini"
	"github.com/google/go-cmp/cmp"
)

// built is a request that did not come over this wire.
func built(messages ...callwright.Message) *callwright.Request {
	return &callwright.Request{Model: "lab/tern", Messages: messages}
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

var (
	tools   = []callwright.Tool{{Name: "look", Description: "Looks.", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "now"}}
	foreign = callwright.Origin{Wire: callwright.WireAnthropic}
	home    = callwright.Origin{Wire: callwright.WireGemini}
)

// encoded is the request for a provider, checked to be JSON.
func encoded(t *testing.T, req *callwright.Request, c caps.Caps) (string, []string) {
	t.Helper()
	out, notes, err := gemini.Codec{}.EncodeRequest(req, "m", c)
	if err != nil {
		t.Fatal(err)
	}
	if err := jsonx.Valid(out); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return string(out), rules(notes)
}

// What the cases of TestParamsOfOtherWires are made of.
const declaredTools = `,"tools":[{"functionDeclarations":[{"name":"look","description":"Looks.","parametersJsonSchema":{"type":"object"}},{"name":"now"}]}]`

// paramsOfOtherWiresCases are those of TestParamsOfOtherWires.
var paramsOfOtherWiresCases = map[string]struct {
	change func(*callwright.Request)
	caps   caps.Caps
	want   string
	rules  []string
}{
	"nothing": {change: func(*callwright.Request) {}},
	"numbers": {change: func(r *callwright.Request) {
		r.Params = callwright.Params{Stream: true, MaxTokens: "9", Temperature: "0.10", TopP: "0.5", TopK: "4", Presence: "1", Frequency: "2", Seed: "9007199254740993", Stop: []string{"x"}}
	}, want: `,"generationConfig":{"maxOutputTokens":9,"temperature":0.10,"topP":0.5,"topK":4,"presencePenalty":1,"frequencyPenalty":2,"seed":9007199254740993,"stopSequences":["x"]}`},
	"what there is not": {change: func(r *callwright.Request) { r.Params.User, r.Params.Parallel = "me", new(false) },
		rules: []string{"params.left_out", "params.left_out"}},
	"any object": {change: func(r *callwright.Request) { r.Params.Format = &callwright.AnswerFormat{} },
		want: `,"generationConfig":{"responseMimeType":"application/json"}`},
	"schema": {change: func(r *callwright.Request) {
		r.Params.Format = &callwright.AnswerFormat{Schema: json.RawMessage(`{"type":"object"}`)}
	}, want: `,"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}}`},
	"effort": {change: func(r *callwright.Request) { r.Params.Thinking.Effort = "high" },
		want: `,"generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH","includeThoughts":true}}`},
	"effort beyond": {change: func(r *callwright.Request) { r.Params.Thinking.Effort = "xhigh" },
		want: `,"generationConfig":{"thinkingConfig":{"thinkingLevel":"HIGH","includeThoughts":true}}`, rules: []string{"params.thinking"}},
	"effort as a budget": {change: func(r *callwright.Request) { r.Params.Thinking.Effort = "low" }, caps: caps.Caps{ThinkingBudget: caps.Yes},
		want: `,"generationConfig":{"thinkingConfig":{"thinkingBudget":1024,"includeThoughts":true}}`, rules: []string{"params.thinking"}},
	"budget": {change: func(r *callwright.Request) { r.Params.Thinking.Budget = "2000" },
		want: `,"generationConfig":{"thinkingConfig":{"thinkingBudget":2000,"includeThoughts":true}}`},
	"no thinking": {change: func(r *callwright.Request) { r.Params.Thinking.Off = true }, caps: caps.Caps{ThinkingBudget: caps.Yes},
		want: `,"generationConfig":{"thinkingConfig":{"thinkingBudget":0}}`, rules: []string{"params.thinking"}},
	"least thinking": {change: func(r *callwright.Request) { r.Params.Thinking.Off = true },
		want: `,"generationConfig":{"thinkingConfig":{"thinkingLevel":"MINIMAL"}}`, rules: []string{"params.thinking"}},
	"tools": {change: func(r *callwright.Request) { r.Tools = tools }, want: declaredTools},
	"required": {change: func(r *callwright.Request) { r.Tools, r.Params.Choice.Mode = tools, callwright.ChoiceRequired },
		want: declaredTools + `,"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`},
	"none": {change: func(r *callwright.Request) { r.Tools, r.Params.Choice.Mode = tools, callwright.ChoiceNone },
		want: declaredTools + `,"toolConfig":{"functionCallingConfig":{"mode":"NONE"}}`},
	"auto": {change: func(r *callwright.Request) { r.Tools, r.Params.Choice.Mode = tools, callwright.ChoiceAuto },
		want: declaredTools + `,"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}`},
	"named": {change: func(r *callwright.Request) {
		r.Tools, r.Params.Choice = tools, callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"now"}}
	}, want: declaredTools + `,"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["now"]}}`},
	"some, if any": {change: func(r *callwright.Request) {
		r.Tools, r.Params.Choice = tools, callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"now"}}
	}, want: declaredTools + `,"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["now"]}}`},
	"strict": {change: func(r *callwright.Request) { r.Tools = []callwright.Tool{{Name: "now", Strict: new(true)}} }, caps: caps.Caps{StrictTools: caps.Yes},
		want: `,"tools":[{"functionDeclarations":[{"name":"now"}]}],"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}`},
	"strict unknown": {change: func(r *callwright.Request) { r.Tools = []callwright.Tool{{Name: "now", Strict: new(true)}} },
		want: `,"tools":[{"functionDeclarations":[{"name":"now"}]}]`, rules: []string{"tools.strict"}},
	"custom tool": {change: func(r *callwright.Request) {
		r.Tools = []callwright.Tool{{Name: "patch", Type: callwright.CustomTool, Extra: callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(`{"x":1}`)}}}
	}, want: `,"tools":[{"functionDeclarations":[{"name":"patch","parametersJsonSchema":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}}]}]`, rules: []string{"tools.member", "tools.custom"}},
	"tools of others": {change: func(r *callwright.Request) {
		r.Tools = []callwright.Tool{{Name: "web", Type: callwright.HostedTool, Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"x":1}`)}},
			{Name: "bad", Schema: json.RawMessage(`true`)}}
	}, want: `,"tools":[{"functionDeclarations":[{"name":"bad"}]}]`, rules: []string{"tools.hosted", "tools.schema_type"}},
	"members of others": {change: func(r *callwright.Request) {
		r.Extra = callwright.Extra{Wire: callwright.WireOpenAI, JSON: json.RawMessage(`{"n":2}`)}
	}, rules: []string{"params.left_out"}},
	"edits": {change: func(r *callwright.Request) {
		companion.Change(r, func(c *companion.Companion) {
			c.Edits = []callwright.Edit{{Path: []string{"generationConfig", "candidateCount"}, Value: json.RawMessage("2")}}
		})
	}, want: `,"generationConfig":{"candidateCount":2}`},
}

func TestParamsOfOtherWires(t *testing.T) {
	const hello = `{"contents":[{"role":"user","parts":[{"text":"a"}]}]`
	for name, c := range paramsOfOtherWiresCases {
		t.Run(name, func(t *testing.T) {
			req := built(said(callwright.RoleUser, words("a")))
			c.change(req)
			out, notes := encoded(t, req, c.caps)
			if diff := cmp.Diff(hello+c.want+`}`, out); diff != "" {
				t.Errorf("unexpected body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, notes); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// What the cases of TestHistoriesOfOtherWires are made of.
var user = func(parts ...callwright.Part) callwright.Message { return said(callwright.RoleUser, parts...) }

var model = func(parts ...callwright.Part) callwright.Message { return said(callwright.RoleAssistant, parts...) }

var tool = func(parts ...callwright.Part) callwright.Message { return said(callwright.RoleTool, parts...) }

var picture = callwright.Image{MediaType: "image/png", Data: "iVBO"}

var failed = callwright.Result{CallID: "a", Name: "look", IsError: true, Parts: []callwright.Part{words("no")}}

var signed = func(o callwright.Origin) callwright.Part {
	return callwright.Call{ID: "a", Name: "look", Arguments: json.RawMessage(`{}`), Signature: "c2ln", Origin: o}
}

var needs = caps.Caps{History: caps.HistoryRules{SignedCalls: true}}

const q = `{"role":"user","parts":[{"text":"q"}]}`

const looked = `{"role":"model","parts":[{"functionCall":{"name":"look","args":{}}}]}`

const seen = `{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"1"}}}]}`

// historiesOfOtherWiresCases are those of TestHistoriesOfOtherWires.
var historiesOfOtherWiresCases = map[string]struct {
	messages []callwright.Message
	caps     caps.Caps
	system   string
	want     string
	rules    []string
}{
	"system": {messages: []callwright.Message{said(callwright.RoleSystem, words("be")), said(callwright.RoleSystem, words("brief")), user(words("q"))},
		system: `"systemInstruction":{"parts":[{"text":"be"},{"text":"brief"}]},`, want: q},
	"system where none is taken": {caps: caps.Caps{History: caps.HistoryRules{SystemRole: caps.SystemRoleUser}},
		messages: []callwright.Message{said(callwright.RoleSystem, words("be brief")), user(words("q"))},
		want:     `{"role":"user","parts":[{"text":"be brief"}]},` + q, rules: []string{"history.system_moved"}},
	"system in the middle": {messages: []callwright.Message{user(words("q")), model(words("a")), said(callwright.RoleSystem, words("now")), user(words("q"))},
		want: q + `,{"role":"model","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"now"}]},` + q, rules: []string{"history.system_moved"}},
	"a loop without ids": {messages: []callwright.Message{user(words("q")), model(call("a", "look", ` { "n" : 1 } `), call("b", "now", `{}`)), tool(result("b", "noon")), tool(failed), user(words("q"))},
		want: q + `,{"role":"model","parts":[{"functionCall":{"name":"look","args":{"n":1}}},{"functionCall":{"name":"now","args":{}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"now","response":{"output":"noon"}}},{"functionResponse":{"name":"look","response":{"error":"no"}}}]},` + q},
	"order within a tool": {messages: []callwright.Message{user(words("q")), model(call("a", "look", `{"n":1}`), call("b", "look", `{"n":2}`)), tool(result("b", "2")), tool(result("a", "1"))},
		want: q + `,{"role":"model","parts":[{"functionCall":{"name":"look","args":{"n":1}}},{"functionCall":{"name":"look","args":{"n":2}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"1"}}},{"functionResponse":{"name":"look","response":{"output":"2"}}}]}`, rules: []string{"history.results_first"}},
	"results behind text": {messages: []callwright.Message{user(words("q")), model(call("a", "look", `{}`)), user(words("q"), result("a", "1"))},
		want: q + `,` + looked + `,` + seen + `,` + q, rules: []string{"history.results_first"}},
	"bad arguments": {messages: []callwright.Message{user(words("q")), model(call("a", "look", `{"n":`)), tool(result("a", "1"))},
		want: q + `,` + looked + `,` + seen, rules: []string{"history.bad_arguments"}},
	"custom call": {messages: []callwright.Message{user(words("q")), model(callwright.Call{ID: "a", Name: "look", Type: callwright.CustomTool, Input: "\"x\""}), tool(result("a", "1"))},
		want: q + `,{"role":"model","parts":[{"functionCall":{"name":"look","args":{"input":"\"x\""}}}]},` + seen},
	"calls first": {messages: []callwright.Message{model(call("a", "look", `{}`)), tool(result("a", "1"))},
		want: `{"role":"user","parts":[{"text":"(start of the conversation)"}]},` + looked + `,` + seen, rules: []string{"history.first_user"}},
	"calls behind the model": {messages: []callwright.Message{user(words("q")), model(words("hm")), model(call("a", "look", `{}`)), tool(result("a", "1"))},
		want: q + `,{"role":"model","parts":[{"text":"hm"},{"functionCall":{"name":"look","args":{}}}]},` + seen, rules: []string{"history.merged_roles"}},
	"foreign state": {messages: []callwright.Message{user(words("q")), model(callwright.Reasoning{Text: "hm", Signature: "x", Origin: foreign}, signed(foreign)), tool(result("a", "1"))},
		want: q + `,` + looked + `,` + seen, rules: []string{"history.foreign_signature", "history.reasoning_left_out"}},
	"own state": {messages: []callwright.Message{user(words("q")), model(callwright.Reasoning{Text: "hm", Origin: home}, signed(home)), tool(result("a", "1"))}, caps: needs,
		want: q + `,{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"a","name":"look","args":{}},"thoughtSignature":"c2ln"}]},` +
			`{"role":"user","parts":[{"functionResponse":{"id":"a","name":"look","response":{"output":"1"}}}]}`},
	"state of another model": {messages: []callwright.Message{user(words("q")), model(signed(callwright.Origin{Wire: callwright.WireGemini, Model: "google/other"})), tool(result("a", "1"))},
		want:  q + `,{"role":"model","parts":[{"functionCall":{"id":"a","name":"look","args":{}}}]},` + strings.Replace(seen, `{"name"`, `{"id":"a","name"`, 1),
		rules: []string{"history.foreign_signature"}},
	"lost state": {messages: []callwright.Message{user(words("q")), model(signed(foreign)), tool(result("a", "1")), user(words("q")),
		model(signed(foreign), call("b", "now", `{}`)), tool(result("a", "1"), result("b", "2")), model(call("c", "now", `{}`)), tool(result("c", "3"))}, caps: needs,
		want: q + `,{"role":"model","parts":[{"functionCall":{"name":"look","args":{}},"thoughtSignature":"skip_thought_signature_validator"}]},` + seen + `,` + q + `,{"role":"model","parts":[{"functionCall":{"name":"look","args":{}},"thoughtSignature":"skip_thought_signature_validator"},{"functionCall":{"name":"now","args":{}}}]},` +
			`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"1"}}},{"functionResponse":{"name":"now","response":{"output":"2"}}}]},` +
			`{"role":"model","parts":[{"functionCall":{"name":"now","args":{}},"thoughtSignature":"skip_thought_signature_validator"}]},{"role":"user","parts":[{"functionResponse":{"name":"now","response":{"output":"3"}}}]}`,
		rules: []string{"history.sentinel", "history.foreign_signature", "history.sentinel"}},
	"signed texts": {messages: []callwright.Message{user(words("q")), model(words("a"), callwright.Reasoning{Signature: "x", Origin: home, Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(`{"on":"text"}`)}}),
		user(words("q")), model(words("a"), callwright.Reasoning{Signature: "y", Origin: home})},
		want: q + `,{"role":"model","parts":[{"text":"a","thoughtSignature":"x"}]},` + q + `,{"role":"model","parts":[{"text":"a"},{"text":"","thoughtSignature":"y"}]}`},
	"nothing but foreign thoughts": {messages: []callwright.Message{user(words("q")), model(callwright.Reasoning{Text: "hm", Origin: foreign}), user(words("q"))},
		want: q + `,` + q, rules: []string{"history.reasoning_left_out", "history.empty_content"}},
	"pictures": {messages: []callwright.Message{user(picture, callwright.Image{URL: "https://x.test/a.png"}, callwright.Image{URL: "gs://b/a.png", MediaType: "image/png"}, callwright.File{Name: "f", Text: "in"}, callwright.File{FileID: "file-1"})},
		want: `{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}},{"text":"[Image: https://x.test/a.png]"},{"fileData":{"mimeType":"image/png","fileUri":"gs://b/a.png"}},{"text":"in"},{"text":"[A file was left out: file-1]"}]}`, rules: []string{"history.image_url", "history.file"}},
	"pictures in results": {messages: []callwright.Message{user(words("q")), model(call("a", "look", `{}`)), tool(callwright.Result{CallID: "a", Parts: []callwright.Part{words("1"), picture}})},
		want: q + `,` + looked + `,{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"1"},"parts":[{"inlineData":{"mimeType":"image/png","data":"iVBO"}}]}}]}`},
	"pictures beside results": {messages: []callwright.Message{user(words("q")), model(call("a", "look", `{}`)), tool(callwright.Result{CallID: "a", Parts: []callwright.Part{words("1"), picture}})}, caps: caps.Caps{ResultImages: caps.No},
		want:  q + `,` + looked + `,{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"1"}}},{"text":"[From the result of look:]"},{"inlineData":{"mimeType":"image/png","data":"iVBO"}}]}`,
		rules: []string{"history.result_image"}},
	"nothing but instructions": {messages: []callwright.Message{said(callwright.RoleSystem, words("be brief")), user(words(""))},
		system: `"systemInstruction":{"parts":[{"text":"be brief"}]},`, want: `{"role":"user","parts":[{"text":"(start of the conversation)"}]}`,
		rules: []string{"history.empty_content", "history.first_user"}},
	"nothing at all":             {messages: []callwright.Message{}, want: `{"role":"user","parts":[{"text":"(start of the conversation)"}]}`, rules: []string{"history.first_user"}},
	"an empty turn of the model": {messages: []callwright.Message{user(words("q")), model(words("")), user(words("q"))}, want: q + `,` + q, rules: []string{"history.empty_content"}},
	"results of several texts": {messages: []callwright.Message{user(words("q")), model(call("a", "look", `{}`)), tool(callwright.Result{CallID: "a", Parts: []callwright.Part{words("12"), words("34")}})},
		want: q + `,` + looked + `,` + strings.Replace(seen, `"1"`, `"12\n34"`, 1)},
	"parts of others": {messages: []callwright.Message{user(words("q"), callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"x":1}`)}})},
		want: q, rules: []string{"history.opaque"}},
	"nothing but parts of others": {messages: []callwright.Message{user(callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"x":1}`)}}), user(words("q"))},
		want: q, rules: []string{"history.opaque", "history.empty_content"}},
}

func TestHistoriesOfOtherWires(t *testing.T) {
	for name, c := range historiesOfOtherWiresCases {
		t.Run(name, func(t *testing.T) {
			out, notes := encoded(t, built(c.messages...), c.caps)
			if diff := cmp.Diff(`{`+c.system+`"contents":[`+c.want+`]}`, out); diff != "" {
				t.Errorf("unexpected body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, notes); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// decoded is a client's request.
func decoded(t *testing.T, body string) *callwright.Request {
	t.Helper()
	req, err := gemini.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// editsOfABodyCases are those of TestEditsOfABody.
var editsOfABodyCases = map[string]struct {
	change   func(*callwright.Request)
	caps     caps.Caps
	from, to string
	rules    []string
}{
	"nothing": {change: func(*callwright.Request) {}},
	"limit":   {change: func(r *callwright.Request) { r.Params.MaxTokens = "7" }, from: `"max_output_tokens" : 5`, to: `"max_output_tokens" : 7`},
	"limit taken away": {change: func(r *callwright.Request) { r.Params.MaxTokens = "" },
		from: `{"top_k":1 , "max_output_tokens" : 5}`, to: `{"top_k":1}`},
	"choice": {change: func(r *callwright.Request) { r.Params.Choice = callwright.Choice{} },
		from: ` "tool_config":{"function_calling_config": {"mode":"ANY", "allowed_function_names":["now"]}},
 `, to: ""},
	"other choice": {change: func(r *callwright.Request) { r.Params.Choice = callwright.Choice{Mode: callwright.ChoiceNone} },
		from: `{"mode":"ANY", "allowed_function_names":["now"]}`, to: `{"mode":"NONE"}`},
	"format": {change: func(r *callwright.Request) {
		r.Params.Format = &callwright.AnswerFormat{Schema: json.RawMessage(`{"type":"object"}`)}
	}, from: `"max_output_tokens" : 5}`, to: `"max_output_tokens" : 5,"responseMimeType":"application/json","responseJsonSchema":{"type":"object"}}`},
	"tools": {change: func(r *callwright.Request) { r.Tools, _ = r.DeclaredTools(); r.Tools = r.Tools[:1] },
		from: `[ {"function_declarations":[{"name":"now", "parameters":{"type":"OBJECT"}},{"name":"look"}]} ]`,
		to:   `[{"functionDeclarations":[{"name":"now","parameters":{"type":"OBJECT"}}]}]`},
	"a schema of ours": {change: func(r *callwright.Request) {
		tools, _ := r.DeclaredTools()
		r.Tools = slices.Clone(tools[:1])
		r.Tools[0].Schema = json.RawMessage(`{"type":"object","properties":{}}`)
	}, from: `[ {"function_declarations":[{"name":"now", "parameters":{"type":"OBJECT"}},{"name":"look"}]} ]`,
		to: `[{"functionDeclarations":[{"name":"now","parametersJsonSchema":{"type":"object","properties":{}}}]}]`},
	"a turn more": {change: func(r *callwright.Request) {
		h, _ := r.History()
		r.Messages = append(slices.Clone(h), said(callwright.RoleUser, words("more")))
	}, from: `[ {"role":"user","parts":[{"text":"q"}]} , {"role":"model","parts":[{"function_call":{"name":"now"}}]}, {"role":"user","parts":[{"function_response":{"name":"now","response":{ }}}]} ]`,
		to: `[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"function_call":{"name":"now"}}]},{"role":"user","parts":[{"function_response":{"name":"now","response":{ }}}]},{"role":"user","parts":[{"text":"more"}]}]`},
	"a system text": {change: func(r *callwright.Request) {
		h, _ := r.History()
		r.Messages = append([]callwright.Message{said(callwright.RoleSystem, words("be"))}, h[:1]...)
	}, from: `[ {"role":"user","parts":[{"text":"q"}]} , {"role":"model","parts":[{"function_call":{"name":"now"}}]}, {"role":"user","parts":[{"function_response":{"name":"now","response":{ }}}]} ] }`,
		to: `[{"role":"user","parts":[{"text":"q"}]}],"systemInstruction":{"parts":[{"text":"be"}]} }`},
	"a signature in want": {change: func(*callwright.Request) {}, caps: caps.Caps{History: caps.HistoryRules{SignedCalls: true}},
		from: `[ {"role":"user","parts":[{"text":"q"}]} , {"role":"model","parts":[{"function_call":{"name":"now"}}]}, {"role":"user","parts":[{"function_response":{"name":"now","response":{ }}}]} ]`,
		to:   `[{"role":"user","parts":[{"text":"q"}]},{"role":"model","parts":[{"functionCall":{"name":"now","args":{}},"thoughtSignature":"skip_thought_signature_validator"}]},{"role":"user","parts":[{"functionResponse":{"name":"now","response":{ }}}]}]`, rules: []string{"history.sentinel"}},
	"edit": {change: func(r *callwright.Request) {
		companion.Change(r, func(c *companion.Companion) {
			c.Edits = []callwright.Edit{{Path: []string{"generation_config", "top_k"}, Value: json.RawMessage("4")}}
		})
	}, from: `"top_k":1`, to: `"top_k":4`},
}

// What differs is written into the body, in the spelling that it has.
func TestEditsOfABody(t *testing.T) {
	const body = `{ "generation_config" : {"top_k":1 , "max_output_tokens" : 5}, "tool_config":{"function_calling_config": {"mode":"ANY", "allowed_function_names":["now"]}},
 "tools": [ {"function_declarations":[{"name":"now", "parameters":{"type":"OBJECT"}},{"name":"look"}]} ],
 "contents": [ {"role":"user","parts":[{"text":"q"}]} , {"role":"model","parts":[{"function_call":{"name":"now"}}]}, {"role":"user","parts":[{"function_response":{"name":"now","response":{ }}}]} ] }`
	for name, c := range editsOfABodyCases {
		t.Run(name, func(t *testing.T) {
			req := decoded(t, body)
			c.change(req)
			out, notes := encoded(t, req, c.caps)
			if diff := cmp.Diff(strings.Replace(body, c.from, c.to, 1), out); diff != "" {
				t.Errorf("unexpected body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, notes); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}

// Clients spread the results of one turn over several contents, which the API refuses; it also wants calls after the user.
func TestContentsThatAreRefused(t *testing.T) {
	const q = `{"role":"user","parts":[{"text":"q"}]}`
	const calls = `{"role":"model","parts":[{"functionCall":{"name":"look","args":{}}},{"functionCall":{"name":"now","args":{}}}]}`
	const one, two = `{"functionResponse":{"name":"look","response":{"a":1}}}`, `{"functionResponse":{"name":"now","response":{"output":"b"}}}`
	for name, c := range map[string]struct {
		from, to string
		rules    []string
	}{
		"two contents": {q + `,` + calls + `,{"role":"user","parts":[` + one + `]}, {"role":"user","parts":[` + two + `]}`,
			q + `,` + calls + `,{"role":"user","parts":[` + one + `,` + two + `]}`, []string{"history.joined_results"}},
		"calls first": {calls + `,{"role":"user","parts":[` + one + `,` + two + `]}`,
			`{"role":"user","parts":[{"text":"(start of the conversation)"}]},` + calls + `,{"role":"user","parts":[` + one + `,` + two + `]}`, []string{"history.first_user"}},
		"calls behind the model": {q + `,{"role":"model","parts":[{"text":"hm"}]},` + calls + `,{"role":"user","parts":[` + one + `,` + two + `]}`,
			q + `,{"role":"model","parts":[{"text":"hm"},` + strings.TrimPrefix(calls, `{"role":"model","parts":[`) + `,{"role":"user","parts":[` + one + `,` + two + `]}`, []string{"history.merged_roles"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, notes := encoded(t, decoded(t, `{"contents":[`+c.from+`]}`), caps.Caps{})
			if diff := cmp.Diff(`{"contents":[`+c.to+`]}`, out); diff != "" {
				t.Errorf("unexpected body (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rules, notes); diff != "" {
				t.Errorf("unexpected notes (-want +got):\n%s", diff)
			}
		})
	}
}
