package gemini

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// setting is a parameter in generationConfig. same reports whether two Params have equal values of it. value encodes
// it, or returns nil to leave it out.
type setting struct {
	name
	same  func(a, b *callwright.Params) bool
	value func(*requestEncoder, *callwright.Params) []byte
}

// settings are the parameters of generationConfig.
var settings = []setting{
	number(0), number(1), number(2), number(3), number(4), number(5), number(6),
	{stopSequences, func(a, b *callwright.Params) bool { return slices.Equal(a.Stop, b.Stop) }, (*requestEncoder).stop},
	{responseMimeType, sameFormat, (*requestEncoder).format},
	{responseSchema, sameFormat, (*requestEncoder).openSchema},
	{responseJSONSchema, sameFormat, (*requestEncoder).schema},
	{thinkingConfig, sameThinking, (*requestEncoder).thinking},
}

func number(i int) setting {
	n := numbers[i]
	return setting{n.name,
		func(a, b *callwright.Params) bool { return *n.at(a) == *n.at(b) },
		func(e *requestEncoder, p *callwright.Params) []byte { return e.number(n.camel, *n.at(p)) }}
}

func sameFormat(a, b *callwright.Params) bool {
	x, y := a.Format, b.Format
	return x == y || x != nil && y != nil && string(x.Schema) == string(y.Schema)
}

func sameThinking(a, b *callwright.Params) bool {
	x, y := a.Thinking, b.Thinking
	return x.Effort == y.Effort && x.Budget == y.Budget && x.Off == y.Off && string(x.Extra.JSON) == string(y.Extra.JSON)
}

func sameChoice(a, b callwright.Choice) bool {
	return a.Mode == b.Mode && slices.Equal(a.Names, b.Names)
}

// number returns a JSON number unchanged, nil for "". Any other string is an error, because it would make the body
// invalid.
func (e *requestEncoder) number(key string, n json.Number) []byte {
	if n == "" {
		return nil
	}
	v := []byte(n)
	if jsonx.KindOf(v) != jsonx.Number || jsonx.Valid(v) != nil {
		e.fail(&callwright.Error{Op: opEncode, Kind: callwright.KindInvalid, Path: "/" + generationConfig.camel + "/" + key,
			Message: "expected a number, got " + strconv.Quote(callwright.Excerpt(string(n)))})
		return nil
	}
	return v
}

func texts(list []string) []byte {
	if len(list) == 0 {
		return nil
	}
	w := newWriter(nil)
	w.Open("", '[')
	for _, s := range list {
		w.Text("", s)
	}
	w.Close(']')
	return w.Buf
}

func (e *requestEncoder) stop(p *callwright.Params) []byte { return texts(p.Stop) }

func (e *requestEncoder) format(p *callwright.Params) []byte {
	if p.Format == nil {
		return nil
	}
	return []byte(`"` + jsonType + `"`)
}

// openSchema returns the client's responseSchema, which is an OpenAPI schema, if it is equivalent to p.Format.Schema.
// Otherwise it returns nil.
func (e *requestEncoder) openSchema(p *callwright.Params) []byte {
	if p.Format == nil || p.Format.Schema == nil {
		return nil
	}
	came := responseSchema.in(own.Member(e.req.Extra, generationConfig.camel))
	if now, _ := jsonSchema(came); came == nil || !bytes.Equal(now, p.Format.Schema) {
		return nil
	}
	return came
}

func (e *requestEncoder) schema(p *callwright.Params) []byte {
	if p.Format == nil || e.openSchema(p) != nil {
		return nil
	}
	return p.Format.Schema
}

// levels maps efforts to thinking levels. No level turns thinking off, so that "none" is the lowest one.
var levels = map[string]string{"minimal": "MINIMAL", "none": "MINIMAL", "low": "LOW", "medium": "MEDIUM", "high": "HIGH",
	"xhigh": "HIGH", "max": "HIGH"}

