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

// A Set is a list of transforms in the order in which they are made. The nil Set has none. It does not change and is
// safe for concurrent use where its functions are.
type Set struct {
	list []transform.Transform
	// asked says that the notes do not count as changes for the policy. The policy strict rejects changes that a request
	// or an answer needs, but not transforms that are configured by name.
	asked bool
}

// New returns the Set of a list under a policy, without those whose rule is switched off. It is nil where nothing is to
// be made: the policies off and observe make none.
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

// Of returns the Set that a model has of its own, by its method Transforms, as its configuration gives it; nil for one
// without.
func Of(m callwright.Model) *Set {
	if t, ok := m.(interface{ Transforms() *Set }); ok {
		return t.Transforms()
	}
	return nil
}

// Then returns the Set with the transforms of s and then those of next.
func (s *Set) Then(next *Set) *Set {
	switch {
	case s == nil:
		return next
	case next == nil:
		return s
	}
	return &Set{list: slices.Concat(s.list, next.list), asked: s.asked || next.asked}
}

// Rules returns rules with the rules that transforms switch on by another name. A setting in rules has precedence.
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

// Facts are the transforms' facts about the model.
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

// AddTo adds the names of the transforms to a hash, in order.
func (s *Set) AddTo(h hash.Hash) {
	if s == nil {
		return
	}
	for _, t := range s.list {
		fmt.Fprintf(h, "%s %s ", t.Point, t.Name)
	}
}

// Has reports whether a function stands at one of the points.
func (s *Set) Has(points ...transform.Point) bool {
	return s != nil && slices.ContainsFunc(s.list,
		func(t transform.Transform) bool { return t.Func() != nil && slices.Contains(points, t.Point) })
}

// ruleOf returns the rule of the notes of a transform, "" for one that package transform did not make.
func ruleOf(t *transform.Transform) string {
	if len(t.Rules) == 0 {
		return ""
	}
	return t.Rules[0]
}

// A shape holds the functions for the values of one point.
type shape[T any] struct {
	at    transform.Point
	stage callwright.Stage
	copy  func(T) T
	// text returns the part of a value that a note quotes. call returns the name of the call that the note is about.
	text func(T) string
	call func(T) string
}

// run makes the transforms of a point of one value. changed reports whether anything is different; an unchanged value
// is v itself.
func run[T any](s *Set, of *shape[T], v T, note func(callwright.Note)) (out T, changed bool, err error) {
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

// callWithRecover calls the function of a transform. Its errors, and its panics, are *Error.
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
