package reliability_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

// A conversation is one in which a fault shows.
type conversation struct {
	change func(*callwright.Request)
	script simulate.Script
	meant  *intent // nil: the usual call
	ends   []end
	rounds func(*run) error
	agent  bool
	wires  []string // where it is not the fault's own
	caps   string   // facts of the configuration
	// request makes the request where no change of the usual one does.
	request func(model string) *callwright.Request
}

func said(role callwright.Role, parts ...callwright.Part) callwright.Message {
	return callwright.Message{Role: role, Parts: parts}
}

// past is an answer of the model that called get_weather.
func past(id, args string) callwright.Message {
	return said(callwright.RoleAssistant, callwright.Call{ID: id, Name: "get_weather", Arguments: json.RawMessage(args)})
}

func result(id, text string) callwright.Message {
	return said(callwright.RoleTool, callwright.Result{CallID: id, Name: "get_weather", Parts: []callwright.Part{callwright.Text{Text: text}}})
}

// before puts messages before the question.
func before(messages ...callwright.Message) func(*callwright.Request) {
	return func(r *callwright.Request) {
		r.Messages = append(append([]callwright.Message{callwright.UserText("And in Rome?")}, messages...), r.Messages...)
	}
}

// behind puts messages behind the question.
func behind(messages ...callwright.Message) func(*callwright.Request) {
	return func(r *callwright.Request) { r.Messages = append(r.Messages, messages...) }
}

// parameters sets the schema of get_weather.
func parameters(text string) func(*callwright.Request) {
	return func(r *callwright.Request) { r.Tools[0].Schema = json.RawMessage(text) }
}

// calling is the script of a model that makes one call, of the first tool where no name is given.
func calling(name, args string) simulate.Script {
	plain := simulate.Weather()
	return func(seen simulate.Seen) simulate.Turn {
		t := plain(seen)
		if t.Status == 0 {
			t.Text, t.Calls = "", []simulate.Call{{Name: name, Arguments: args}}
			if name == "" {
				t.Calls[0].Name = seen.Tools[0]
			}
		}
		return t
	}
}

