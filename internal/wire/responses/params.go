package responses

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// reader decodes the value v of one parameter into p. rest is the JSON to keep in the Extra of the request, nil for
// none. want is "" on success, otherwise a description of the expected type for the error message.
type reader func(p *callwright.Params, v []byte) (rest []byte, want string)

// readers has one decoder for each request parameter, by its JSON name. A null value counts as absent.
var readers = []struct {
	key  string
	read reader
}{
	{"stream", truth(func(p *callwright.Params, b bool) { p.Stream = b })},
	{"tool_choice", readChoice},
	{"parallel_tool_calls", truth(func(p *callwright.Params, b bool) { p.Parallel = &b })},
	{"max_output_tokens", number(func(p *callwright.Params) *json.Number { return &p.MaxTokens })},
	{"temperature", number(func(p *callwright.Params) *json.Number { return &p.Temperature })},
	{"top_p", number(func(p *callwright.Params) *json.Number { return &p.TopP })},
	{"text", readText},
	{"reasoning", readReasoning},
	{"user", readUser},
}

// decodeParams decodes the model and the parameters into req and keeps unknown members in req.Extra.
func (b *body) decodeParams(req *callwright.Request) error {
	extra := newWriter(nil)
	for key, v := range b.Members() {
		switch {
		case key.Is("input"), key.Is("instructions") && (b.Apart || jsonx.IsNull(v)):
			continue
		case key.Is("model"):
			if !jsonx.IsText(v) || len(v) == 2 {
				return kindError("/model", "the name of a model", v)
			}
			req.Model = callwright.ModelID(jsonx.TextOf(v))
			continue
		case key.Is("tools"):
			if !jsonx.IsArray(v) && !jsonx.IsNull(v) {
				return kindError("/tools", "a list of tools", v)
			}
			continue
		case key.Is("store"):
			b.providerKeeps = jsonx.KindOf(v) != jsonx.Bool || jsonx.IsTrue(v)
		}
		rest, err := readMember(&req.Params, key, v)
		if err != nil {
			return err
		}
		if rest != nil {
			extra.Add(key, rest)
		}
	}
	if req.Model == "" {
		return invalid("/model", "expected the name of a model, got none")
	}
	req.Extra = extra.CloseExtra()
	b.Params = req.Params
	b.Params.Choice.Names = slices.Clone(req.Params.Choice.Names)
	return nil
}

// readMember decodes the top-level member key. rest is the JSON to keep in the Extra of the request, nil for none.
func readMember(p *callwright.Params, key jsonx.Key, v []byte) (rest []byte, err error) {
	for _, r := range readers {
		if !key.Is(r.key) {
			continue
		}
		if jsonx.IsNull(v) {
			return nil, nil
		}
		rest, want := r.read(p, v)
		if want != "" {
			return nil, kindError("/"+r.key, want, v)
		}
		return rest, nil
	}
	return v, nil
}

func truth(set func(*callwright.Params, bool)) reader {
	return func(p *callwright.Params, v []byte) ([]byte, string) {
		if jsonx.KindOf(v) != jsonx.Bool {
			return nil, "true or false"
		}
		set(p, jsonx.IsTrue(v))
		return nil, ""
	}
}

func number(at func(*callwright.Params) *json.Number) reader {
	return func(p *callwright.Params, v []byte) ([]byte, string) {
		if jsonx.KindOf(v) != jsonx.Number {
			return nil, "a number"
		}
		*at(p) = json.Number(v)
		return nil, ""
	}
}

func readUser(p *callwright.Params, v []byte) ([]byte, string) {
	if !jsonx.IsText(v) {
		return nil, "a string"
	}
	p.User = jsonx.TextOf(v)
	return nil, ""
}

