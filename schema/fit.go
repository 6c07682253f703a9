package schema

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// A fitter coerces one document. It never changes a value that is valid.
type fitter struct {
	s       *Schema
	machine *machine
	o       Options
	guesses Guesses
	budget  int // remaining work, see newBudget
}

// newBudget returns the limit of the work for one round, linear in the size of the document.
func newBudget[T ~string | ~[]byte](doc T) int { return 1<<17 + 96*len(doc) }

// outcome is the result of coercing a value. Without changes, json is the value itself.
type outcome struct {
	json    []byte
	changes []Change
	fits    bool
}

// A goal is the set of schemas that a value must satisfy: applicableSchemas has schemas that all apply, and chosen has
// the unions whose branch is already selected.
type goal struct {
	applicableSchemas []*node
	flat              []*node // applicableSchemas expanded for the current value
	chosen            []union
}

// with returns the goal with the branch b of the union u added.
func (g goal) with(u union, b *node) goal {
	return goal{applicableSchemas: append(g.applicableSchemas[:len(g.applicableSchemas):len(g.applicableSchemas)], b), chosen: append(g.chosen[:len(g.chosen):len(g.chosen)], u)}
}

// admits reports whether values of the given kinds can satisfy the goal, or another branch of its chosen unions. A
// value of such a kind may be meant for that branch.
func (g goal) admits(kind kindSet) bool {
	if possible(g.flat)&kind != 0 {
		return true
	}
	for _, u := range g.chosen {
		for _, b := range u.branches() {
			if b.may&kind != 0 {
				return true
			}
		}
	}
	return false
}

// guessesLater reports whether the heuristic rule will run in the second pass, after the other rules.
func (f *fitter) guessesLater(rule string) bool {
	return f.guesses != WithGuesses && f.o.Guesses == WithGuesses && (f.o.Disabled == nil || !f.o.Disabled(rule))
}

// allows reports whether the rule is enabled in this pass.
func (f *fitter) allows(rule string) bool {
	if isHeuristic(rule) && f.guesses != WithGuesses {
		return false
	}
	return f.o.Disabled == nil || !f.o.Disabled(rule)
}

func change(rule, path string, was, now []byte) Change {
	row := ruleOf(rule)
	return Change{Rule: row.Name, Path: path, Was: shortenValue(was), Now: shortenValue(now), Why: row.Why, Heuristic: row.Heuristic}
}

// document coerces the whole document once.
func (f *fitter) document(doc []byte) (out []byte, changes []Change, fits bool) {
	v := jsonx.Trim(doc)
	r := f.root(v)
	if len(r.changes) == 0 {
		return doc, nil, r.fits
	}
	start, end := jsonx.Span(doc, v)
	return jsonx.Splice(nil, doc, jsonx.Edit{Start: start, End: end, New: r.json}), r.changes, r.fits
}

// root applies the rules for the whole arguments (empty, wrapped) and otherwise coerces the values inside.
func (f *fitter) root(v []byte) outcome {
	g := goal{applicableSchemas: []*node{f.s.root}}
	if r, ok := f.empty(g, v); ok {
		return r
	}
	if r, ok := f.unwrap(g, v); ok {
		return r
	}
	return f.fit(g, v, "")
}

// empty converts null, "" and [] to {} if {} is valid.
func (f *fitter) empty(g goal, v []byte) (outcome, bool) {
	if string(v) != "null" && string(v) != `""` && string(v) != "[]" || !f.allows(ruleEmpty) {
		return outcome{}, false
	}
	none := []byte("{}")
	if !f.check(g.applicableSchemas, none) {
		return outcome{}, false
	}
	return outcome{json: none, changes: []Change{change(ruleEmpty, "", v, none)}, fits: true}, true
}

// wrappers are member names that models put around the arguments, as in {"arguments":{...}}.
var wrappers = []string{"arguments", "args", "input", "parameters", "params", "properties", "kwargs"}