const (
	rome          = `{"city":"Rome"}`
	inTromso      = `{"city":"Tromsø"}`
	geminiSchema  = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"city":{"type":"string","const":"Tromsø"},"n":{"type":"integer","exclusiveMinimum":1,"enum":[7,8]},"l":{"type":"array"}},"required":["city"],"additionalProperties":false}`
	rootSchema    = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"anyOf":[{"required":["city"]},{"required":["lat"]}]}`
	openSchema    = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"city":{"type":"string"},"days":{"type":"array"}},"required":["city"]}`
	patternSchema = `{"type":"object","properties":{"city":{"type":"string","pattern":"[A-Z]"}},"required":["city"]}`
)

// many adds more tools than most providers take.
func many(r *callwright.Request) {
	for i := range 150 {
		r.Tools = append(r.Tools, callwright.Tool{Name: fmt.Sprint("other_", i)})
	}
}

// answered is the conversation up to the result of a call.
func answered(r *callwright.Request) { behind(past("call_1", inTromso), result("call_1", "18 C"))(r) }

var usual = &intent{calls: []call{{"get_weather", inTromso}}}

func textOf(text string) *intent { return &intent{text: text} }

// conversations are by the names of the faults, with their variants.
var conversations = map[string]conversation{
	"intent_no_call":            {agent: true},
	"empty_turn-after_tool":     {change: answered, meant: textOf("It is 18 C.")},
	"id_format-refused":         {change: before(past("toolu_01AbCdEf", rome), result("toolu_01AbCdEf", "20"), callwright.AssistantText("20."))},
	"repeat-1":                  {agent: true, ends: []end{stopped(agent.StopLoop)}},
	"repeat-2":                  {agent: true, ends: []end{stopped(agent.StopLoop)}},
	"repeat-empty":              {agent: true, ends: []end{stopped(agent.StopLoop)}},
	"repeat-beside_answer":      {agent: true, ends: []end{stopped(agent.StopLoop)}},
	"gemini_schema_400":         {change: parameters(geminiSchema)},
	"anthropic_root_combinator": {change: parameters(rootSchema)},
	"openai_schema_400":         {change: parameters(openSchema)},
	"grammar_400":               {change: parameters(patternSchema)},
	"grammar_fail_open":         {change: answerFormat, script: simulate.Weather(), meant: &intent{text: `{"city": "sample"}`}},
	"tool_name_400": {change: func(r *callwright.Request) { r.Tools[0].Name = "weather.get" }, script: calling("", inTromso),
		meant: &intent{calls: []call{{"weather.get", inTromso}}}},
	"extra_field_400":          {change: func(r *callwright.Request) { r.Extra = callwright.Extra{JSON: json.RawMessage(`{"made_up":1}`)} }},
	"needs_responses":          {change: func(r *callwright.Request) { r.Params.Thinking.Effort = "high" }},
	"history_without_tools":    {change: withoutTools, script: saying("Fine."), meant: textOf("Fine.")},
	"tools_over_limit":         {change: many},
	"empty_content_400":        {change: before(callwright.AssistantText("\n"), callwright.UserText(" "), callwright.AssistantText("Hm."))},
	"role_alternation":         {change: before(past("abcdefghi", rome), result("abcdefghi", "20"))},
	"orphan_use":               {change: before(past("a", rome), callwright.UserText("Hm?"))},
	"orphan_result":            {change: before(callwright.AssistantText("Hm."), callwright.UserText("Hm?"), result("b", "20"))},
	"poisoned_args_in_history": {change: before(past("a", `{"city":"Ro`), result("a", "20"), callwright.AssistantText("20."))},
	"gemini_grouping_400": {change: before(said(callwright.RoleAssistant, callwright.Call{ID: "a", Name: "get_weather", Arguments: json.RawMessage(rome)},
		callwright.Call{ID: "b", Name: "get_weather", Arguments: json.RawMessage(inTromso)}), result("b", "18"), result("a", "20"), callwright.AssistantText("20 and 18."))},
	"sig_missing_400":         {change: before(past("a", rome), result("a", "20"), callwright.AssistantText("20."))},
	"sig_foreign_400":         {change: before(foreign(), result("a", "20"), callwright.AssistantText("20."))},
	"reasoning_required_400":  {change: before(callwright.AssistantText("20."))},
	"responses_pairing_400":   {change: before(past("a", rome), callwright.UserText("Hm?"), result("a", "20"))},
	"image_in_result-dropped": {change: pictured, meant: &intent{text: "I see an image of", begin: true}, script: simulate.Weather(), caps: "result_images: no"},
	"image_in_result-refused": {change: pictured, meant: &intent{text: "", loose: true}, script: saying("I see it.")},
	"custom_tool-rejected":    {change: customTool, script: calling("exec", `{"input":"ls"}`), meant: &intent{calls: []call{{"exec", "ls"}}}},
	"custom_tool-as_function": {change: customTool, script: calling("exec", "ls"), meant: &intent{calls: []call{{"exec", "ls"}}}},
	"namespace-rejected":      {request: grouped, script: simulate.AnyTools(), meant: &intent{calls: []call{{"box__open", `{"door":"sample"}`}}}},
	"namespace-joined":        {request: grouped, script: simulate.AnyTools(), meant: &intent{calls: []call{{"box__open", `{"door":"sample"}`}}}},
	"volatile_prefix":         {rounds: twoNonces, wires: []string{simulate.OpenAI, simulate.Responses, simulate.Gemini}},
	"provider_profile":        {rounds: asked20},
}

func stopped(s agent.Stop) end { return end("stopped: " + string(s)) }

// saying is the script of a model that says this.
func saying(text string) simulate.Script {
	plain := simulate.Weather()
	return func(seen simulate.Seen) simulate.Turn {
		t := plain(seen)
		if t.Status == 0 {
			t.Text, t.Calls = text, nil
		}
		return t
	}
}

func withoutTools(r *callwright.Request) {
	before(past("a", rome), result("a", "20"), callwright.AssistantText("20."))(r)
	r.Tools = nil
}

func customTool(r *callwright.Request) {
	r.Tools = []callwright.Tool{{Name: "exec", Type: callwright.CustomTool, Description: "Runs a command."}}
}

func answerFormat(r *callwright.Request) {
	r.Tools = nil
	r.Params.Format = &callwright.AnswerFormat{Name: "place", Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)}
}

// foreign is an answer with opaque state of another model.
func foreign() callwright.Message {
	origin := callwright.Origin{Wire: callwright.WireAnthropic, Model: "other/model"}
	m := past("a", rome)
	c := m.Parts[0].(callwright.Call)
	c.Signature, c.Origin = "b3RoZXI=", origin
	m.Parts = []callwright.Part{callwright.Reasoning{Text: "hm", Signature: "b3RoZXI=", Origin: origin}, c}
	return m
}

