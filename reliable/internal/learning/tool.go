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

// A Level is how far a tool that is refused is changed.
type Level string

// The levels, from the smallest change on.
const (
	Loose    Level = "loose"     // it is not strict
	AllBasic Level = "all_basic" // all schemas have the keywords alone that all providers take
	Basic    Level = "basic"     // its own schema has
	Open     Level = "open"      // its schema is in the description alone
	Brief    Level = "brief"     // its description is cut
	Out      Level = "out"       // it is left out
)

// maxRepairs is how many repairs of one tool are tried before it is left out.
const maxRepairs = 2

// SchemaLevel is the level at which a tool is sent next whose schema was refused. repairs is how many were tried in
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

// basicChanges reports whether a schema of few keywords is another one than the tool was sent with.
func basicChanges(sent outbound.SentTool) bool {
	basic, err := adapter.Translate(adapter.Basic, sent.Declared.Schema)
	return err == nil && !bytes.Equal(basic.Schema, jsonx.Trim(sent.Schema))
}

// DescriptionLevel is the level at which a tool is sent next whose description was refused.
func DescriptionLevel(g *outbound.Receiver, sent outbound.SentTool) Level {
	if factlist.Level(g.Caps.RefusedTools, sent.Declared.Name, sent.Declared.Schema) == string(Brief) {
		return Out
	}
	return Brief
}

// ToolLesson is the lesson that a receiver takes a tool only at a level. It holds for the tool with this schema. ok is
// false for a tool whose name no list can hold.
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

// DescribesAll reports whether a lesson puts the schemas of all tools into their descriptions.
func (ls *Lesson) DescribesAll() bool {
	return ls.Fact.Key == openTools && ls.Fact.Value == factlist.AllTools
}
