package translate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// Tools are the tools of a toolset as they are sent to a receiver. They are immutable and cached by toolset and Want.
type Tools struct {
	List   []callwright.Tool // nil if all tools stay unchanged
	Left   []int             // indexes of the tools that are not sent, because the receiver rejects them
	Naming *judge.Naming     // nil if no name changes
	Undo   judge.Undo
	Notes  []callwright.Note
}

// ToolsFor translates the tools of a toolset. It caches the result in the toolset.
func ToolsFor(s *judge.Toolset, w Want, adapters *adapter.Cache) *Tools {
	return s.LoadOrMake(w, func() any {
		m := maker{Want: w, adapters: adapters, out: &Tools{}}
		m.all(s.Tools, slices.Sorted(maps.Keys(s.Withheld)))
		return m.out
	}).(*Tools)
}

// A maker translates one list of tools.
type maker struct {
	Want
	adapters *adapter.Cache
	out      *Tools
	spent    adapter.Budget // used by strict tools
}

// A choice says how one tool is sent.
type choice struct {
	done            *adapter.Translation // nil if the schema is unchanged
	descriptionOnly bool                 // the schema is in the description only
	basic           bool                 // the schema has only keywords that all providers accept
	brief           bool                 // the description is truncated
	isOmitted       bool                 // the tool is not sent
	added           bool                 // the tool is made strict although the client does not require it
	dropped         string               // reason why a tool that the client declared strict is not sent strict
}

// all translates all tools and replaces rejected names, also of withheld tools. Tools that the client declared strict
// get the strict budget first.
func (m *maker) all(tools []callwright.Tool, withheld []string) {
	choices := make([]choice, len(tools))
	changed := false
	for i := range tools {
		choices[i] = m.declaredChoice(&tools[i])
		changed = changed || choices[i].differs(&tools[i])
	}
	var added []string
	for i := range tools {
		if strict := m.addition(&tools[i], choices[i], changed); strict != nil {
			choices[i], changed = choice{done: strict, added: true, brief: choices[i].brief}, true
			added = append(added, tools[i].Name)
		}
	}
	list := slices.Clone(tools)
	for i := range tools {
		if choices[i].isOmitted {
			m.leaveOut(i, &tools[i])
			continue
		}
		m.write(&list[i], choices[i], "/tools/"+strconv.Itoa(i))
	}
	if added != nil {
		m.note(callwright.Note{Rule: "tools.strict_added", Path: "/tools", Now: strings.Join(added, ", "),
			Why: "the provider enforces the schema of their arguments"})
	}
	if m.rename(list, withheld) || changed {
		m.out.List = list
	}
}

// differs reports whether the choice changes the tool.
func (c *choice) differs(t *callwright.Tool) bool {
	return c.descriptionOnly || c.added || c.dropped != "" || c.brief && len(t.Description) > briefDescription || c.rewrites(t)
}

// rewrites reports whether the translated schema differs from the client's.
func (c *choice) rewrites(t *callwright.Tool) bool {
	return c.done != nil && (c.done.Words != "" || !bytes.Equal(c.done.Schema, jsonx.Trim(t.Schema)))
}

// isFunction reports whether a tool is a function with a JSON Schema object.
func isFunction(t *callwright.Tool) bool {
	return t.Type != callwright.HostedTool && t.Type != callwright.CustomTool && jsonx.KindOf(t.Schema) == jsonx.Object
}

// adapt translates a tool's schema for a target. It returns nil if the target is "" or the schema is invalid.
func (m *maker) adapt(to adapter.Target, t *callwright.Tool) *adapter.Translation {
	if to == "" {
		return nil
	}
	done, err := m.adapters.Translate(to, t.Schema)
	if err != nil {
		return nil
	}
	return done
}

// declaredChoice returns the choice for a tool without additional strictness: strict if the client declares the tool
// strict and the receiver accepts this, otherwise not strict.
func (m *maker) declaredChoice(t *callwright.Tool) choice {
	says := t.Strict != nil && *t.Strict
	c := choice{brief: m.refusedLevel(t) == "brief", isOmitted: m.refusedLevel(t) == "out"}
	switch {
	case c.isOmitted, !isFunction(t):
		return c
	case factlist.HasTool(m.open, t.Name, t.Schema), factlist.Has(m.open, factlist.AllTools):
		c.descriptionOnly = true
		return c
	case m.refusedLevel(t) == "basic":
		c.basic, c.done = true, m.adapt(adapter.Basic, t)
		return c
	case says && factlist.HasTool(m.loose, t.Name, t.Schema):
		c.done, c.dropped = m.adapt(m.target, t), "the provider refuses the tool with strict"
		return c
	case says && m.strict != "":
		if strict := m.adapt(m.strict, t); strict != nil && (m.spendStrictBudget(strict) || m.keep) {
			c.done = strict
			return c
		}
		c.dropped = "the provider accepts no more strict tools; the arguments are validated here"
	}
	c.done = m.adapt(m.target, t)
	return c
}

