package eval

import (
	"strings"

	"github.com/callwright/callwright"
)

// A cause is the kind of defect that kept a tool call from reaching its tool as the model wrote it.
type cause int

const (
	noCause        cause = iota
	invalidJSON          // the arguments were not valid JSON
	unknownName          // no tool with this name was declared
	schemaMismatch       // the arguments did not match the schema
)

// causesByRule maps the rules of notes, or their families (the part of a rule before the dot), to causes.
var causesByRule = map[string]cause{
	"json": invalidJSON, "judge.malformed": invalidJSON, "judge.truncated": invalidJSON,
	"name": unknownName, "judge.undeclared": unknownName,
	"coerce": schemaMismatch, "judge.invalid": schemaMismatch,
}

// causeOf returns the cause that a note reports, noCause for none.
func causeOf(n *callwright.Note) cause {
	if n.Observed {
		return noCause
	}
	if c := causesByRule[n.Rule]; c != noCause {
		return c
	}
	family, _, _ := strings.Cut(n.Rule, ".")
	return causesByRule[family]
}

// causes counts the defective calls of one request by cause. A call counts at most once per cause.
func (r *Result) causes(rep *callwright.Report) {
	type one struct {
		cause
		call string
	}
	seen := map[one]bool{}
	for i := range rep.Notes {
		n := &rep.Notes[i]
		c := causeOf(n)
		if c == noCause || seen[one{c, n.Call}] {
			continue
		}
		seen[one{c, n.Call}] = true
		switch c {
		case invalidJSON:
			r.InvalidJSON++
		case unknownName:
			r.UnknownName++
		case schemaMismatch:
			r.SchemaMismatch++
		}
	}
}

// note counts notes by failure class and by rule.
func (r *Result) note(notes []callwright.Note) {
	for i := range notes {
		n := &notes[i]
		if r.Rules == nil {
			r.Rules = map[string]int{}
		}
		r.Rules[n.Rule] += max(n.Count, 1)
		fault := n.Fault
		if fault == "" {
			fault = callwright.RuleOf(n.Rule).Fault
		}
		if fault == "" {
			continue
		}
		if r.Faults == nil {
			r.Faults = map[string]int{}
		}
		r.Faults[fault] += max(n.Count, 1)
	}
}