// grouped is a request with a group of tools, which only one API can say.
func grouped(model string) *callwright.Request {
	codec, _ := codecs.Of(callwright.WireResponses)
	req, err := codec.DecodeRequest([]byte(`{"model":"` + model + `","store":false,"tool_choice":"required","input":[{"role":"user","content":"Open it."}],` +
		`"tools":[{"type":"namespace","name":"box","description":"A box.","tools":[{"type":"function","name":"open","parameters":{"type":"object","properties":{"door":{"type":"string"}},"required":["door"]}}]}]}`))
	if err != nil {
		panic(err) // the text above is no request
	}
	return req
}

// pictured is the conversation up to a result with an image.
func pictured(r *callwright.Request) {
	behind(past("a", inTromso), said(callwright.RoleTool, callwright.Result{CallID: "a", Name: "get_weather", Parts: []callwright.Part{
		callwright.Text{Text: "See the picture."}, callwright.Image{MediaType: "image/png", Data: "iVBORw0KGgo="}}}))(r)
}

// twoNonces asks as a client does that puts another number into each request, and fails where the two that are sent begin differently.
func twoNonces(r *run) error {
	codec, _ := codecs.Of(callwright.WireAnthropic)
	for _, nonce := range []string{"a1", "b2"} {
		req, err := codec.DecodeRequest([]byte(`{"model":"` + r.model + `","max_tokens":100,"system":[{"type":"text","text":"x-anthropic-billing-header: cch=` + nonce +
			`"},{"type":"text","text":"Be brief."}],"messages":[{"role":"user","content":"Hello."}],"tools":[{"name":"get_weather","input_schema":` + weatherSchema + `}]}`))
		if err != nil {
			return err
		}
		if _, err := ask(r.ctx, r.client, req, r.stream); err != nil {
			return err
		}
	}
	if seen := r.srv.Requests(); len(seen) != 2 || string(seen[0].Body) != string(seen[1].Body) {
		return &callwright.Error{Op: "reliability.prefix", Kind: callwright.KindConflict, Message: "the requests begin differently"}
	}
	return nil
}

// asked20 asks in other words each time, and fails where an answer is not the call that was meant.
func asked20(r *run) error {
	for i := range 20 {
		resp, err := ask(r.ctx, r.client, asking(fmt.Sprint("Question ", i, ". ", question))(r.model), r.stream)
		if e, why := r.meant.judge(resp, err); e != right {
			return &callwright.Error{Op: "reliability.profile", Kind: callwright.KindInvalidCall, Message: why}
		}
	}
	return nil
}

// talk are the scenarios of a fault that a conversation shows, on a wire.
func talk(class string, f simulate.FaultInfo, wire string) ([]*scenario, bool) {
	c, ok := conversations[f.Model()]
	if !ok || c.wires != nil && !slices.Contains(c.wires, wire) {
		return nil, ok
	}
	s := &scenario{class: class, fault: f, model: unknownProvider + "/" + f.Model(), wire: wire, script: c.script, ends: c.ends, rounds: c.rounds, agent: c.agent}
	if c.caps != "" {
		s.settings = ", caps: {" + c.caps + "}"
	}
	if s.script == nil {
		s.script = weather(shortArguments)
	}
	s.meant = *usual
	if c.meant != nil {
		s.meant = *c.meant
	}
	s.request = asking(question)
	if c.change != nil {
		s.request = asking(question, c.change)
	}
	if c.request != nil {
		s.request = c.request
	}
	return []*scenario{s}, true
}

// loop has an agent ask, and judges what it called and said.
func (r *run) loop() (end, string) {
	var called []string
	tool := agent.Tool{
		Name: "get_weather", Description: "Tells the weather.", Schema: json.RawMessage(weatherSchema),
		Run: func(_ context.Context, arguments json.RawMessage) (agent.Output, error) {
			called = append(called, string(arguments))
			return agent.Output{Data: json.RawMessage(`"18 C"`)}, nil
		},
	}
	out, err := agent.New(r.client, agent.Tools(tool)).Run(r.ctx, callwright.UserText(question))
	var stop *agent.StopError
	switch {
	case errors.As(err, &stop) && stop.Stop != agent.StopModel:
		return stopped(stop.Stop), strings.Join(called, " ")
	case err != nil:
		return failed(callwright.KindOf(err)), err.Error()
	case len(called) != 1 || !equalJSON([]byte(called[0]), []byte(r.meant.calls[0].args)):
		return lost, out.Text + " after " + strings.Join(called, " ")
	case !strings.Contains(out.Text, "18 C"):
		return lost, out.Text
	}
	return right, ""
}
