package callrule

import (
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/toolglob"
)

// A Rule is one call rule. In patterns, '*' matches any characters.
type Rule struct {
	Name    string
	Tools   []string         // patterns of declared tool names
	Keys    []string         // patterns of key names
	Groups  []string         // patterns of key group names; if Keys and Groups are empty, the rule applies to all callers
	When    string           // CEL expression; "" matches every call
	Action  callcheck.Action // callcheck.Refuse or callcheck.Park
	Message string           // reason, shown to the model and the client
	OnError callcheck.Action // callcheck.Refuse or callcheck.Allow, if the evaluation of When fails
}

// A Set is an ordered list of compiled rules. It is safe for concurrent use.
type Set struct{ rules []compiled }

type compiled struct {
	Rule
	when *expression // nil matches every call
}

var _ callcheck.Rules = (*Set)(nil)

// New compiles rules. It returns nil if there are none. An error names the rule.
func New(rules []Rule) (*Set, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	s := &Set{rules: make([]compiled, 0, len(rules))}
	for i := range rules {
		c := compiled{Rule: rules[i]}
		if c.When != "" {
			var err error
			if c.when, err = compile(c.When); err != nil {
				return nil, fmt.Errorf("call rule %s: %w", c.Name, err)
			}
		}
		s.rules = append(s.rules, c)
	}
	return s, nil
}

// AddTo adds the rules to a hash.
func (s *Set) AddTo(h hash.Hash) {
	if s == nil {
		return
	}
	for i := range s.rules {
		fmt.Fprintf(h, "%q", s.rules[i].Rule)
	}
}

// For implements callcheck.Rules.
func (s *Set) For(c callcheck.Caller) callcheck.Check {
	if s == nil {
		return nil
	}
	for i := range s.rules {
		if s.rules[i].isFor(&c) {
			return &check{rules: s.rules, caller: c}
		}
	}
	return nil
}

// isFor reports whether the rule applies to a caller.
func (r *Rule) isFor(c *callcheck.Caller) bool {
	return len(r.Keys)+len(r.Groups) == 0 || matches(r.Keys, c.Key) || c.Group != "" && matches(r.Groups, c.Group)
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return toolglob.Matches(p, name) })
}

// A check has the rules for one caller.
type check struct {
	rules  []compiled
	caller callcheck.Caller
}

// about reports whether a rule applies to a tool and the caller. Rules with the action callcheck.Park do not apply to
// callers that ask a person themselves.
func (k *check) about(r *compiled, tool string) bool {
	return matches(r.Tools, tool) && r.isFor(&k.caller) && (r.Action != callcheck.Park || !k.caller.Asks)
}

// Covers implements callcheck.Check.
func (k *check) Covers(tool string) bool {
	return slices.ContainsFunc(k.rules, func(r compiled) bool { return k.about(&r, tool) })
}

// Bars implements callcheck.Check.
func (k *check) Bars(tool string) bool {
	return slices.ContainsFunc(k.rules, func(r compiled) bool { return r.when == nil && k.about(&r, tool) })
}

// Find implements callcheck.Check. A rule that rejects takes precedence over one that parks. Both take precedence over
// a rule whose evaluation failed and that allows the call.
func (k *check) Find(c *callwright.Call) (found callcheck.Finding) {
	var variables map[string]any
	for i := range k.rules {
		r := &k.rules[i]
		if !k.about(r, c.Name) {
			continue
		}
		f := callcheck.Finding{Rule: r.Name, Action: r.Action, Message: r.Message}
		if r.when != nil {
			var err error
			if variables == nil {
				variables, err = k.variables(c)
			}
			fits := err == nil
			if fits {
				fits, err = r.when.holds(variables)
			}
			switch {
			case err != nil:
				f = callcheck.Finding{Rule: r.Name, Action: r.OnError, Message: plain(err), Failed: true}
			case !fits:
				continue
			}
		}
		if f.Action == callcheck.Refuse {
			return f
		}
		if found.Rule == "" || found.Action == callcheck.Allow {
			found = f
		}
	}
	return found
}

// variables returns the variables of expressions for a call.
func (k *check) variables(c *callwright.Call) (map[string]any, error) {
	args, err := argumentsOf(c)
	if err != nil {
		return nil, err
	}
	session := ""
	if k.caller.Session != nil {
		session = k.caller.Session()
	}
	return map[string]any{"tool": c.Name, "args": args, "key": k.caller.Key, "group": k.caller.Group,
		"model": string(k.caller.Model), "client": k.caller.Client, "session": session}, nil
}

// plain returns the text of an evaluation error as one line.
func plain(err error) string {
	return callwright.Excerpt(strings.Join(strings.Fields(err.Error()), " "))
}
