package anthropic

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// setting is a parameter of a request. same reports whether two Params have equal values of it. value encodes it, or
// returns nil to leave it out.
type setting struct {
	name  string
	same  func(a, b *callwright.Params) bool
	value func(*requestEncoder, *callwright.Params) []byte
}

type params = callwright.Params

// settings are the parameters in the order in which they are written. The first one is required.
var settings = []setting{
	{"max_tokens", func(a, b *params) bool { return a.MaxTokens == b.MaxTokens }, (*requestEncoder).maxTokens},
	{"stream", func(a, b *params) bool { return a.Stream == b.Stream }, func(_ *requestEncoder, p *params) []byte { return truth(p.Stream) }},
	{"temperature", func(a, b *params) bool { return a.Temperature == b.Temperature }, (*requestEncoder).temperature},
	{"top_p", func(a, b *params) bool { return a.TopP == b.TopP },
		func(e *requestEncoder, p *params) []byte { return e.number("/top_p", p.TopP) }},
	{"top_k", func(a, b *params) bool { return a.TopK == b.TopK },
		func(e *requestEncoder, p *params) []byte { return e.number("/top_k", p.TopK) }},
	{"stop_sequences", func(a, b *params) bool { return slices.Equal(a.Stop, b.Stop) }, (*requestEncoder).stop},
	{"metadata", func(a, b *params) bool { return a.User == b.User }, (*requestEncoder).metadata},
	{"thinking", sameThinking, (*requestEncoder).thinking},
	{"output_config", sameOutput, (*requestEncoder).outputConfig},
	{"output_format", func(a, b *params) bool { return sameFormat(a.Format, b.Format) }, (*requestEncoder).outputFormat},
	{"tool_choice", sameChoice, (*requestEncoder).choice},
}

func sameThinking(a, b *params) bool {
	x, y := a.Thinking, b.Thinking
	return x.Off == y.Off && x.Budget == y.Budget && string(x.Extra.JSON) == string(y.Extra.JSON)
}

func sameOutput(a, b *params) bool {
	return a.Thinking.Effort == b.Thinking.Effort && sameFormat(a.Format, b.Format)
}

func sameFormat(a, b *callwright.AnswerFormat) bool {
	if a == nil || b == nil {
		return a == b
	}
	return string(a.Schema) == string(b.Schema)
}

func sameChoice(a, b *params) bool {
	if a.Choice.Mode != b.Choice.Mode || !slices.Equal(a.Choice.Names, b.Choice.Names) {
		return false
	}
	if a.Parallel == nil || b.Parallel == nil {
		return a.Parallel == b.Parallel
	}
	return *a.Parallel == *b.Parallel
}

func truth(t bool) []byte {
	if t {
		return []byte("true")
	}
	return nil
}

// number returns a JSON number unchanged, nil for "". Any other string is an error, because it would make the body
// invalid.
func (e *requestEncoder) number(path string, n json.Number) []byte {
	if n == "" {
		return nil
	}
	v := []byte(n)
	if jsonx.KindOf(v) != jsonx.Number || jsonx.Valid(v) != nil {
		e.fail(path, "expected a number, got "+strconv.Quote(callwright.Excerpt(string(n))))
		return nil
	}
	return v
}

func (e *requestEncoder) fail(path, message string) {
	if e.err == nil {
		e.err = &callwright.Error{Op: opEncode, Kind: callwright.KindInvalid, Path: path, Message: message}
	}
}

// defaultMaxTokens is the value of max_tokens if neither the client nor the caps have an output limit. The API requires
// it.
const defaultMaxTokens = 4096

// minThinking is the smallest thinking budget in tokens that this API accepts.
const minThinking = 1024

func (e *requestEncoder) maxTokens(p *params) []byte {
	if p.MaxTokens != "" {
		return e.number("/max_tokens", p.MaxTokens)
	}
	limit := e.caps.MaxOutput
	if limit == 0 {
		limit = defaultMaxTokens
		if n, err := strconv.Atoi(string(p.Thinking.Budget)); err == nil && n < 1<<30 {
			limit += n // the budget counts towards the limit
		}
	}
	now := strconv.Itoa(limit)
	e.note("params.max_tokens_default", "/max_tokens", "", now, "the API requires the limit, and the request has none")
	return []byte(now)
}

func (e *requestEncoder) temperature(p *params) []byte {
	v := e.number("/temperature", p.Temperature)
	if v == nil || !aboveOne(string(v)) {
		return v
	}
	e.note("params.temperature", "/temperature", string(v), "1", "the maximum temperature is 1")
	return []byte("1")
}

// aboveOne reports whether a JSON number is greater than 1.
func aboveOne(n string) bool {
	f, err := strconv.ParseFloat(n, 64)
	return f > 1 || err != nil && !strings.HasPrefix(n, "-")
}