// unwrap replaces an object with a single wrapper member by the value of the member, if the wrapper is undeclared and
// all names inside are declared.
func (f *fitter) unwrap(g goal, v []byte) (outcome, bool) {
	if !hasOneMember(v) || !f.allows(ruleUnwrap) {
		return outcome{}, false
	}
	only := membersOf(v)[0]
	flat := f.expand(g.applicableSchemas, v)
	inner := only.value(v)
	if kindOf(inner) == kindString {
		inner, _ = f.decode(inner, kindObject)
	}
	if kindOf(inner) != kindObject || !slices.Contains(wrappers, only.name) || isDeclared(flat, only.name) {
		return outcome{}, false
	}
	inside := membersOf(inner)
	for _, m := range inside {
		if !isDeclared(flat, m.name) {
			return outcome{}, false
		}
	}
	if len(inside) == 0 {
		return outcome{}, false
	}
	r := f.fit(g, inner, join("", only.name))
	r.changes = append([]Change{change(ruleUnwrap, "", v, inner)}, r.changes...)
	return r, true
}

// check reports whether v satisfies all schemas of view. It returns false if the work budget is exhausted, so that
// nothing is changed.
func (f *fitter) check(view []*node, v []byte) bool {
	for _, n := range view {
		if f.budget -= len(v) + 16; f.budget < 0 {
			return false
		}
		f.machine.start(f.s, v)
		if f.machine.eval(n, 0) < 0 {
			return false
		}
	}
	return true
}

// expand returns view and all schemas that apply to v because of it: references, allOf, the selected branch of if, and
// dependentSchemas of present members.
func (f *fitter) expand(view []*node, v []byte) []*node {
	flat := flatten(view...)
	for i := 0; i < len(flat) && f.budget >= 0; i++ {
		n := flat[i]
		var more []*node
		if n.cond != nil {
			if more = append(more, n.then); !f.check([]*node{n.cond}, v) {
				more[0] = n.other
			}
		}
		if n.object != nil {
			for _, d := range n.object.needSchemas {
				if _, ok := jsonx.Find(v, d.key); ok {
					more = append(more, d.node)
				}
			}
		}
		if len(more) > 0 {
			flat = flatten(append(flat, more...)...)
		}
	}
	return flat
}

// fit coerces v, the value at path, to satisfy the goal g.
func (f *fitter) fit(g goal, v []byte, path string) outcome {
	if f.check(g.applicableSchemas, v) {
		return outcome{json: v, fits: true}
	}
	return f.mend(g, v, path)
}

// mend coerces a value that does not satisfy the goal.
func (f *fitter) mend(g goal, v []byte, path string) outcome {
	if f.budget < 0 {
		return outcome{json: v}
	}
	g.flat = f.expand(g.applicableSchemas, v)
	if u, ok := f.open(g.flat, g.chosen, v); ok {
		return f.fitUnion(g, u, v, path)
	}
	kinds := possible(g.flat)
	if kinds&kindOf(v) == 0 {
		return f.convert(g, kinds, v, path)
	}
	r := f.fitInside(g, v, path)
	if r.fits || kinds == kindAll {
		return r // if any type is allowed, converting the type would only evade the limits of the current type
	}
	if c := f.convert(g, kinds, v, path); c.fits {
		return c
	}
	return r
}

// fitInside coerces a value of a permitted type: its members, elements or spelling.
func (f *fitter) fitInside(g goal, v []byte, path string) outcome {
	switch kindOf(v) {
	case kindObject:
		return f.fitObject(g, v, path)
	case kindArray:
		return f.fitArray(g, v, path)
	case kindString:
		return f.fitSpelling(g, v, path)
	}
	return outcome{json: v}
}

func (f *fitter) fitArray(g goal, v []byte, path string) outcome {
	var edits []jsonx.Edit
	var changes []Change
	i := 0
	for e := range jsonx.Elements(v) {
		if view := itemOf(g.flat, i); len(view) > 0 {
			if r := f.fit(goal{applicableSchemas: view}, e, path+"/"+itoa(i)); len(r.changes) > 0 {
				start, end := jsonx.Span(v, e)
				edits = append(edits, jsonx.Edit{Start: start, End: end, New: r.json})
				changes = append(changes, r.changes...)
			}
		}
		i++
	}
	return f.applyEdits(g, v, edits, changes)
}

// applyEdits applies the edits to v and checks the result against the goal.
func (f *fitter) applyEdits(g goal, v []byte, edits []jsonx.Edit, changes []Change) outcome {
	if len(edits) == 0 {
		return outcome{json: v}
	}
	out := jsonx.Splice(nil, v, edits...)
	return outcome{json: out, changes: changes, fits: f.check(g.applicableSchemas, out)}
}
