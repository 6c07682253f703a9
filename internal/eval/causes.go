package eval

import (
	"strings"

	"github.com/callwright/callwright"
)

// A cause is why a call did not reach a tool as the model wrote it.
type cause int

const (
	noCause cause = iota
	invalidJSON
	unknownName
	schemaMismatch
)

// causesByRule are the causes that notes tell of, by the rules of the notes or the families of rules.
var causesByRule = map[string]cause{
	"json": invalidJSON, "judge.malformed": invalidJSON, "judge.truncated": invalidJSON,
	"name": unknownName, "judge.undeclared": unknownName,
	"coerce": schemaMismatch, "judge.invalid": schemaMismatch,
}

// causeOf is the cause that a note tells of.
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

// causes counts the calls of one request that did not reach a tool as the model wrote them, each once for each cause.
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

// note counts notes by their faults and rules.
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
