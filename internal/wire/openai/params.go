package openai

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// reader decodes the value v of one parameter into p. It returns "" on success, keepRaw for a value to be forwarded
// unchanged, and otherwise a description of the expected type for the error message.
type reader func(p *callwright.Params, v []byte) (want string)

// keepRaw is the result of a reader for a value that it does not understand. The value is kept in the Extra of the
// request and forwarded unchanged.
const keepRaw = "as it is"

// readers has one decoder for each request parameter, by its JSON name. A null value counts as absent.
var readers = []struct {
	key  string
	read reader
}{
	{"stream", truth(func(p *callwright.Params, b bool) { p.Stream = b })},
	{"stream_options", readStreamOptions},
	{"tool_choice", readChoice},
	{"function_call", readLegacyChoice},
	{"parallel_tool_calls", truth(func(p *callwright.Params, b bool) { p.Parallel = &b })},
	{"max_completion_tokens", number(func(p *callwright.Params) *json.Number { return &p.MaxTokens })},
	{"max_tokens", readMaxTokens},
	{"temperature", number(func(p *callwright.Params) *json.Number { return &p.Temperature })},
	{"top_p", number(func(p *callwright.Params) *json.Number { return &p.TopP })},
	{"top_k", number(func(p *callwright.Params) *json.Number { return &p.TopK })},
	{"presence_penalty", number(func(p *callwright.Params) *json.Number { return &p.Presence })},
	{"frequency_penalty", number(func(p *callwright.Params) *json.Number { return &p.Frequency })},
	{"seed", number(func(p *callwright.Params) *json.Number { return &p.Seed })},
	{"stop", readStop},
	{"response_format", readFormat},
	{"reasoning_effort", readEffort},
	{"reasoning", readReasoning},
	{"thinking", readThinking},
	{"user", readUser},
}

// decodeParams decodes the model and the parameters into req and keeps unknown members in req.Extra.
func (b *body) decodeParams(req *callwright.Request) error {
	extra := newWriter(nil)
	for key, v := range b.Members() {
		switch {
		case key.Is("messages"):
			continue
		case key.Is("model"):
			if !jsonx.IsText(v) || len(v) == 2 {
				return kindError("/model", "the name of a model", v)
			}
			req.Model = callwright.ModelID(jsonx.TextOf(v))
			continue
		case key.Is("tools"), key.Is("functions"):
			if !jsonx.IsArray(v) && !jsonx.IsNull(v) {
				return kindError("/"+key.String(), "a list of tools", v)
			}
			continue
		}
		known := false
		for _, r := range readers {
			if !key.Is(r.key) {
				continue
			}
			known = true
			if !jsonx.IsNull(v) {
				switch want := r.read(&req.Params, v); want {
				case "":
				case keepRaw:
					known = false
				default:
					return kindError("/"+r.key, want, v)
				}
			}
			break
		}
		if !known {
			extra.Add(key, v)
		}
	}
	if req.Model == "" {
		return invalid("/model", "expected the name of a model, got none")
	}
	req.Extra = extra.CloseExtra()
	b.Params = req.Params
	b.Params.Stop = slices.Clone(req.Params.Stop)
	b.Params.Choice.Names = slices.Clone(req.Params.Choice.Names)
	return nil
}

func truth(set func(*callwright.Params, bool)) reader {
	return func(p *callwright.Params, v []byte) string {
		if k := jsonx.KindOf(v); k != jsonx.Bool {
			return "true or false"
		}
		set(p, jsonx.IsTrue(v))
		return ""
	}
}

func number(at func(*callwright.Params) *json.Number) reader {
	return func(p *callwright.Params, v []byte) string {
		if jsonx.KindOf(v) != jsonx.Number {
			return "a number"
		}
		*at(p) = json.Number(v)
		return ""
	}
}

// readMaxTokens decodes max_tokens, the deprecated name of max_completion_tokens. If both are present,
// max_completion_tokens wins.
func readMaxTokens(p *callwright.Params, v []byte) string {
	if jsonx.KindOf(v) != jsonx.Number {
		return "a number"
	}
	if p.MaxTokens == "" {
		p.MaxTokens = json.Number(v)
	}
	return ""
}

func readStreamOptions(p *callwright.Params, v []byte) string {
	if !jsonx.IsObject(v) {
		return "an object"
	}
	usage, _ := jsonx.Find(v, "include_usage")
	p.StreamUsage = jsonx.IsTrue(usage)
	return ""
}

func readChoice(p *callwright.Params, v []byte) string {
	if !jsonx.IsText(v) && !jsonx.IsObject(v) {
		return "auto, none, required or an object that names a tool"
	}
	c, ok := kit.ReadChoice(v)
	if kit.IsAllowedTools(v) {
		c, ok = kit.ReadAllowedTools(v, kit.ChosenName)
	}
	if !ok {
		return keepRaw
	}
	p.Choice = c
	return ""
}