// readChoice decodes tool_choice, also in the syntax of other APIs. The choice of a hosted tool is kept as JSON.
func readChoice(p *callwright.Params, v []byte) ([]byte, string) {
	if !jsonx.IsText(v) && !jsonx.IsObject(v) {
		return nil, "auto, none, required or an object that names a tool"
	}
	c, ok := ownChoice(v)
	if !ok {
		if c, ok = foreignChoice(v); !ok {
			return v, ""
		}
	}
	p.Choice = c
	return nil, ""
}

// isForeignChoice reports whether readChoice accepts the tool_choice v although it has the syntax of another API.
func isForeignChoice(v []byte) bool {
	_, own := ownChoice(v)
	_, foreign := foreignChoice(v)
	return foreign && !own
}

// foreignChoice decodes a tool_choice in the syntax of another API, such as "any". ok is false if it is in none.
func foreignChoice(v []byte) (c callwright.Choice, ok bool) {
	if kit.IsAllowedTools(v) {
		return kit.ReadAllowedTools(v, kit.ChosenName)
	}
	return kit.ReadChoice(v)
}

// ownChoice decodes a tool_choice in the syntax of this API. ok is false for other syntax and for a hosted tool.
func ownChoice(v []byte) (c callwright.Choice, ok bool) {
	if kit.IsAllowedTools(v) {
		return kit.ReadAllowedTools(v, readChoiceName)
	}
	word := jsonx.TextOf(v)
	if c.Mode, ok = kit.ChoiceModes[word]; ok {
		return c, word != "any"
	}
	name := readChoiceName(v)
	return callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{name}}, name != ""
}

// readChoiceName returns the callwright name of the tool that {"type":...,"name":...} selects, "" for a hosted tool.
func readChoiceName(v []byte) string {
	kind, name := kit.TextAt(v, "type"), kit.TextAt(v, "name")
	if f := items.FormByTool(kind); f != nil {
		return f.Tool
	}
	if ns := kit.TextAt(v, "namespace"); ns != "" && name != "" {
		return items.JoinedName(ns, name)
	}
	if kind != "function" && kind != "custom" {
		return ""
	}
	return name
}

// formatKeys are the members of text.format that are decoded.
var formatKeys = []string{"type", "name", "description", "schema", "strict"}

// readText decodes the response format in the parameter text. rest holds its other members, such as verbosity.
func readText(p *callwright.Params, v []byte) ([]byte, string) {
	if !jsonx.IsObject(v) {
		return nil, "an object"
	}
	in, _ := jsonx.Find(v, "format")
	switch kit.TextAt(in, "type") {
	case "json_object":
		p.Format = &callwright.AnswerFormat{}
	case "json_schema":
		f := &callwright.AnswerFormat{}
		for k, m := range jsonx.Members(in) {
			switch {
			case k.Is("name"):
				f.Name = jsonx.TextOf(m)
			case k.Is("description"):
				f.Description = jsonx.TextOf(m)
			case k.Is("schema") && !jsonx.IsNull(m):
				f.Schema = json.RawMessage(m)
			case k.Is("strict") && !jsonx.IsNull(m):
				strict := jsonx.IsTrue(m)
				f.Strict = &strict
			}
		}
		if f.Schema == nil {
			return v, ""
		}
		p.Format = f
	default:
		return v, ""
	}
	rest := own.ExtraOf(v, []string{"format"})
	if beside := own.ExtraOf(in, formatKeys); beside.JSON != nil {
		rest = own.Keep(rest, "format", beside.JSON)
	}
	if rest.JSON == nil {
		return nil, ""
	}
	return rest.JSON, ""
}

// readReasoning decodes the effort in the parameter reasoning and keeps the whole object in Thinking.Extra.
func readReasoning(p *callwright.Params, v []byte) ([]byte, string) {
	if !jsonx.IsObject(v) {
		return nil, "an object"
	}
	p.Thinking.Effort = kit.TextAt(v, "effort")
	p.Thinking.Off = p.Thinking.Effort == "none"
	p.Thinking.Extra = own.Keep(callwright.Extra{}, "reasoning", v)
	return nil, ""
}
