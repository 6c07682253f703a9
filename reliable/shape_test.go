package reliable_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// sentCases are what of a request is sent to a model with these capabilities.
var sentCases = []struct {
	name   string
	caps   caps.Caps
	change func(*callwright.Request)
	want   []string
	rules  []string
}{
	{name: "nothing to change", want: []string{asked, "tool get_weather"}},
	{name: "tools only without reasoning", caps: caps.Caps{ReasoningTools: caps.No}, want: []string{asked, "tool get_weather", "effort none off true"}, rules: []string{"params.reasoning_off"}},
	{name: "tools only without reasoning, which is off", caps: caps.Caps{ReasoningTools: caps.No}, change: func(r *callwright.Request) { r.Params.Thinking.Off = true },
		want: []string{asked, "tool get_weather", "effort  off true"}},
	{name: "tools only without reasoning, and none declared", caps: caps.Caps{ReasoningTools: caps.No},
		change: func(r *callwright.Request) { r.Tools, r.Params.Thinking.Effort = nil, "high" }, want: []string{asked, "effort high off false"}},
	{name: "tools only without reasoning, by a model that always reasons", caps: caps.Caps{ReasoningTools: caps.No, Efforts: "low,high"}, want: []string{asked, "tool get_weather"}},
	{name: "reasoning cannot be off", caps: caps.Caps{Efforts: "low,medium,high"}, change: func(r *callwright.Request) { r.Params.Thinking.Off = true },
		want: []string{asked, "tool get_weather", "effort low off false"}, rules: []string{"params.least_effort"}},
	{name: "no effort is not taken", caps: caps.Caps{Efforts: "minimal,low"}, change: func(r *callwright.Request) { r.Params.Thinking.Effort = "none" },
		want: []string{asked, "tool get_weather", "effort minimal off false"}, rules: []string{"params.least_effort"}},
	{name: "reasoning can be off", caps: caps.Caps{Efforts: "none,low"}, change: func(r *callwright.Request) { r.Params.Thinking.Effort = "none" },
		want: []string{asked, "tool get_weather", "effort none off false"}},
	{name: "several calls have to be asked for", caps: caps.Caps{ParallelUnasked: caps.No}, want: []string{asked, "tool get_weather", "parallel true"}, rules: []string{"parallel.asked"}},
	{name: "several calls are not wanted", caps: caps.Caps{ParallelUnasked: caps.No}, change: func(r *callwright.Request) { r.Params.Parallel = new(bool) },
		want: []string{asked, "tool get_weather", "parallel false"}},
	{name: "several calls without tools", caps: caps.Caps{ParallelUnasked: caps.No}, change: func(r *callwright.Request) { r.Tools = nil }, want: []string{asked}},
	{name: "one call at most, and no switch", caps: caps.Caps{ParallelField: caps.No}, change: func(r *callwright.Request) { r.Params.Parallel = new(bool) },
		want: []string{"system Call at most one tool.", asked, "tool get_weather"}, rules: []string{"parallel.emulated"}},
	{name: "JSON beside tools", caps: caps.Caps{JSONWithTools: caps.No}, change: func(r *callwright.Request) {
		r.Params.Format = &callwright.AnswerFormat{Schema: []byte(`{ "type":"object" }`)}
	},
		want: []string{"system When you answer and call no tool, write one JSON object and nothing else: no code fence, no text around it. It must satisfy this JSON Schema:\n{\"type\":\"object\"}",
			asked, "tool get_weather"}, rules: []string{"format.emulated"}},
	{name: "JSON beside tools that may not be called", caps: caps.Caps{JSONWithTools: caps.No},
		change: func(r *callwright.Request) {
			r.Params.Format, r.Params.Choice.Mode = &callwright.AnswerFormat{}, callwright.ChoiceNone
		},
		want: []string{asked, "format"}, rules: []string{"tools.not_allowed"}},
	{name: "JSON beside tools that are only in words and may not be called", caps: caps.Caps{Tools: caps.No},
		change: func(r *callwright.Request) {
			r.Params.Format, r.Params.Choice.Mode = &callwright.AnswerFormat{}, callwright.ChoiceNone
		},
		want: []string{asked, "format"}},
	{name: "JSON beside tools that would stand in a document and may not be called", caps: caps.Caps{Tools: caps.No, JSONSchema: caps.Yes, JSONObject: caps.No},
		change: func(r *callwright.Request) {
			r.Params.Format, r.Params.Choice.Mode = &callwright.AnswerFormat{}, callwright.ChoiceNone
		},
		want: []string{"system When you answer and call no tool, write one JSON object and nothing else: no code fence, no text around it.", asked}, rules: []string{"format.emulated"}},
	{name: "JSON beside tools that are only in words", caps: caps.Caps{Tools: caps.No}, change: func(r *callwright.Request) {
		r.Tools, r.Params.Format = []callwright.Tool{{Name: "now"}}, &callwright.AnswerFormat{Schema: []byte(`{ "type":"object" }`)}
	}, want: []string{"system " + nowInHermes + "\n\nWhen you answer and call no tool, write one JSON object and nothing else: no code fence, no text around it. It must satisfy this JSON Schema:\n{\"type\":\"object\"}", asked}, rules: []string{"tools.conveyed", "format.emulated"}},
	{name: "JSON without tools", caps: caps.Caps{JSONWithTools: caps.No}, change: func(r *callwright.Request) { r.Tools, r.Params.Format = nil, &callwright.AnswerFormat{} },
		want: []string{asked, "format"}},
	{name: "a forced choice that is refused", caps: caps.Caps{ChoiceForced: caps.No}, change: func(r *callwright.Request) { r.Params.Choice = forcedOne },
		want: []string{"system You must call the tool get_weather.", asked, "tool get_weather"}, rules: []string{"choice.emulated"}},
	{name: "a forced choice among tools that is refused", caps: caps.Caps{ChoiceForced: caps.No}, change: func(r *callwright.Request) {
		r.Tools, r.Params.Choice = append(r.Tools[:1:1], callwright.Tool{Name: "get_time"}), callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"get_weather"}}
	}, want: []string{"system You must call the tool get_weather.", asked, "tool get_weather"}, rules: []string{"choice.emulated"}},
	{name: "members that are refused and sent", caps: caps.Caps{DropFields: "temperature,top_p"}, change: func(r *callwright.Request) { r.Params.Temperature = "0.2" },
		want: []string{asked, "tool get_weather", "without temperature"}, rules: []string{"field.dropped"}},
	{name: "members that are refused and not sent", caps: caps.Caps{DropFields: "temperature,top_p,thinking"}, want: []string{asked, "tool get_weather"}},
	{name: "a history with calls and no tools", caps: caps.Caps{History: caps.HistoryRules{ToolsForCalls: true}}, change: func(r *callwright.Request) {
		r.Tools = nil
		r.Messages = append(r.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "a", Name: "old_tool", Arguments: []byte(`{}`)}}},
			callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a"}}})
	}, want: []string{asked, "assistant call old_tool", "tool result ", "tool unavailable", "choice none"}, rules: []string{"history.declared_tools"}},
	{name: "an answer begun by the client", change: func(r *callwright.Request) { r.Messages = append(r.Messages, says(callwright.RoleAssistant, "{")) },
		want: []string{asked, "assistant {", "tool get_weather"}},
	{name: "an answer begun, which is refused", caps: caps.Caps{History: caps.HistoryRules{Prefill: caps.PrefillRefused}}, change: func(r *callwright.Request) { r.Messages = append(r.Messages, says(callwright.RoleAssistant, "{")) },
		want: []string{asked, "assistant {", "user Go on with your last message exactly where it stops. Do not repeat any of it.", "tool get_weather"}, rules: []string{"history.inserted_turn"}},
	{name: "a paused answer is none that the client began", caps: caps.Caps{History: caps.HistoryRules{Prefill: caps.PrefillRefused}}, change: func(r *callwright.Request) {
		r.Messages = append(r.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: "Searching."}, callwright.Opaque{}}})
	}, want: []string{asked, "assistant Searching. opaque", "tool get_weather"}},
	{name: "a user after results", caps: caps.Caps{History: caps.HistoryRules{NoUserAfterTool: true}}, change: func(r *callwright.Request) {
		r.Messages = append(r.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "a", Name: "get_weather", Arguments: []byte(oslo)}}},
			callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "a"}}}, says(callwright.RoleUser, "And now?"))
	}, want: []string{asked, "assistant call get_weather", "tool result ", "assistant OK.", "user And now?", "tool get_weather"}, rules: []string{"history.inserted_turn"}},
	{name: "several system messages", change: func(r *callwright.Request) {
		r.Messages = append([]callwright.Message{says(callwright.RoleSystem, "A."), says(callwright.RoleSystem, "B.")}, r.Messages...)
	}, want: []string{"system A.", "system B.", asked, "tool get_weather"}},
	{name: "several system messages where one is taken", caps: caps.Caps{History: caps.HistoryRules{OneSystem: true}}, change: func(r *callwright.Request) {
		r.Messages = append(append([]callwright.Message{says(callwright.RoleSystem, "A.")}, r.Messages...), says(callwright.RoleSystem, "B."))
	}, want: []string{"system A.", asked, "user B.", "tool get_weather"}, rules: []string{"history.system_moved"}},
	{name: "several system messages at the beginning where one is taken", caps: caps.Caps{History: caps.HistoryRules{OneSystem: true}}, change: func(r *callwright.Request) {
		r.Messages = append([]callwright.Message{says(callwright.RoleSystem, "A."), says(callwright.RoleSystem, "B.")}, r.Messages...)
	}, want: []string{"system A. \n\n B.", asked, "tool get_weather"}, rules: []string{"history.merged_roles"}},
	{name: "a late system message where it must be first: the beginning stays", caps: caps.Caps{History: caps.HistoryRules{OneSystem: true}},
		change: func(r *callwright.Request) { r.Messages = append(r.Messages, says(callwright.RoleSystem, "B.")) }, want: []string{asked, "user B.", "tool get_weather"}, rules: []string{"history.system_moved"}},
	{name: "a call without a result, and a result without a call", change: func(r *callwright.Request) {
		r.Messages = append(r.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "a", Name: "get_weather", Arguments: []byte(oslo)}}},
			callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "b", Parts: []callwright.Part{callwright.Text{Text: "3"}}}}})
	}, want: []string{asked, "assistant call get_weather", "tool result no result: the call was not executed", "user Result of an earlier tool call:\n3", "tool get_weather"},
		rules: []string{"history.orphan_call", "history.orphan_result"}},
}