func (e *requestEncoder) stop(p *params) []byte {
	if p.Stop == nil {
		return nil
	}
	out := []byte{'['}
	for _, s := range p.Stop {
		if strings.TrimSpace(s) == "" {
			e.note("params.stop", "/stop_sequences", strconv.Quote(s), "", "stop sequences of white space are refused")
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = jsonx.AppendQuote(out, s)
	}
	return append(out, ']')
}

func (e *requestEncoder) metadata(p *params) []byte {
	list := e.base("metadata")
	if p.User == "" {
		list.Delete("user_id")
	} else {
		list.Set("user_id", jsonx.AppendQuote(nil, p.User))
	}
	return encodeObject(list)
}

// encodeObject returns the JSON object, nil if it has no members.
func encodeObject(list jsonx.List) []byte {
	if len(list) == 0 {
		return nil
	}
	return list.Append(nil)
}

// disabled is the parameter thinking that turns thinking off.
const disabled = `{"type":"disabled"}`

// thinking encodes the parameter thinking. It turns a thinking budget off if the history ends in results of calls that
// were made without reasoning, because the API requires the message with these calls to begin with a thinking block
// (https://docs.anthropic.com/en/docs/build-with-claude/extended-thinking).
func (e *requestEncoder) thinking(p *params) []byte {
	v := e.encodeThinking(p)
	if kind, _ := jsonx.Find(v, "type"); !e.callsWithoutReasoning || string(jsonx.TextBytes(kind)) != "enabled" {
		return v
	}
	e.note("params.thinking", "/thinking", string(v), disabled, "the open calls were made without reasoning of this model")
	return []byte(disabled)
}

// encodeThinking encodes the parameter thinking as the client requested it, nil if it did not.
func (e *requestEncoder) encodeThinking(p *params) []byte {
	t := p.Thinking
	if raw := own.JSON(t.Extra); raw != nil {
		if off, budget := thinkingOf(raw); off == t.Off && budget == t.Budget {
			return raw
		}
	}
	switch {
	case t.Off || t.Effort == "none":
		return []byte(disabled)
	case t.Budget != "":
		return e.budget(p)
	case t.Extra.Wire != callwright.WireAnthropic && (t.Effort != "" || kit.AsksThinking(t)):
		return []byte(`{"type":"adaptive"}`)
	}
	return nil
}

// budget encodes thinking with a budget of at least 1024 tokens and less than the output limit. It returns nil if the
// output limit is too small.
func (e *requestEncoder) budget(p *params) []byte {
	n, err := strconv.Atoi(string(p.Thinking.Budget))
	if err != nil || n < 0 {
		e.fail("/thinking/budget_tokens", "expected a whole number, got "+strconv.Quote(callwright.Excerpt(string(p.Thinking.Budget))))
		return nil
	}
	was, limit := n, e.caps.MaxOutput
	if m, err := strconv.Atoi(string(p.MaxTokens)); err == nil {
		limit = m
	}
	n = max(n, minThinking)
	if limit > 0 {
		n = min(n, limit-1)
	}
	if n < minThinking {
		e.note("params.thinking", "/thinking", strconv.Itoa(was), "", "the output limit leaves no room for thinking")
		return nil
	}
	if n != was {
		e.note("params.thinking", "/thinking/budget_tokens", strconv.Itoa(was), strconv.Itoa(n),
			"a budget must be at least 1024 and below the output limit")
	}
	return append(strconv.AppendInt([]byte(`{"type":"enabled","budget_tokens":`), int64(n), 10), '}')
}

// efforts maps efforts that this API does not have to the nearest one, "" for none.
var efforts = map[string]string{"minimal": "low", "none": ""}

func (e *requestEncoder) outputConfig(p *params) []byte {
	list := e.base("output_config")
	effort := p.Thinking.Effort
	if now, ok := efforts[effort]; ok {
		if now != "" {
			e.note("params.effort", "/output_config/effort", effort, now, "it is the lowest effort of the API")
		}
		effort = now
	}
	list.Delete("effort")
	if effort != "" {
		list = slices.Insert(list, 0, jsonx.Member{Key: "effort", Value: jsonx.AppendQuote(nil, effort)})
	}
	legacy := e.base("output_format") != nil
	switch {
	case p.Format == nil && !legacy:
		if f, ok := list.Get("format"); ok && e.body == nil && !isSchemaFormat(f) {
			break // a format of an unknown type
		}
		list.Delete("format")
	case p.Format != nil && p.Format.Schema != nil && !legacy:
		f, _ := list.Get("format")
		list.Set("format", formatObject(f, p.Format))
	case p.Format != nil && p.Format.Schema == nil:
		e.note("params.json_object", "/output_config/format", "json_object", "", "there is no JSON mode without a schema")
	}
	return encodeObject(list)
}

func isSchemaFormat(f []byte) bool {
	kind, _ := jsonx.Find(f, "type")
	return string(jsonx.TextBytes(kind)) == "json_schema"
}

func formatObject(base []byte, f *callwright.AnswerFormat) []byte {
	list, _ := jsonx.ParseObject(base)
	list.Set("type", []byte(`"json_schema"`))
	list.Set("schema", f.Schema)
	return list.Append(nil)
}

// outputFormat encodes output_format, the deprecated form of output_config.format. It returns nil unless the client
// sent output_format.
func (e *requestEncoder) outputFormat(p *params) []byte {
	list := e.base("output_format")
	if list == nil || p.Format == nil || p.Format.Schema == nil {
		return nil
	}
	return formatObject(list.Append(nil), p.Format)
}

// noteUnsupported adds a note for each parameter that this API does not have, such as seed.
func (e *requestEncoder) noteUnsupported() {
	p := &e.req.Params
	e.notes.OfThinking(p.Thinking, own)
	for _, m := range []struct {
		path  string
		value json.Number
	}{{"/seed", p.Seed}, {"/presence_penalty", p.Presence}, {"/frequency_penalty", p.Frequency}} {
		if m.value != "" {
			e.note("params.dropped", m.path, string(m.value), "", "this API has no such member")
		}
	}
}
