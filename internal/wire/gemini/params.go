package gemini

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// decodeParams decodes the parameters into req and keeps unknown members in req.Extra.
func (b *body) decodeParams(req *callwright.Request) error {
	rest := newWriter(nil)
	others := func(key string, x callwright.Extra) {
		if x.JSON != nil {
			rest.Add(jsonx.AppendQuote(nil, key), x.JSON)
		}
	}
	for key, v := range b.Members() {
		var err *callwright.Error
		var x callwright.Extra
		switch {
		case key.Is("contents"), key.Is("model"), systemInstruction.is(key):
		case key.Is("tools"):
			if !canBeList(v) {
				err = kindError("/tools", "a list of tools", v)
			}
		case jsonx.IsNull(v):
		case toolConfig.is(key):
			req.Params.Choice, x, err = readToolConfig(v)
			others(toolConfig.camel, x)
		case generationConfig.is(key):
			x, err = readGeneration(&req.Params, v)
			others(generationConfig.camel, x)
		default:
			rest.Add(key, v)
		}
		if err != nil {
			return err
		}
	}
	req.Extra = rest.CloseExtra()
	b.Params, b.extra = req.Params, req.Extra
	b.Params.Stop = slices.Clone(req.Params.Stop)
	b.Params.Choice.Names = slices.Clone(req.Params.Choice.Names)
	return nil
}

// The modes of functionCallingConfig. VALIDATED is AUTO with enforced schemas. Like ANY, it can restrict the functions.
const (
	modeAuto      = "AUTO"
	modeAny       = "ANY"
	modeNone      = "NONE"
	modeValidated = "VALIDATED"
)

var modes = map[string]callwright.ChoiceMode{
	modeAuto: callwright.ChoiceAuto, modeAny: callwright.ChoiceRequired, modeNone: callwright.ChoiceNone, modeValidated: callwright.ChoiceAuto,
	"MODE_UNSPECIFIED": "",
}

// readToolConfig decodes toolConfig. others holds its unknown members, and the mode if Choice cannot represent it.
func readToolConfig(v []byte) (c callwright.Choice, others callwright.Extra, err *callwright.Error) {
	path := "/" + toolConfig.camel
	if !jsonx.IsObject(v) {
		return c, others, kindError(path, "an object", v)
	}
	in := functionCallingConfig.in(v)
	known := append([]string{"mode"}, spellings(allowedFunctionNames)...)
	path += "/" + functionCallingConfig.camel
	if !jsonx.IsObject(in) && !jsonx.IsNull(in) {
		return c, others, kindError(path, "an object", in)
	}
	if mode := plain("mode").in(in); !jsonx.IsNull(mode) && jsonx.TextOf(mode) != "" {
		word := strings.ToUpper(jsonx.TextOf(mode))
		was := modes[word] // "" for an unknown mode
		if c.Mode = was; word == modeValidated || was == "" {
			known = known[1:]
		}
	}
	if names := allowedFunctionNames.in(in); !jsonx.IsNull(names) {
		if c.Names, err = readTexts(names, path+"/"+allowedFunctionNames.camel); err != nil {
			return c, others, err
		}
	}
	if c.Mode == callwright.ChoiceRequired && len(c.Names) == 1 {
		c.Mode = callwright.ChoiceNamed
	}
	return c, unknownMembers(v, functionCallingConfig, known), nil
}

// unknownMembers returns the members of the JSON object v. Of the member with the name passed as in, an object, it
// keeps only the members that are not in known. It drops that member if none is left.
func unknownMembers(v []byte, in name, known []string) callwright.Extra {
	x := own.ExtraOf(v, spellings(in))
	if inner := own.ExtraOf(in.in(v), known); inner.JSON != nil {
		x = own.Keep(x, in.camel, inner.JSON)
	}
	return x
}

func readTexts(v []byte, path string) ([]string, *callwright.Error) {
	if !jsonx.IsArray(v) && !jsonx.IsText(v) {
		return nil, kindError(path, "a list of strings", v)
	}
	out := []string{}
	for s := range elements(v) {
		if !jsonx.IsText(s) {
			return nil, kindError(path, "a list of strings", s)
		}
		out = append(out, jsonx.TextOf(s))
	}
	return out, nil
}