// budgets maps efforts to thinking budgets in tokens, for models that have no levels.
// https://ai.google.dev/gemini-api/docs/openai#thinking
var budgets = map[string]string{"none": "0", "minimal": "1024", "low": "1024", "medium": "8192", "high": "24576",
	"xhigh": "24576", "max": "24576"}

// thinking encodes thinkingConfig. It returns the client's value if that still means the same. A new value requests
// thought summaries, because other APIs return reasoning by default.
func (e *requestEncoder) thinking(p *callwright.Params) []byte {
	t := p.Thinking
	if came := own.Member(t.Extra, thinkingConfig.camel); came != nil {
		if was, err := readThinking(came, ""); err == nil && was.Effort == t.Effort && was.Off == t.Off && was.Budget == t.Budget {
			return came
		}
	}
	effort := t.Effort
	if t.Off {
		effort = "none"
	}
	w := newWriter(nil)
	w.Open("", '{')
	switch {
	case effort == "" && t.Budget == "" && !kit.AsksThinking(t):
		return nil
	case effort == "" && t.Budget == "" && e.caps.ThinkingBudget == caps.Yes:
		w.Raw(thinkingBudget.camel, []byte("-1")) // the model decides
	case effort == "" && t.Budget == "":
	case effort == "":
		w.Raw(thinkingBudget.camel, e.number(thinkingConfig.camel, t.Budget))
	case e.caps.ThinkingBudget == caps.Yes:
		budget, ok := budgets[effort]
		if !ok {
			budget = "-1"
		}
		e.noteThinking(effort, budget, "the model has budgets in place of levels")
		w.Raw(thinkingBudget.camel, []byte(budget))
	default:
		level, ok := levels[effort]
		if !ok {
			level = strings.ToUpper(effort)
		}
		if !strings.EqualFold(level, effort) {
			e.noteThinking(effort, level, "the nearest level there is")
		}
		w.Text(thinkingLevel.camel, level)
	}
	if effort != "none" {
		w.Truth(includeThoughts.camel, true)
	}
	w.Close('}')
	return w.Buf
}

func (e *requestEncoder) noteThinking(was, now, why string) {
	e.notes.Add(callwright.Note{Rule: "params.thinking", Path: "/" + generationConfig.camel + "/" + thinkingConfig.camel,
		Was: was, Now: now, Why: why})
}

// calling returns the mode and the allowed function names (a JSON list) for the tool choice, "" and nil if there is
// none.
func (e *requestEncoder) calling() (mode string, names []byte) {
	c := e.req.Params.Choice
	came := strings.ToUpper(jsonx.TextOf(plain("mode").in(functionCallingConfig.in(own.Member(e.req.Extra, toolConfig.camel)))))
	switch c.Mode {
	case callwright.ChoiceNone:
		return modeNone, nil
	case callwright.ChoiceRequired, callwright.ChoiceNamed:
		return modeAny, texts(c.Names)
	case callwright.ChoiceAuto:
		mode = modeAuto
	}
	if came == modeValidated || len(c.Names) > 0 || e.validates() {
		mode = modeValidated // AUTO takes no list of functions
	}
	return mode, texts(c.Names)
}

// validates reports whether the request has a strict tool and the provider supports strict tools. This API enforces
// either all schemas or none.
func (e *requestEncoder) validates() bool {
	tools, err := e.req.DeclaredTools()
	return err == nil && e.caps.StrictTools == caps.Yes && slices.ContainsFunc(tools, func(t callwright.Tool) bool {
		return t.Strict != nil && *t.Strict
	})
}

// noteUnsupported adds a note for each parameter that this API does not have, such as user.
func (e *requestEncoder) noteUnsupported() {
	p := &e.req.Params
	e.notes.OfThinking(p.Thinking, own)
	lost := func(path, was string) {
		e.notes.Add(callwright.Note{Rule: "params.left_out", Path: path, Was: was, Why: "this API has no such member"})
	}
	if p.Parallel != nil && !*p.Parallel {
		lost("/parallel_tool_calls", "false")
	}
	if p.User != "" {
		lost("/user", p.User)
	}
}
