package reliability_test

import (
	"encoding/json"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/simulate"
)

// A knownCase is a request that a provider whose facts are shipped would refuse, at a server that checks what the real one checks.
type knownCase struct {
	class, what          string
	model, wire, profile string
	change               func(*callwright.Request)
	script               simulate.Script // nil: a model that calls get_weather
	noted                bool            // a note names the class
	want                 []call          // nil beside an empty text: the usual call
	ends                 []end
	text                 string
}

const unitSchema = `{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city"]}`

// scenario is the case as a scenario.
func (k *knownCase) scenario() *scenario {
	s := &scenario{class: k.class, what: k.what, model: k.model, wire: k.wire, profile: k.profile, script: k.script, ends: k.ends, meant: *usual, request: asking(question)}
	if k.script == nil {
		s.script = calling("get_weather", inTromso)
	}
	if k.change != nil {
		s.request = asking(question, parameters(citySchema), k.change)
	}
	if k.want != nil || k.text != "" {
		s.meant = intent{calls: k.want, text: k.text}
	}
	if k.noted {
		s.noted = k.class
	}
	return s
}

// streamedEnds is how a stream ends whose call was out before it was known to be invalid: those of models that are known to be reliable are not held.
var streamedEnds = []end{failed(callwright.KindInvalidCall)}

const citySchema = `{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`