// numbers are the members of generationConfig that are numbers, with their fields in Params.
var numbers = []struct {
	name
	at func(*callwright.Params) *json.Number
}{
	{maxOutputTokens, func(p *callwright.Params) *json.Number { return &p.MaxTokens }},
	{plain("temperature"), func(p *callwright.Params) *json.Number { return &p.Temperature }},
	{topP, func(p *callwright.Params) *json.Number { return &p.TopP }},
	{topK, func(p *callwright.Params) *json.Number { return &p.TopK }},
	{presencePenalty, func(p *callwright.Params) *json.Number { return &p.Presence }},
	{frequencyPenalty, func(p *callwright.Params) *json.Number { return &p.Frequency }},
	{plain("seed"), func(p *callwright.Params) *json.Number { return &p.Seed }},
}

// readGeneration decodes generationConfig into p. others holds its unknown members.
func readGeneration(p *callwright.Params, v []byte) (others callwright.Extra, err *callwright.Error) {
	path := "/" + generationConfig.camel
	if !jsonx.IsObject(v) {
		return others, kindError(path, "an object", v)
	}
	var known []string
	for k, m := range jsonx.Members(v) {
		if jsonx.IsNull(m) {
			continue
		}
		for _, n := range numbers {
			if !n.is(k) {
				continue
			}
			number, ok := numberOf(m)
			if !ok {
				return others, kindError(path+"/"+n.camel, "a number", m)
			}
			known = append(known, n.camel, n.snake)
			*n.at(p) = number
		}
		switch {
		case stopSequences.is(k):
			p.Stop, err = readTexts(m, path+"/"+stopSequences.camel)
			known = append(known, spellings(stopSequences)...)
		case thinkingConfig.is(k):
			p.Thinking, err = readThinking(m, path+"/"+thinkingConfig.camel)
			known = append(known, spellings(thinkingConfig)...)
		}
		if err != nil {
			return others, err
		}
	}
	format, used, err := readFormat(v, path)
	if err != nil {
		return others, err
	}
	p.Format = format
	return own.ExtraOf(v, append(known, used...)), nil
}

// jsonType is the media type of JSON. A responseMimeType with another value is kept in Extra.
const jsonType = "application/json"

// readFormat decodes responseMimeType, responseJsonSchema and responseSchema. used are the names of the members that
// need not be kept in Extra. responseSchema is kept, because it is an OpenAPI schema and f has its translation.
func readFormat(v []byte, path string) (f *callwright.AnswerFormat, used []string, err *callwright.Error) {
	if jsonx.TextOf(responseMimeType.in(v)) != jsonType {
		return nil, nil, nil
	}
	f, used = &callwright.AnswerFormat{}, spellings(responseMimeType)
	for _, n := range []name{responseJSONSchema, responseSchema} {
		m := n.in(v)
		switch {
		case jsonx.IsNull(m) || f.Schema != nil:
			continue
		case !jsonx.IsObject(m):
			return nil, nil, kindError(path+"/"+n.camel, "a schema object", m)
		case n == responseJSONSchema:
			used = append(used, spellings(n)...)
		}
		f.Schema, _ = jsonSchema(m)
	}
	return f, used, nil
}

// readThinking decodes thinkingConfig and keeps it in Extra. A negative budget means that the model decides.
func readThinking(v []byte, path string) (callwright.Thinking, *callwright.Error) {
	t := callwright.Thinking{}
	if !jsonx.IsObject(v) {
		return t, kindError(path, "an object", v)
	}
	budget, level := thinkingBudget.in(v), thinkingLevel.in(v)
	n, counted := numberOf(budget)
	switch {
	case !jsonx.IsNull(budget) && !counted:
		return t, kindError(path+"/"+thinkingBudget.camel, "a number", budget)
	case !jsonx.IsNull(level) && !jsonx.IsText(level):
		return t, kindError(path+"/"+thinkingLevel.camel, "a level", level)
	}
	t.Effort = strings.ToLower(jsonx.TextOf(level))
	if strings.HasSuffix(t.Effort, "unspecified") {
		t.Effort = ""
	}
	switch {
	case n == "0":
		t.Off = true
	case counted && n[0] != '-':
		t.Budget = n
	}
	t.Extra = own.Keep(callwright.Extra{}, thinkingConfig.camel, v)
	return t, nil
}
