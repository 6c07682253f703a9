package learning

import (
	"bytes"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// A Level is the degree to which a rejected tool is changed.
type Level string

// The levels, from the smallest change.
const (
	Loose    Level = "loose"     // sent without strict
	AllBasic Level = "all_basic" // all schemas have only the keywords that all providers support
	Basic    Level = "basic"     // only this schema has basic keywords
	Open     Level = "open"      // the schema is only in the description
	Brief    Level = "brief"     // the description is shortened
	Out      Level = "out"       // the tool is omitted
)

// maxRepairs is the maximum number of changes to a tool before it is omitted.
const maxRepairs = 2

// SchemaLevel returns the next level for a tool whose schema was rejected. repairs is the number of changes tried for
// this request.
func SchemaLevel(g *outbound.Receiver, sent outbound.SentTool, repairs int) Level {
	t := sent.Declared
	open := factlist.HasTool(g.Caps.OpenTools, t.Name, t.Schema) || factlist.Has(g.Caps.OpenTools, factlist.AllTools)
	switch {
	case open || repairs >= maxRepairs, t.Type != callwright.FunctionTool:
		return Out
	case sent.Strict != nil && *sent.Strict:
		return Loose
	case factlist.Level(g.Caps.RefusedTools, t.Name, t.Schema) == string(Basic):
		return Open
	case basicChanges(sent):
		if alone := g.Caps.SchemaTarget != "" && g.Caps.SchemaTarget != caps.SchemaBasic && g.Caps.OpenTools == ""; alone {
			return Basic
		}
		return AllBasic
	}
	return Open
}

// basicChanges reports whether a schema of basic keywords differs from the sent schema.
func basicChanges(sent outbound.SentTool) bool {
	basic, err := adapter.Translate(adapter.Basic, sent.Declared.Schema)
	return err == nil && !bytes.Equal(basic.Schema, jsonx.Trim(sent.Schema))
}

// DescriptionLevel returns the next level for a tool whose description was rejected.
func DescriptionLevel(g *outbound.Receiver, sent outbound.SentTool) Level {
	if factlist.Level(g.Caps.RefusedTools, sent.Declared.Name, sent.Declared.Schema) == string(Brief) {
		return Out
	}
	return Brief
}

// ToolLesson returns the lesson that the provider accepts the tool, with its current schema, only at the given level.
// ok is false if the tool name cannot be stored in a list.
func ToolLesson(g *outbound.Receiver, t *callwright.Tool, level Level) (taught Lesson, ok bool) {
	f := feature.ToolSchema + callwright.Feature(t.Name)
	mark := factlist.ToolMark(t.Name, t.Schema)
	fact := caps.Fact{Source: caps.Learned}
	switch level {
	case AllBasic:
		f = basicSchemas
		fact.Key, fact.Value = "schema_target", string(caps.SchemaBasic)
	case Loose:
		fact.Key, fact.Value = "loose_tools", factlist.WithTool(g.Caps.LooseTools, mark)
	case Open:
		fact.Key, fact.Value = openTools, factlist.WithTool(g.Caps.OpenTools, mark)
	default:
		fact.Key, fact.Value = "refused_tools", factlist.WithTool(g.Caps.RefusedTools, mark+"="+string(level))
	}
	if _, err := g.Caps.With(fact); err != nil || mark == "" {
		return Lesson{}, false
	}
	return Lesson{ID: g.ID, Feature: f, Fact: fact, rule: "plan.learned", fault: feature.FaultOf(f, g.Caps.SchemaTarget)}, true
}

// DescribesAll reports whether the lesson moves the schemas of all tools to their descriptions.
func (ls *Lesson) DescribesAll() bool {
	return ls.Fact.Key == openTools && ls.Fact.Value == factlist.AllTools
}
