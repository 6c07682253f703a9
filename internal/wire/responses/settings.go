package responses

import (
	"encoding/json"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

type setting = kit.Setting[*requestEncoder]

// settings are the parameters of a request that this API has. Each writes all of its members, or none.
var settings = []setting{
	kit.NewSetting([]string{"stream"}, func(e *requestEncoder, p *callwright.Params) {
		if p.Stream {
			e.Truth("stream", true)
		}
	}, nil),
	kit.NewSetting([]string{"tool_choice"}, writeChoice, (*requestEncoder).refusesChoice),
	kit.NewSetting([]string{"parallel_tool_calls"}, func(e *requestEncoder, p *callwright.Params) {
		if p.Parallel != nil && e.hasTools && e.caps.ParallelField != caps.No {
			e.Truth("parallel_tool_calls", *p.Parallel)
		}
	}, func(e *requestEncoder, after []byte) bool {
		return e.refuses("parallel_tool_calls", e.caps.ParallelField, after)
	}),
	kit.NewSetting([]string{"max_output_tokens"}, writeMaxTokens, nil),
	plainNumber("temperature", func(p *callwright.Params) json.Number { return p.Temperature }),
	plainNumber("top_p", func(p *callwright.Params) json.Number { return p.TopP }),
	kit.NewSetting([]string{"text"}, writeFormat, nil),
	kit.NewSetting([]string{"reasoning"}, writeThinking, nil),
	kit.NewSetting([]string{"user"}, func(e *requestEncoder, p *callwright.Params) { e.OptionalText("user", p.User) }, nil),
}

func (e *requestEncoder) refusesChoice(after []byte) bool {
	came := e.body.Find("tool_choice")
	if isForeignChoice(came) {
		e.notes.Add(kit.ForeignChoice(came, after))
		return true
	}
	return e.flat || e.refusesCustom(came) || e.refuses("tool_choice", e.caps.ChoiceField, after)
}

// refuses reports whether the member key of the client's body must be removed: it concerns tools, after (its new
// encoding) is empty, and the tools were changed or the provider does not accept the member.
func (e *requestEncoder) refuses(key string, known caps.Truth, after []byte) bool {
	return e.body.Find(key) != nil && len(after) == 0 && (known == caps.No || e.req.Tools != nil)
}

func plainNumber(key string, of func(*callwright.Params) json.Number) setting {
	return kit.NewSetting([]string{key}, func(e *requestEncoder, p *callwright.Params) {
		if n := of(p); n != "" {
			e.Raw(key, []byte(n))
		}
	}, nil)
}

// absent adds a note for each parameter that this API does not have, such as top_k.
func (e *requestEncoder) absent(p *callwright.Params) {
	noteLost := func(name, was string) {
		if was != "" {
			e.notes.Add(callwright.Note{Rule: "params.left_out", Path: "/" + name, Was: was, Why: "the wire has no such parameter"})
		}
	}
	noteLost("top_k", string(p.TopK))
	noteLost("presence_penalty", string(p.Presence))
	noteLost("frequency_penalty", string(p.Frequency))
	noteLost("seed", string(p.Seed))
	if len(p.Stop) > 0 {
		noteLost("stop", strconv.Itoa(len(p.Stop))+" stop sequences")
	}
}

func writeChoice(e *requestEncoder, p *callwright.Params) {
	switch c := p.Choice; {
	case c.Mode == "":
	case !e.hasTools:
		e.notes.ChoiceWithoutTools(c)
	case e.caps.ChoiceField == caps.No:
		if c.Mode != callwright.ChoiceAuto {
			e.notes.Add(callwright.Note{Rule: "params.tool_choice", Path: "/tool_choice", Was: string(c.Mode),
				Why: "the provider does not support tool_choice"})
		}
	case c.Mode == callwright.ChoiceNamed && len(c.Names) > 0:
		e.Key("tool_choice")
		e.choose(c.Names[0])
	case len(c.Names) > 0 && c.Mode != callwright.ChoiceNone:
		e.Open("tool_choice", '{')
		e.Text("type", "allowed_tools")
		e.Text("mode", string(c.Mode))
		e.Open("tools", '[')
		for _, name := range c.Names {
			e.Key("")
			e.choose(name)
		}
		e.Buf = append(e.Buf, "]}"...)
	default:
		e.Text("tool_choice", string(c.Mode))
	}
}

// choose writes the object that selects a tool: {"type":"function","name":"f"}.
func (e *requestEncoder) choose(name string) {
	kind, namespace := "function", ""
	for _, t := range e.declaredTools() {
		if t.Name != name {
			continue
		}
		if ns := e.namespaceOf(t); ns != nil {
			namespace, name = kit.TextAt(ns, "name"), jsonx.TextOf(own.Member(t.Extra, "name"))
		}
		if t.Type == callwright.CustomTool && e.caps.CustomTools != caps.No {
			kind = "custom"
		} else if f := items.FormByTool(jsonx.TextOf(own.Member(t.Extra, "type"))); f != nil && f.Tool == name && !e.functionsOnly {
			kind, name = f.Tool, ""
		}
		break
	}
	e.Buf = append(e.Buf, '{')
	e.Text("type", kind)
	e.OptionalText("name", name)
	e.OptionalText("namespace", namespace)
	e.Close('}')
}

// minTokens is the smallest max_output_tokens that the API accepts.
const minTokens = 16

func writeMaxTokens(e *requestEncoder, p *callwright.Params) {
	if p.MaxTokens == "" {
		return
	}
	n := p.MaxTokens
	if i, err := n.Int64(); err == nil && i < minTokens && e.body == nil {
		n = json.Number(strconv.Itoa(minTokens))
		e.notes.Add(callwright.Note{Rule: "params.max_tokens", Path: "/max_output_tokens",
			Was: string(p.MaxTokens), Now: string(n), Why: "the API does not accept a smaller limit"})
	}
	e.Raw("max_output_tokens", []byte(n))
}

// writeFormat writes the parameter text: the response format and the other members that the client sent.
func writeFormat(e *requestEncoder, p *callwright.Params) {
	f := p.Format
	rest := own.Extra(own.Member(e.req.Extra, "text"))
	verbosity := e.verbosity()
	if f == nil {
		if verbosity != nil {
			e.Open("text", '{')
			e.Raw("verbosity", verbosity)
			e.Close('}')
		}
		if rest.JSON != nil {
			e.Raw("text", rest.JSON)
		}
		return
	}
	e.Open("text", '{')
	e.Open("format", '{')
	if f.Schema == nil {
		e.Text("type", "json_object")
	} else {
		name := f.Name
		if name == "" {
			name = "answer"
		}
		e.Text("type", "json_schema")
		e.Text("name", name)
		e.OptionalText("description", f.Description)
		e.Raw("schema", f.Schema)
		e.Truth("strict", f.Strict != nil && *f.Strict) // without the member, the API tries strict mode first
	}
	e.Extra(own.Extra(own.Member(rest, "format")), formatKeys...)
	e.Close('}')
	e.Extra(rest, "format")
	if verbosity != nil {
		e.Raw("verbosity", verbosity)
	}
	e.Close('}')
}

// budgets maps reasoning budgets to efforts. below is the highest budget of a row in tokens; higher ones are "high".
var budgets = []struct {
	below  int64
	effort string
}{{4096, "low"}, {16384, "medium"}}

func writeThinking(e *requestEncoder, p *callwright.Params) {
	t := p.Thinking
	effort := t.Effort
	switch {
	case effort != "":
	case t.Off:
		effort = "none"
	case t.Budget != "":
		effort = "high"
		for i := len(budgets) - 1; i >= 0; i-- {
			if n, err := t.Budget.Int64(); err == nil && n <= budgets[i].below {
				effort = budgets[i].effort
			}
		}
		e.notes.Add(callwright.Note{Rule: "params.thinking", Path: "/reasoning/effort",
			Was: string(t.Budget), Now: effort, Why: "the wire has reasoning efforts in place of budgets"})
	}
	rest := own.Member(t.Extra, "reasoning")
	e.notes.OfThinking(t, own)
	if effort == "" && rest == nil {
		return
	}
	e.Open("reasoning", '{')
	e.OptionalText("effort", effort)
	e.Extra(own.Extra(rest), "effort")
	e.Close('}')
}
