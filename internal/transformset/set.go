package transformset

import (
	"errors"
	"fmt"
	"hash"
	"maps"
	"reflect"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/transform"
)

// A Set is a list of transforms, applied in order. A nil Set has none. A Set is immutable. It is safe for concurrent
// use if its transform functions are.
type Set struct {
	list []transform.Transform
	// asked marks notes as requested by the operator. The policy strict rejects changes that a request or an answer needs,
	// but not these.
	asked bool
}

// New returns a Set of the transforms in list, without those whose rule is disabled in rules. It returns nil if no
// transform remains, or the policy is off or observe.
func New(list []transform.Transform, policy callwright.Policy, rules map[string]bool) *Set {
	if policy == callwright.PolicyOff || policy == callwright.PolicyObserve {
		return nil
	}
	s := &Set{asked: policy == callwright.PolicyStrict}
	for _, t := range list {
		if on, said := rules[ruleOf(&t)]; on || !said {
			s.list = append(s.list, t)
		}
	}
	if s.list == nil {
		return nil
	}
	return s
}

// Of returns the Set that is configured for a model. It returns nil if m has no method Transforms.
func Of(m callwright.Model) *Set {
	if t, ok := m.(interface{ Transforms() *Set }); ok {
		return t.Transforms()
	}
	return nil
}

// Then returns a Set with the transforms of s followed by those of next.
func (s *Set) Then(next *Set) *Set {
	switch {
	case s == nil:
		return next
	case next == nil:
		return s
	}
	return &Set{list: slices.Concat(s.list, next.list), asked: s.asked || next.asked}
}

// Rules returns rules with the additional rules that the transforms enable. An entry in rules takes precedence.
func (s *Set) Rules(rules map[string]bool) map[string]bool {
	if s == nil {
		return rules
	}
	out := map[string]bool{}
	for _, t := range s.list {
		for _, r := range t.Rules {
			out[r] = true
		}
	}
	maps.Copy(out, rules)
	return out
}

// Facts returns the facts about the model that the transforms declare.
func (s *Set) Facts() []caps.Fact {
	if s == nil {
		return nil
	}
	var out []caps.Fact
	for _, t := range s.list {
		out = append(out, t.Facts...)
	}
	return out
}

// AddTo writes the names of the transforms to a hash, in order.
func (s *Set) AddTo(h hash.Hash) {
	if s == nil {
		return
	}
	for _, t := range s.list {
		fmt.Fprintf(h, "%s %s ", t.Point, t.Name)
	}
}

// Has reports whether a transform with a function exists for one of the points.
func (s *Set) Has(points ...transform.Point) bool {
	return s != nil && slices.ContainsFunc(s.list,
		func(t transform.Transform) bool { return t.Func() != nil && slices.Contains(points, t.Point) })
}

// ruleOf returns the rule ID of a transform's notes. It returns "" for a transform that was not created by package
// transform.
func ruleOf(t *transform.Transform) string {
	if len(t.Rules) == 0 {
		return ""
	}
	return t.Rules[0]
}

// pointFuncs contains the functions needed to transform the values of one point.
type pointFuncs[T any] struct {
	at    transform.Point
	stage callwright.Stage
	copy  func(T) T
	// text returns the part of a value that is quoted in a note. call returns the name of the tool call of a note.
	text func(T) string
	call func(T) string
}

// run applies the transforms of one point to the value v. changed is false if the result equals v; out is then v
// itself.
func run[T any](s *Set, of *pointFuncs[T], v T, note func(callwright.Note)) (out T, changed bool, err error) {
	for i := range s.list {
		t := &s.list[i]
		f, ok := t.Func().(func(T) (T, error))
		if !ok || t.Point != of.at {
			continue
		}
		given := of.copy(v)
		now, err := callWithRecover(t, f, of.copy(v))
		switch {
		case err != nil:
			return v, false, err
		case reflect.DeepEqual(now, given):
			continue
		}
		n := callwright.Note{Rule: ruleOf(t), Stage: of.stage, Call: of.call(v), Was: of.text(v), Now: of.text(now),
			Why: "a transform asks for it"}
		if !s.asked {
			n.Risk = callwright.RiskLossless
		}
		note(n)
		v, changed = now, true
	}
	return v, changed, nil
}

// callWithRecover calls the function of a transform. It returns errors and panics as *callwright.Error.
func callWithRecover[T any](t *transform.Transform, f func(T) (T, error), v T) (out T, failed error) {
	defer func() {
		if p := recover(); p != nil {
			failed = callwright.Errorf("transform", callwright.KindInternal, "", "the %s transform %s panicked: %s", t.Point,
				t.Name, callwright.Excerpt(fmt.Sprint(p)))
		}
	}()
	out, err := f(v)
	if err == nil {
		return out, nil
	}
	e := callwright.Errorf("transform", callwright.KindOf(err), "", "the %s transform %s failed", t.Point, t.Name)
	e.Err = err
	if own, ok := errors.AsType[*callwright.Error](err); ok {
		e.Status, e.Code, e.RetryAfter = own.Status, own.Code, own.RetryAfter
	}
	return out, e
}