// nowInHermes declares the tool now in words.
const nowInHermes = "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>\n{\"type\":\"function\",\"function\":{\"name\":\"now\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}}\n" +
	"</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n" +
	"<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>"

func TestWhatIsSent(t *testing.T) {
	for _, tc := range sentCases {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{name: "lab/m", caps: tc.caps, answers: []any{goodCall}}
			req := ask(callwright.Choice{})
			if tc.change != nil {
				tc.change(req)
			}
			if req.Params.Choice.Mode == callwright.ChoiceNone {
				m.answers = []any{text("Cold.")}
			}
			resp, err := reliable.New(m, reliable.WithMaxCorrections(0)).Generate(t.Context(), req)
			if len(m.asked) != 1 {
				t.Fatalf("asked %d times: %v", len(m.asked), err)
			}
			if d := cmp.Diff(tc.want, sent(t, m.asked[0])); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			var rules []string
			for _, n := range reportOf(resp, err).Notes {
				if n.Stage == callwright.StageOutbound {
					rules = append(rules, n.Rule)
				}
			}
			if d := cmp.Diff(tc.rules, rules); d != "" {
				t.Errorf("notes (-want +got)\n%s", d)
			}
		})
	}
}

// A caller with an HTTP client of its own gets calls and documents back in the form of its own tools.
func TestShapedOriginal(t *testing.T) {
	req := ask(callwright.Choice{})
	req.Tools = []callwright.Tool{{Name: "get.weather", Schema: weather[0].Schema}}
	known := caps.Caps{SchemaTarget: caps.SchemaOpenAI, StrictTools: caps.Yes, JSONSchema: caps.Yes, NameMax: 64}
	sh, err := reliable.Shape(req, known, caps.Native, reliable.ShapeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	sent := sh.Request.Tools[0]
	call := sh.Original(callwright.Call{ID: "a", Name: sent.Name, Arguments: []byte(`{"city":"Oslo","days":null}`)})
	if sent.Name == "get.weather" || call.Name != "get.weather" || string(call.Arguments) != oslo {
		t.Errorf("sent as %s, came back as %+v", sent.Name, call)
	}
	const document = `{"scratchpad":null,"toolCalls":[{"name":"get.weather","arguments":{"city":"Oslo","days":null}}],"answer":null}`
	if text := sh.Document(document); text != document {
		t.Errorf("of native calls the document became %s", text)
	}
	if sh, err = reliable.Shape(req, known, caps.JSONSchema, reliable.ShapeOptions{}); err != nil {
		t.Fatal(err)
	}
	if text := sh.Document(document); text != `{"toolCalls":[{"name":"get.weather","arguments":{"city":"Oslo"}}]}` {
		t.Errorf("the document became %s", text)
	}
}
