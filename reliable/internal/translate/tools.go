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

// Tools are tools as a receiver takes them. They do not change, and are the same for the same toolset and Want.
type Tools struct {
	List   []callwright.Tool // nil: all stay as they are
	Left   []int             // the places of the tools that are not sent, as the receiver refuses them
	Naming *judge.Naming     // nil where all keep their names
	Undo   judge.Undo
	Notes  []callwright.Note
}

// ToolsFor writes the tools of a toolset.
func ToolsFor(s *judge.Toolset, w Want, adapters *adapter.Cache) *Tools {
	return s.LoadOrMake(w, func() any {
		m := maker{Want: w, adapters: adapters, out: &Tools{}}
		m.all(s.Tools, slices.Sorted(maps.Keys(s.Withheld)))
		return m.out
	}).(*Tools)
}

// A maker writes one list of tools.
type maker struct {
	Want
	adapters *adapter.Cache
	out      *Tools
	spent    adapter.Budget // by strict tools
}

// A choice is how one tool is written.
type choice struct {
	done    *adapter.Translation // nil where its schema stays as it is
	open    bool                 // its schema is only described
	basic   bool                 // its schema has the keywords alone that all providers take
	brief   bool                 // its description is cut
	out     bool                 // it is left out
	added   bool                 // it is made strict
	dropped string               // why it is not strict although the client says so
}

// all writes all tools, and gives names to those that are withheld. Tools that the client marks as strict come first in
// the budget.
func (m *maker) all(tools []callwright.Tool, withheld []string) {
	choices := make([]choice, len(tools))
	changed := false
	for i := range tools {
		choices[i] = m.asSaid(&tools[i])
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
		if choices[i].out {
			m.leaveOut(i, &tools[i])
			continue
		}
		m.write(&list[i], choices[i], "/tools/"+strconv.Itoa(i))
	}
	if added != nil {
		m.note(callwright.Note{Rule: "tools.strict_added", Path: "/tools", Now: strings.Join(added, ", "),
			Why: "the provider decodes their arguments under the schema"})
	}
	if m.rename(list, withheld) || changed {
		m.out.List = list
	}
}

// differs reports whether a tool is not written as it came.
func (c *choice) differs(t *callwright.Tool) bool {
	return c.open || c.added || c.dropped != "" || c.brief && len(t.Description) > briefDescription || c.rewrites(t)
}

// rewrites reports whether the schema is written in other words.
func (c *choice) rewrites(t *callwright.Tool) bool {
	return c.done != nil && (c.done.Words != "" || !bytes.Equal(c.done.Schema, jsonx.Trim(t.Schema)))
}

// isFunction reports whether a tool has a schema of its own.
func isFunction(t *callwright.Tool) bool {
	return t.Type != callwright.HostedTool && t.Type != callwright.CustomTool && jsonx.KindOf(t.Schema) == jsonx.Object
}

// adapt translates a tool's schema, nil where nothing is known of the target, or it is no schema.
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

// asSaid chooses how a tool is written as the client says: strict where it says so, and else plain.
func (m *maker) asSaid(t *callwright.Tool) choice {
	says := t.Strict != nil && *t.Strict
	c := choice{brief: m.refusedLevel(t) == "brief", out: m.refusedLevel(t) == "out"}
	switch {
	case c.out, !isFunction(t):
		return c
	case factlist.HasTool(m.open, t.Name, t.Schema), factlist.Has(m.open, factlist.AllTools):
		c.open = true
		return c
	case m.refusedLevel(t) == "basic":
		c.basic, c.done = true, m.adapt(adapter.Basic, t)
		return c
	case says && factlist.HasTool(m.loose, t.Name, t.Schema):
		c.done, c.dropped = m.adapt(m.target, t), "the provider refuses the tool where it is strict"
		return c
	case says && m.strict != "":
		if strict := m.adapt(m.strict, t); strict != nil && (m.pay(strict) || m.keep) {
			c.done = strict
			return c
		}
		c.dropped = "the provider takes no more strict tools: arguments are held against the schema here"
	}
	c.done = m.adapt(m.target, t)
	return c
}

// refusedLevel is the level of a tool in the list of refused ones, "" for none. Tools that the provider runs have none.
func (m *maker) refusedLevel(t *callwright.Tool) string {
	if m.refused == "" || t.Type == callwright.HostedTool {
		return ""
	}
	return factlist.Level(m.refused, t.Name, t.Schema)
}

// addition is the translation of a tool that is made strict, nil of others. changed says that a tool has to be written
// anyway. A tool that its API knows by a type has a definition of its own.
func (m *maker) addition(t *callwright.Tool, c choice, changed bool) *adapter.Translation {
	if m.auto == none || m.ifAnew && !changed || t.Strict != nil || c.open || c.basic || c.out || !isFunction(t) ||
		factlist.HasTool(m.loose, t.Name, t.Schema) {
		return nil
	}
	if _, typed := jsonx.Find(t.Extra.JSON, "type"); typed {
		return nil
	}
	strict := m.adapt(m.strict, t)
	if strict == nil || len(strict.Lost) > 0 || m.auto == flowing && strict.Undoes() || !m.pay(strict) {
		return nil
	}
	return strict
}

// pay takes a strict schema from the budget, where that has enough.
func (m *maker) pay(strict *adapter.Translation) bool {
	sum := m.spent.Add(strict.Cost)
	if !sum.Within(m.budget) {
		return false
	}
	m.spent = sum
	return true
}

// write changes a tool as the choice says, and notes each change with the path of the tool.
func (m *maker) write(t *callwright.Tool, c choice, path string) {
	if c.added {
		t.Strict = new(true)
	}
	if c.dropped != "" || c.open && t.Strict != nil {
		t.Strict = new(false)
	}
	if c.dropped != "" {
		m.note(callwright.Note{Rule: "tools.strict", Path: path, Call: t.Name, Was: "true", Why: c.dropped})
	}
	if c.open {
		m.note(callwright.Note{Rule: "tools.schema_described", Path: path, Call: t.Name, Why: "the provider refuses the schema"})
		t.Description = appendWords(t.Description, "The arguments satisfy this JSON Schema: "+string(jsonx.Compact(nil, t.Schema)))
		t.Schema = json.RawMessage(`{"type":"object","additionalProperties":true}`)
		if m.target == adapter.Basic { // which has no additionalProperties; OpenAI wants properties
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
		n.Why = "descriptions say what the receiver has no keywords for; arguments are held against all of it here"
	}
	m.note(n)
	t.Schema, t.Description = c.done.Schema, appendWords(t.Description, c.done.Words)
}

// note notes a tool that is written otherwise for the receiver with the same meaning.
func (m *maker) note(n callwright.Note) {
	n.Stage = callwright.StageEncode
	m.out.Notes = append(m.out.Notes, n.Classify())
}

// rules are those of the notes on schemas, by target; targets without one of their own have schemaRule.
var rules = map[adapter.Target]string{
	adapter.OpenAI: "tools.schema_openai", adapter.OpenAIStrict: "tools.schema_openai", adapter.Anthropic: "tools.schema_anthropic",
	adapter.AnthropicStrict: "tools.schema_anthropic", adapter.Gemini: "tools.schema_gemini", adapter.GeminiJSON: "tools.schema_gemini",
	adapter.LlamaCPP: "tools.schema_grammar", adapter.VLLM: "tools.schema_grammar",
}

// schemaRule is the rule of notes on schemas, and the switch for all of them.
const schemaRule = "tools.schema_keywords"

func ruleOf(to adapter.Target) string { return cmp.Or(rules[to], schemaRule) }

// keywords lists the keywords of losses, each once.
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
