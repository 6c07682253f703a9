package ollama

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// decodeParams decodes the model and the parameters into req and keeps unknown members in req.Extra.
func (b *body) decodeParams(req *callwright.Request) error {
	p := &req.Params
	p.Stream, p.StreamUsage = true, true // the defaults of the API, which always reports the usage
	rest := newWriter(nil)
	for key, v := range b.Members() {
		var err *callwright.Error
		switch {
		case key.Is("messages"):
		case key.Is("model"):
			if !jsonx.IsText(v) || len(v) == 2 {
				err = kindError("/model", "the name of a model", v)
			}
			req.Model = callwright.ModelID(jsonx.TextOf(v))
		case key.Is("tools"):
			if !jsonx.IsArray(v) && !jsonx.IsNull(v) {
				err = kindError("/tools", "a list of tools", v)
			}
		case jsonx.IsNull(v):
		case key.Is("stream"):
			if jsonx.KindOf(v) != jsonx.Bool {
				err = kindError("/stream", "true or false", v)
			}
			p.Stream = jsonx.IsTrue(v)
		case key.Is("format"):
			p.Format, err = readFormat(v)
		case key.Is("think"):
			p.Thinking, err = readThink(v)
		case key.Is("options"):
			var others callwright.Extra
			others, err = readOptions(p, v)
			if others.JSON != nil {
				rest.Add(key, others.JSON)
			}
		default:
			rest.Add(key, v)
		}
		if err != nil {
			return err
		}
	}
	if req.Model == "" {
		return invalid("/model", "expected the name of a model, got none")
	}
	req.Extra = rest.CloseExtra()
	b.Params, b.extra = *p, req.Extra
	b.Params.Stop = slices.Clone(p.Stop)
	return nil
}

// readFormat decodes the parameter format: "json", a schema, or "", which means none.
func readFormat(v []byte) (*callwright.AnswerFormat, *callwright.Error) {
	switch {
	case jsonx.IsObject(v):
		return &callwright.AnswerFormat{Schema: json.RawMessage(v)}, nil
	case jsonx.TextOf(v) == "json":
		return &callwright.AnswerFormat{}, nil
	case jsonx.IsText(v) && len(v) == 2:
		return nil, nil
	}
	return nil, kindError("/format", `"json" or a schema object`, v)
}

// defaultEffort is the effort for "think":true. Models with several efforts treat true in this way.
const defaultEffort = "medium"

// readThink decodes the parameter think: true, false or an effort. The value is kept in Extra.
func readThink(v []byte) (callwright.Thinking, *callwright.Error) {
	t := callwright.Thinking{}
	switch k := jsonx.KindOf(v); {
	case k == jsonx.Text:
		t.Effort = jsonx.TextOf(v)
	case k == jsonx.Bool && jsonx.IsTrue(v):
		t.Effort = defaultEffort
	case k == jsonx.Bool:
		t.Off = true
	default:
		return t, kindError("/think", "true, false or a level", v)
	}
	w := newWriter(nil)
	w.Open("", '{')
	w.Raw("think", v)
	w.Close('}')
	t.Extra = own.Extra(w.Buf)
	return t, nil
}

// optionNumbers are the members of options that are numbers, with their fields in Params.
var optionNumbers = []struct {
	key string
	at  func(*callwright.Params) *json.Number
}{
	{"num_predict", func(p *callwright.Params) *json.Number { return &p.MaxTokens }},
	{"temperature", func(p *callwright.Params) *json.Number { return &p.Temperature }},
	{"top_p", func(p *callwright.Params) *json.Number { return &p.TopP }},
	{"top_k", func(p *callwright.Params) *json.Number { return &p.TopK }},
	{"presence_penalty", func(p *callwright.Params) *json.Number { return &p.Presence }},
	{"frequency_penalty", func(p *callwright.Params) *json.Number { return &p.Frequency }},
	{"seed", func(p *callwright.Params) *json.Number { return &p.Seed }},
}

// readOptions decodes options into p. others holds its unknown members. A negative num_predict means no limit and is
// kept there.
func readOptions(p *callwright.Params, v []byte) (others callwright.Extra, err *callwright.Error) {
	if !jsonx.IsObject(v) {
		return others, kindError("/options", "an object", v)
	}
	known := make([]string, 0, len(optionNumbers)+1)
	for k, m := range jsonx.Members(v) {
		if k.Is("stop") && !jsonx.IsNull(m) {
			known = append(known, "stop")
			if p.Stop, err = readStop(m); err != nil {
				return others, err
			}
			continue
		}
		for _, o := range optionNumbers {
			switch {
			case !k.Is(o.key) || jsonx.IsNull(m):
				continue
			case jsonx.KindOf(m) != jsonx.Number:
				return others, kindError("/options/"+o.key, "a number", m)
			case o.key == "num_predict" && m[0] == '-':
				continue
			}
			known = append(known, o.key)
			*o.at(p) = json.Number(m)
		}
	}
	return own.ExtraOf(v, known), nil
}

func readStop(v []byte) ([]string, *callwright.Error) {
	if !jsonx.IsArray(v) {
		return nil, kindError("/options/stop", "a list of strings", v)
	}
	out := []string{}
	for s := range jsonx.Elements(v) {
		if !jsonx.IsText(s) {
			return nil, kindError("/options/stop", "a list of strings", s)
		}
		out = append(out, jsonx.TextOf(s))
	}
	return out, nil
}
