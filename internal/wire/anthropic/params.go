package anthropic

import (
	"encoding/json"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// decodeParams decodes the parameters into b.Params and keeps unknown members in b.extra. Of several members with the
// same name the last applies.
func (b *body) decodeParams(r *reader) {
	var rest extras
	b.Params.StreamUsage = true // this API always reports the usage
	for key, v := range b.Members() {
		name := memberName(jsonx.TextBytes(key))
		switch name {
		case "model", "messages", "system":
		case "tools":
			b.toolList = r.list("/tools", v)
		default:
			if !readParam(r, &b.Params, name, v) {
				rest.add([]byte(name), v)
			}
		}
	}
	b.extra = rest.extra()
}

// readParam decodes the top-level member name into p. It returns false if the member must be kept in Extra, because it
// is unknown, null, or has unknown members of its own.
func readParam(r *reader, p *callwright.Params, name string, v []byte) bool {
	if jsonx.KindOf(v) == jsonx.Null {
		return false
	}
	switch name {
	case "stream":
		p.Stream = r.boolean("/stream", v)
	case "max_tokens":
		p.MaxTokens = r.number("/max_tokens", v)
	case "temperature":
		p.Temperature = r.number("/temperature", v)
	case "top_p":
		p.TopP = r.number("/top_p", v)
	case "top_k":
		p.TopK = r.number("/top_k", v)
	case "stop_sequences":
		p.Stop = r.texts("/stop_sequences", v)
	case "metadata":
		return r.metadata(p, v)
	case "thinking":
		r.thinking(p, v)
	case "output_config":
		return r.outputConfig(p, v)
	case "output_format":
		p.Format, _ = r.format("/output_format", v)
		return false
	case "tool_choice":
		return r.choice(p, v)
	default:
		return false
	}
	return true
}

func (r *reader) boolean(path string, v []byte) bool {
	if jsonx.KindOf(v) != jsonx.Bool {
		r.fail(path, "a boolean", v)
	}
	return v[0] == 't'
}

func (r *reader) number(path string, v []byte) json.Number {
	if jsonx.KindOf(v) != jsonx.Number {
		r.fail(path, "a number", v)
		return ""
	}
	return json.Number(v)
}

func (r *reader) string(path string, v []byte) string {
	if jsonx.KindOf(v) != jsonx.Text {
		r.fail(path, "a string", v)
		return ""
	}
	return jsonx.TextOf(v)
}

func (r *reader) list(path string, v []byte) []byte {
	switch jsonx.KindOf(v) {
	case jsonx.Array:
		return v
	case jsonx.Null:
	default:
		r.fail(path, "a list", v)
	}
	return nil
}

func (r *reader) object(path string, v []byte) bool {
	if jsonx.KindOf(v) == jsonx.Object {
		return true
	}
	r.fail(path, "an object", v)
	return false
}

func (r *reader) texts(path string, v []byte) []string {
	texts := []string{}
	for e := range jsonx.Elements(r.list(path, v)) {
		texts = append(texts, r.string(fmt.Sprintf("%s/%d", path, len(texts)), e))
	}
	return texts
}

func (r *reader) metadata(p *callwright.Params, v []byte) (whole bool) {
	if !r.object("/metadata", v) {
		return true
	}
	whole = true
	for k, m := range jsonx.Members(v) {
		if k.Is("user_id") && jsonx.KindOf(m) == jsonx.Text {
			p.User = jsonx.TextOf(m)
			continue
		}
		whole = false
	}
	return whole && p.User != ""
}

// thinking decodes the parameter thinking. It keeps the whole object in Extra, because Thinking can represent only the
// types enabled and disabled.
func (r *reader) thinking(p *callwright.Params, v []byte) {
	if !r.object("/thinking", v) {
		return
	}
	p.Thinking.Off, p.Thinking.Budget = thinkingOf(v)
	p.Thinking.Extra = own.Extra(v)
}

func thinkingOf(v []byte) (off bool, budget json.Number) {
	if n, ok := jsonx.Find(v, "budget_tokens"); ok && jsonx.KindOf(n) == jsonx.Number {
		budget = json.Number(n)
	}
	kind, _ := jsonx.Find(v, "type")
	return string(jsonx.TextBytes(kind)) == "disabled", budget
}

func (r *reader) outputConfig(p *callwright.Params, v []byte) (whole bool) {
	if !r.object("/output_config", v) {
		return true
	}
	whole, p.Thinking.Effort, p.Format = true, "", nil
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("effort") && jsonx.KindOf(m) == jsonx.Text:
			p.Thinking.Effort, p.Thinking.Extra.Wire = jsonx.TextOf(m), callwright.WireAnthropic
		case k.Is("format") && jsonx.KindOf(m) == jsonx.Object:
			format, complete := r.format("/output_config/format", m)
			p.Format, whole = format, whole && complete
		default:
			whole = false
		}
	}
	return whole && (p.Thinking.Effort != "" || p.Format != nil)
}

// format decodes {"type":"json_schema","schema":...}. complete is false if the object has further members or another
// type.
func (r *reader) format(path string, v []byte) (f *callwright.AnswerFormat, complete bool) {
	if !r.object(path, v) {
		return nil, true
	}
	kind, _ := jsonx.Find(v, "type")
	schema, _ := jsonx.Find(v, "schema")
	if string(jsonx.TextBytes(kind)) != "json_schema" || schema == nil {
		return nil, false
	}
	complete = true
	for k := range jsonx.Members(v) {
		complete = complete && (k.Is("type") || k.Is("schema"))
	}
	return &callwright.AnswerFormat{Schema: schema}, complete
}

// choiceModes maps the types of tool_choice to modes.
var choiceModes = []struct {
	name string
	mode callwright.ChoiceMode
}{
	{"auto", callwright.ChoiceAuto}, {"any", callwright.ChoiceRequired}, {"tool", callwright.ChoiceNamed}, {"none", callwright.ChoiceNone},
}

func (r *reader) choice(p *callwright.Params, v []byte) (whole bool) {
	if !r.object("/tool_choice", v) {
		return true
	}
	whole, p.Choice, p.Parallel = true, callwright.Choice{}, nil
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("type"):
			name := jsonx.TextBytes(m)
			for _, c := range choiceModes {
				if string(name) == c.name {
					p.Choice.Mode = c.mode
				}
			}
		case k.Is("name"):
			p.Choice.Names = []string{r.string("/tool_choice/name", m)}
		case k.Is("disable_parallel_tool_use") && jsonx.KindOf(m) == jsonx.Bool:
			parallel := m[0] == 'f'
			p.Parallel = &parallel
		default:
			whole = false
		}
	}
	if kind, _ := jsonx.Find(v, "type"); p.Choice.Mode == "" && jsonx.KindOf(kind) > jsonx.Null {
		r.fail("/tool_choice/type", "auto, any, tool or none", kind)
	}
	if p.Choice.Mode == callwright.ChoiceNamed && len(p.Choice.Names) == 0 {
		r.fail("/tool_choice/name", "a string", nil)
	}
	return whole
}