// isForeignChoice reports whether readChoice accepts the tool_choice v although it has the syntax of another API: "any"
// (Mistral), {"type":"tool","name":"f"} (Anthropic), or {"type":"function","name":"f"} (Responses).
func isForeignChoice(v []byte) bool {
	if jsonx.IsText(v) {
		return jsonx.TextOf(v) == "any"
	}
	var p callwright.Params
	if v == nil || readChoice(&p, v) != "" {
		return false
	}
	kind, _ := jsonx.Find(v, "type")
	_, nested := jsonx.Find(v, jsonx.TextOf(kind))
	return !nested
}

// readLegacyChoice decodes function_call, the deprecated form of tool_choice: a mode, or {"name":"f"}.
func readLegacyChoice(p *callwright.Params, v []byte) string {
	if jsonx.IsText(v) {
		mode, ok := kit.ChoiceModes[jsonx.TextOf(v)]
		if !ok {
			return keepRaw
		}
		p.Choice.Mode = mode
		return ""
	}
	name, _ := jsonx.Find(v, "name")
	if !jsonx.IsObject(v) {
		return "auto, none or an object that names a function"
	}
	if jsonx.TextOf(name) == "" {
		return keepRaw
	}
	p.Choice = callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{jsonx.TextOf(name)}}
	return ""
}

func readStop(p *callwright.Params, v []byte) string {
	p.Stop = nil
	if jsonx.IsText(v) {
		p.Stop = []string{jsonx.TextOf(v)}
		return ""
	}
	if !jsonx.IsArray(v) {
		return "a string or a list of strings"
	}
	for s := range jsonx.Elements(v) {
		if !jsonx.IsText(s) {
			return "a string or a list of strings"
		}
		p.Stop = append(p.Stop, jsonx.TextOf(s))
	}
	return ""
}

func readFormat(p *callwright.Params, v []byte) string {
	kind, _ := jsonx.Find(v, "type")
	switch jsonx.TextOf(kind) {
	case "text":
	case "json_object":
		p.Format = &callwright.AnswerFormat{}
	case "json_schema":
		f := &callwright.AnswerFormat{}
		in, _ := jsonx.Find(v, "json_schema")
		for k, v := range jsonx.Members(in) {
			switch {
			case k.Is("name"):
				f.Name = jsonx.TextOf(v)
			case k.Is("description"):
				f.Description = jsonx.TextOf(v)
			case k.Is("schema") && !jsonx.IsNull(v):
				f.Schema = json.RawMessage(v)
			case k.Is("strict") && !jsonx.IsNull(v):
				strict := jsonx.IsTrue(v)
				f.Strict = &strict
			}
		}
		if f.Schema == nil {
			return keepRaw
		}
		p.Format = f
	default:
		if !jsonx.IsObject(v) {
			return "an object with the type text, json_object or json_schema"
		}
		return keepRaw
	}
	return ""
}

func readEffort(p *callwright.Params, v []byte) string {
	if !jsonx.IsText(v) {
		return "a string"
	}
	p.Thinking.Effort = jsonx.TextOf(v)
	p.Thinking.Off = p.Thinking.Effort == "none"
	return ""
}

// readReasoning decodes OpenRouter's parameter reasoning, an object such as {"effort":"high","max_tokens":2000}.
func readReasoning(p *callwright.Params, v []byte) string {
	if !jsonx.IsObject(v) {
		return "an object"
	}
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("effort") && jsonx.IsText(m):
			readEffort(p, m)
		case k.Is("max_tokens") && jsonx.KindOf(m) == jsonx.Number:
			p.Thinking.Budget = json.Number(m)
		case k.Is("enabled") && bytes.Equal(m, []byte("false")):
			p.Thinking.Off = true
		}
	}
	p.Thinking.Extra = own.Keep(p.Thinking.Extra, "reasoning", v)
	return ""
}

// readThinking decodes the parameter thinking of DeepSeek, GLM and Kimi, such as {"type":"disabled"}. It accepts every
// value, so it always returns "" (success).
func readThinking(p *callwright.Params, v []byte) string {
	if kind, ok := jsonx.Find(v, "type"); ok && jsonx.TextOf(kind) == "disabled" {
		p.Thinking.Off = true
	}
	p.Thinking.Extra = own.Keep(p.Thinking.Extra, "thinking", v)
	return ""
}

func readUser(p *callwright.Params, v []byte) string {
	if !jsonx.IsText(v) {
		return "a string"
	}
	p.User = jsonx.TextOf(v)
	return ""
}