var knownCases = []knownCase{
	{class: "F16", what: "an endpoint without tools", model: "lab/m", wire: "ollama", profile: "ollama-plain", noted: true},
	{class: "F21", what: "an optional argument filled with nothing", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: parameters(unitSchema), script: calling("get_weather", `{"city":"Tromsø","unit":""}`), noted: true, ends: streamedEnds},
	{class: "F23", what: "an argument by another name", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: parameters(unitSchema), script: calling("get_weather", `{"City":"Tromsø"}`), noted: true, ends: streamedEnds},
	{class: "F29", what: "ids that the receiver refuses", model: "mistral/mistral-large-latest", wire: "openai", profile: "mistral", change: before(past("toolu_01AbCdEf", rome), result("toolu_01AbCdEf", "20"), callwright.AssistantText("20.")), noted: true},
	{class: "F29", what: "ids that are too long", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: before(past(strings.Repeat("x", 60), rome), result(strings.Repeat("x", 60), "20"), callwright.AssistantText("20.")), noted: true},
	{class: "F35", what: "keywords that Gemini refuses", model: "gemini/gemini-2.5-pro", wire: "gemini", profile: "gemini-2.5",
		change: parameters(`{"$schema":"x","type":"object","properties":{"city":{"type":"string","const":"Tromsø"},"n":{"type":"integer","exclusiveMinimum":1,"enum":[7,8]},"l":{"type":"array"}},"required":["city"],"additionalProperties":false}`), noted: true},
	{class: "F36", what: "a combination at the root", model: "anthropic/claude-sonnet-4-5", wire: "anthropic", profile: "anthropic-4.5",
		change: parameters(`{"oneOf":[{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}},"required":["lat","lon"]}]}`), noted: true},
	{class: "F36", what: "a root that does not say that it is an object", model: "anthropic/claude-sonnet-4-5", wire: "anthropic", profile: "anthropic-4.5",
		change: parameters(`{"properties":{"city":{"type":"string"}},"required":["city"]}`), noted: true},
	{class: "F37", what: "a list without items", model: "openai/gpt-4o", wire: "openai", profile: "openai",
		change: parameters(openSchema), noted: true},
	{class: "F37", what: "a combination at the root", model: "openai-responses/gpt-4o", wire: "responses", profile: "openai",
		change: parameters(rootSchema), noted: true},
	{class: "F37", what: "a strict tool that is open, with a member that may be left out", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: func(r *callwright.Request) {
		parameters(`{"type":"object","properties":{"city":{"type":"string","minLength":1},"unit":{"type":"string","default":"c"}},"required":["city"]}`)(r)
		r.Tools[0].Strict = new(true)
	}, script: calling("get_weather", `{"city":"Tromsø","unit":null}`), noted: true},
	{class: "F38", what: "a pattern that no grammar is made of", model: "llamacpp/m", wire: "openai", profile: "llama.cpp", change: parameters(patternSchema), noted: true},
	{class: "F39", what: "a name with a dot", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: func(r *callwright.Request) { r.Tools[0].Name = "weather.get" },
		script: func(s simulate.Seen) simulate.Turn {
			return simulate.Turn{Calls: []simulate.Call{{Name: s.Tools[0], Arguments: inTromso}}}
		}, noted: true, want: []call{{"weather.get", inTromso}}},
	{class: "F40", what: "members that are refused", model: "lab/grok", wire: "openai", profile: "xai", change: func(r *callwright.Request) { r.Params.Stop, r.Params.Presence = []string{"x"}, "1" }, noted: true},
	{class: "F41", what: "a demand beside thinking", model: "anthropic/claude-sonnet-4-5", wire: "anthropic", profile: "anthropic-4.5",
		change: func(r *callwright.Request) {
			r.Params.Choice.Mode, r.Params.Thinking.Budget, r.Params.MaxTokens = callwright.ChoiceRequired, "2048", "4096"
		}},
	{class: "F41", what: "a demand of a model that takes none", model: "deepseek/deepseek-v4-pro", wire: "openai", profile: "deepseek", change: func(r *callwright.Request) { r.Params.Choice.Mode = callwright.ChoiceRequired }, noted: true},
	{class: "F42", what: "tools beside reasoning", model: "openai/gpt-5.6", wire: "openai", profile: "openai-5.6", noted: true},
	{class: "F43", what: "tools of another API", model: "anthropic/claude-sonnet-4-5", wire: "anthropic", profile: "anthropic-4.5", change: func(r *callwright.Request) {
		r.Tools = append(r.Tools, callwright.Tool{Name: "exec", Type: callwright.CustomTool}, callwright.Tool{Name: "web_search", Type: callwright.HostedTool, Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: json.RawMessage(`{"type":"web_search"}`)}})
	}, noted: true},
	{class: "F44", what: "calls in the history, and no tools", model: "anthropic/claude-sonnet-4-5", wire: "anthropic", profile: "anthropic-4.5", change: withoutTools, script: saying("Fine."), noted: true, text: "Fine."},
	{class: "F45", what: "more tools than are taken", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: many, noted: true},
	{class: "F45", what: "more tools than Gemini takes", model: "gemini/gemini-2.5-pro", wire: "gemini", profile: "gemini-2.5", change: many, noted: true},
	{class: "F45", what: "a tool beyond the limit that the choice names", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: func(r *callwright.Request) {
		many(r)
		r.Params.Choice = callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"other_149"}}
	}, script: func(s simulate.Seen) simulate.Turn {
		return simulate.Turn{Calls: []simulate.Call{{Name: s.Tools[len(s.Tools)-1], Arguments: "{}"}}}
	}, noted: true, want: []call{{"other_149", "{}"}}},
	{class: "F45", what: "a call of a tool beyond the limit", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: many, script: calling("other_149", "{}"), noted: true, want: []call{{"other_149", "{}"}}},
	{class: "F45", what: "tools that are deferred", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: func(r *callwright.Request) {
		many(r)
		for i := range r.Tools[1:] {
			r.Tools[i+1].Extra = callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"defer_loading":true}`)}
		}
	}, script: func(s simulate.Seen) simulate.Turn { return simulate.Turn{Text: strings.Join(s.Tools, ",")} }, noted: true, text: "get_weather"},
	{class: "F46", what: "blank texts", model: "anthropic/claude-sonnet-4-5", wire: "anthropic", profile: "anthropic-4.5", change: before(callwright.AssistantText("\n"), callwright.UserText(" "), callwright.AssistantText("Hm.")), noted: true},
	{class: "F46", what: "an empty answer", model: "mistral/mistral-large-latest", wire: "openai", profile: "mistral", change: before(said(callwright.RoleAssistant)), noted: true},
	{class: "F47", what: "a user behind results", model: "mistral/mistral-large-latest", wire: "openai", profile: "mistral", change: before(past("abcdefghi", rome), result("abcdefghi", "20")), noted: true},
	{class: "F48", what: "a call without its result, and a result without its call", model: "openai/gpt-4o", wire: "openai", profile: "openai", change: before(past("a", rome), callwright.UserText("Hm?"), result("b", "20")), noted: true},
	{class: "F49", what: "arguments that were cut", model: "vllm/m", wire: "openai", profile: "vllm", change: func(r *callwright.Request) {
		before(past("a", `{"city":"Ro`), result("a", "20"), callwright.AssistantText("20."))(r)
		r.Params.Choice.Mode = callwright.ChoiceRequired // the server has no parser for a free choice
	}, noted: true},
	{class: "F53", what: "reasoning that has to return", model: "deepseek/deepseek-v4-pro", wire: "openai", profile: "deepseek", change: before(callwright.AssistantText("20.")), noted: true},
	{class: "F53", what: "reasoning that must not return", model: "mistral/mistral-large-latest", wire: "openai", profile: "mistral", change: before(said(callwright.RoleAssistant, callwright.Reasoning{Text: "hm"}, callwright.Text{Text: "20."})), noted: true},
}
