package openai

import (
	"encoding/json"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

type setting = kit.Setting[*requestEncoder]

// settings are the parameters of a request. Each writes all of its members, or none.
var settings = []setting{
	kit.NewSetting([]string{"stream", "stream_options"}, writeStream, (*requestEncoder).refusesUsage),
	kit.NewSetting([]string{"tool_choice", "function_call"}, writeChoice, (*requestEncoder).refusesChoice),
	kit.NewSetting([]string{"parallel_tool_calls"}, writeParallel, (*requestEncoder).refusesParallel),
	kit.NewSetting([]string{"max_tokens", "max_completion_tokens"}, writeMaxTokens, (*requestEncoder).refusesMaxTokens),
	plainNumber("temperature", func(p *callwright.Params) json.Number { return p.Temperature }),
	plainNumber("top_p", func(p *callwright.Params) json.Number { return p.TopP }),
	plainNumber("top_k", func(p *callwright.Params) json.Number { return p.TopK }),
	plainNumber("presence_penalty", func(p *callwright.Params) json.Number { return p.Presence }),
	plainNumber("frequency_penalty", func(p *callwright.Params) json.Number { return p.Frequency }),
	plainNumber("seed", func(p *callwright.Params) json.Number { return p.Seed }),
	kit.NewSetting([]string{"stop"}, writeStop, nil),
	kit.NewSetting([]string{"response_format"}, writeFormat, nil),
	kit.NewSetting([]string{"reasoning_effort", "reasoning", "thinking"}, writeThinking, nil),
	kit.NewSetting([]string{"user"}, func(e *requestEncoder, p *callwright.Params) { e.OptionalText("user", p.User) }, nil),
}

func plainNumber(key string, of func(*callwright.Params) json.Number) setting {
	return kit.NewSetting([]string{key}, func(e *requestEncoder, p *callwright.Params) {
		if n := of(p); n != "" {
			e.Raw(key, []byte(n))
		}
	}, nil)
}

// hasMember reports whether the client's body has the top-level member key.
func (e *requestEncoder) hasMember(key string) bool { return e.body.Find(key) != nil }

func (e *requestEncoder) refusesUsage([]byte) bool {
	return e.caps.StreamUsage == caps.No && e.hasMember("stream_options")
}

func (e *requestEncoder) refusesChoice(after []byte) bool {
	came := e.body.Find("tool_choice")
	if e.refusesCustom(came) {
		return true
	}
	if isForeignChoice(came) {
		e.notes.Add(kit.ForeignChoice(came, after))
		return true
	}
	return e.hasMember("tool_choice") && len(after) == 0 && (e.caps.ChoiceField == caps.No || e.req.Tools != nil)
}

func (e *requestEncoder) refusesParallel(after []byte) bool {
	return e.hasMember("parallel_tool_calls") && len(after) == 0 && (e.caps.ParallelField == caps.No || e.req.Tools != nil)
}

func (e *requestEncoder) refusesMaxTokens(after []byte) bool {
	return len(after) > 0 && e.caps.MaxTokensKey != "" && !e.hasMember(e.caps.MaxTokensKey)
}

// writeStream writes stream and stream_options. It requests usage if the client did, and always in a request that did
// not come over this API, because the report needs the usage.
func writeStream(e *requestEncoder, p *callwright.Params) {
	if !p.Stream {
		return
	}
	e.Truth("stream", true)
	if (p.StreamUsage || e.body == nil) && e.caps.StreamUsage != caps.No {
		e.Raw("stream_options", []byte(`{"include_usage":true}`))
	}
}

func writeChoice(e *requestEncoder, p *callwright.Params) {
	c := p.Choice
	switch {
	case c.Mode == "":
		return
	case !e.hasTools:
		e.notes.ChoiceWithoutTools(c)
		return
	case e.caps.ChoiceField == caps.No:
		if c.Mode != callwright.ChoiceAuto {
			e.notes.Add(callwright.Note{Rule: "params.tool_choice", Path: "/tool_choice",
				Was: string(c.Mode), Why: "the provider does not support tool_choice"})
		}
		return
	case c.Mode == callwright.ChoiceNamed && len(c.Names) > 0:
		e.Key("tool_choice")
		e.choose(c.Names[0])
	case len(c.Names) > 0 && c.Mode != callwright.ChoiceNone:
		e.Open("tool_choice", '{')
		e.Text("type", "allowed_tools")
		e.Open("allowed_tools", '{')
		e.Text("mode", string(c.Mode))
		e.Open("tools", '[')
		for _, name := range c.Names {
			e.Key("")
			e.choose(name)
		}
		e.Buf = append(e.Buf, "]}}"...)
	default:
		e.Text("tool_choice", string(c.Mode))
	}
}

// choose writes the object that selects a tool: {"type":"function","function":{"name":"f"}}.
func (e *requestEncoder) choose(name string) {
	kind := "function"
	for _, t := range e.declaredTools() {
		if t.Name == name && t.Type == callwright.CustomTool && e.takesCustom() {
			kind = "custom"
		}
	}
	e.Buf = append(e.Buf, '{')
	e.Text("type", kind)
	e.Open(kind, '{')
	e.Text("name", name)
	e.Buf = append(e.Buf, "}}"...)
}

func writeParallel(e *requestEncoder, p *callwright.Params) {
	if p.Parallel != nil && e.hasTools && e.caps.ParallelField != caps.No {
		e.Truth("parallel_tool_calls", *p.Parallel)
	}
}

func writeMaxTokens(e *requestEncoder, p *callwright.Params) {
	if p.MaxTokens != "" {
		e.Raw(e.maxTokensKey(), []byte(p.MaxTokens))
	}
}

// maxTokensKey returns the name of the output-token limit: the name that the provider requires, otherwise the client's,
// otherwise max_tokens, which most servers accept.
func (e *requestEncoder) maxTokensKey() string {
	if e.caps.MaxTokensKey != "" {
		return e.caps.MaxTokensKey
	}
	if e.body != nil {
		if !jsonx.IsNull(e.body.Find("max_completion_tokens")) {
			return "max_completion_tokens"
		}
	}
	return "max_tokens"
}

func writeStop(e *requestEncoder, p *callwright.Params) {
	if len(p.Stop) == 0 {
		return
	}
	e.Open("stop", '[')
	for _, s := range p.Stop {
		e.Text("", s)
	}
	e.Close(']')
}

func writeFormat(e *requestEncoder, p *callwright.Params) {
	f := p.Format
	switch {
	case f == nil:
		return
	case f.Schema == nil:
		e.Raw("response_format", []byte(`{"type":"json_object"}`))
		return
	}
	e.Open("response_format", '{')
	e.Text("type", "json_schema")
	e.Open("json_schema", '{')
	name := f.Name
	if name == "" {
		name = "answer"
	}
	e.Text("name", name)
	e.OptionalText("description", f.Description)
	e.Raw("schema", f.Schema)
	if f.Strict != nil {
		e.Truth("strict", *f.Strict)
	}
	e.Buf = append(e.Buf, "}}"...)
}

// budgets maps reasoning budgets to efforts. below is the highest budget of a row in tokens; higher ones are "high".
var budgets = []struct {
	below  int
	effort string
}{{4096, "low"}, {16384, "medium"}}

func writeThinking(e *requestEncoder, p *callwright.Params) {
	t := p.Thinking
	asObject := own.Member(t.Extra, "reasoning") != nil || own.Member(t.Extra, "thinking") != nil
	switch {
	case t.Effort != "" && !(asObject && effortWithin(t)):
		e.Text("reasoning_effort", t.Effort)
	case asObject, t.Effort != "":
	case t.Off:
		e.Text("reasoning_effort", "none")
	case t.Budget != "":
		effort := "high"
		for i := len(budgets) - 1; i >= 0; i-- {
			if n, err := t.Budget.Int64(); err == nil && n <= int64(budgets[i].below) {
				effort = budgets[i].effort
			}
		}
		e.Text("reasoning_effort", effort)
		e.notes.Add(callwright.Note{Rule: "params.thinking", Path: "/reasoning_effort",
			Was: string(t.Budget), Now: effort, Why: "the wire has reasoning efforts in place of budgets"})
	}
	e.Extra(t.Extra)
	e.notes.OfThinking(t, own)
}

// effortWithin reports whether the effort was received in the object reasoning, which is written back unchanged.
func effortWithin(t callwright.Thinking) bool {
	v, ok := jsonx.Lookup(t.Extra.JSON, "reasoning", "effort")
	return ok && jsonx.TextOf(v) == t.Effort
}