// refusedLevel returns the level of a tool in the list of tools that the provider rejected: "basic", "brief" or "out".
// It returns "" for other tools and for hosted tools.
func (m *maker) refusedLevel(t *callwright.Tool) string {
	if m.refused == "" || t.Type == callwright.HostedTool {
		return ""
	}
	return factlist.Level(m.refused, t.Name, t.Schema)
}

// addition returns the strict translation of a tool that is to be made strict, nil for other tools. changed reports
// whether another tool of the request is changed. Tools with a type of their API are never made strict.
func (m *maker) addition(t *callwright.Tool, c choice, changed bool) *adapter.Translation {
	if m.auto == none || m.ifAnew && !changed || t.Strict != nil || c.descriptionOnly || c.basic || c.isOmitted || !isFunction(t) ||
		factlist.HasTool(m.loose, t.Name, t.Schema) {
		return nil
	}
	if _, typed := jsonx.Find(t.Extra.JSON, "type"); typed {
		return nil
	}
	strict := m.adapt(m.strict, t)
	if strict == nil || len(strict.Lost) > 0 || m.auto == flowing && strict.Undoes() || !m.spendStrictBudget(strict) {
		return nil
	}
	return strict
}

// spendStrictBudget uses the budget of strict tools for a schema. It returns false and uses nothing if the budget is
// insufficient.
func (m *maker) spendStrictBudget(strict *adapter.Translation) bool {
	sum := m.spent.Add(strict.Cost)
	if !sum.Within(m.budget) {
		return false
	}
	m.spent = sum
	return true
}

// write applies a choice to a tool and adds a note for each change. path is the JSON pointer of the tool.
func (m *maker) write(t *callwright.Tool, c choice, path string) {
	if c.added {
		t.Strict = new(true)
	}
	if c.dropped != "" || c.descriptionOnly && t.Strict != nil {
		t.Strict = new(false)
	}
	if c.dropped != "" {
		m.note(callwright.Note{Rule: "tools.strict", Path: path, Call: t.Name, Was: "true", Why: c.dropped})
	}
	if c.descriptionOnly {
		m.note(callwright.Note{Rule: "tools.schema_described", Path: path, Call: t.Name, Why: "the provider refuses the schema"})
		t.Description = appendWords(t.Description, "The arguments satisfy this JSON Schema: "+string(jsonx.Compact(nil, t.Schema)))
		t.Schema = json.RawMessage(`{"type":"object","additionalProperties":true}`)
		if m.target == adapter.Basic { // Basic lacks additionalProperties; OpenAI requires properties
			t.Schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		return
	}
	if c.brief {
		defer m.cut(t, path)
	}
	if c.done == nil {
		return
	}
	if c.done.Undoes() {
		if m.out.Undo == nil {
			m.out.Undo = judge.Undo{}
		}
		m.out.Undo[t.Name] = c.done
	}
	if !c.rewrites(t) {
		return
	}
	target := m.target
	if c.basic {
		target = adapter.Basic
	}
	n := callwright.Note{Rule: ruleOf(target), Path: path, Call: t.Name, Was: keywords(c.done.Lost)}
	if n.Was != "" {
		n.Why = "unsupported keywords are in descriptions; arguments are validated against the original schema"
	}
	m.note(n)
	t.Schema, t.Description = c.done.Schema, appendWords(t.Description, c.done.Words)
}

// note adds a note of StageEncode.
func (m *maker) note(n callwright.Note) {
	n.Stage = callwright.StageEncode
	m.out.Notes = append(m.out.Notes, n.Classify())
}

// rules has the rules of notes about translated schemas, by target. The other targets use schemaRule.
var rules = map[adapter.Target]string{
	adapter.OpenAI: "tools.schema_openai", adapter.OpenAIStrict: "tools.schema_openai", adapter.Anthropic: "tools.schema_anthropic",
	adapter.AnthropicStrict: "tools.schema_anthropic", adapter.Gemini: "tools.schema_gemini", adapter.GeminiJSON: "tools.schema_gemini",
	adapter.LlamaCPP: "tools.schema_grammar", adapter.VLLM: "tools.schema_grammar",
}

// schemaRule is the rule of notes about translated schemas. Disabling it disables all translation of schemas.
const schemaRule = "tools.schema_keywords"

func ruleOf(to adapter.Target) string { return cmp.Or(rules[to], schemaRule) }

// keywords returns the distinct keywords of lost, separated by commas.
func keywords(lost []adapter.Lost) string {
	var out []string
	for _, l := range lost {
		if !slices.Contains(out, l.Keyword) {
			out = append(out, l.Keyword)
		}
	}
	return strings.Join(out, ", ")
}

func appendWords(description, words string) string {
	return strings.TrimSpace(description + " " + words)
}
