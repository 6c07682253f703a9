package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/callrule"
	"github.com/callwright/callwright/internal/config/internal/yamlnode"
	"github.com/goccy/go-yaml/ast"
)

// CallRules are rules that refuse tool calls, or hold them until a person approves, in the order of the file.
type CallRules []callrule.Setting

// readExpression reads a CEL expression and checks that it compiles.
func readExpression(_ *decoder, text string) (any, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New(`expected an expression such as args.path.startsWith("/etc"), got nothing: omit "when" to match every call`)
	}
	if p := callrule.Check(text); p != nil {
		return nil, p
	}
	return callrule.Expression(text), nil
}

// failInside reports an error inside an expression. The error has the exact line and column if the expression is one
// line without escapes, else the position of the whole expression.
func (d *decoder) failInside(at location, p *callrule.Problem) {
	n, plain := at.node.(*ast.StringNode)
	if !plain || p.Line > 1 || strings.ContainsAny(n.GetToken().Origin, "\\\n") {
		d.fail(at, "line %d, column %d of the expression: %s", p.Line, p.Column, p.Message)
		return
	}
	d.fail(at, "%s", p.Message)
	last := d.errs[len(d.errs)-1]
	if last.Column += p.Column - 1; yamlnode.IsQuoted(n) {
		last.Column++
	}
}

// callRules reports errors in all call rules of the configuration, and reports a policy that would disable them.
func (k *checker) callRules() {
	first := map[string]string{} // the path of the first rule of each name
	k.rulesAt("", k.c.CallRules, first)
	for path, s := range k.allSettings() {
		k.rulesAt(path, s.CallRules, first)
	}
	if len(first) == 0 {
		return
	}
	for path, s := range k.allSettings() {
		switch s.Policy {
		case callwright.PolicyOff: // a missing rule is better than a rule without effect
			k.fail(path+".policy", "call rules have no effect with policy off: set policy heal and switch off single rules, or leave call_rules out")
		case callwright.PolicyObserve:
			k.warn(path+".policy", "call rules refuse nothing with policy observe: reports list the calls they would refuse")
		}
	}
}

// allSettings yields the settings of each provider and each model entry with their paths, such as models.fast.
func (k *checker) allSettings() func(yield func(string, *Settings) bool) {
	return func(yield func(string, *Settings) bool) {
		for i := range k.c.Providers {
			if p := &k.c.Providers[i]; !yield(joinPath("providers", p.Name), &p.Settings) {
				return
			}
		}
		for i := range k.c.Models {
			if m := &k.c.Models[i]; !yield(joinPath("models", m.Name), &m.Settings) {
				return
			}
		}
	}
}

// rulesAt reports errors in the rules l below the path at. first maps the names of earlier rules to their paths, and
// rulesAt adds the names in l.
func (k *checker) rulesAt(at string, l CallRules, first map[string]string) {
	for i := range l {
		r, path := &l[i], fmt.Sprintf("%s[%d]", joinPath(at, "call_rules"), i)
		if k.bad(path) {
			continue
		}
		for _, f := range r.Faults() {
			k.fail(strings.TrimSuffix(path+"."+f.At, "."), "%s", f.Message)
		}
		if there, twice := first[r.Name]; twice && r.Name != "" {
			k.fail(path+".name", "%s already has the name %q: give each rule its own name", there, r.Name)
		}
		first[r.Name] = path
		for i, p := range r.Groups {
			known := func(g KeyGroup) bool { return callrule.FitsName(p, g.Name) }
			if p != "*" && !k.bad("groups") && !slices.ContainsFunc(k.c.Groups, known) {
				k.warn(fmt.Sprintf("%s.groups[%d]", path, i),
					"%q matches no group of the configuration: the rule applies only to groups created by the API", p)
			}
		}
		for i, p := range r.Keys {
			known := func(a AccessKey) bool { return callrule.FitsName(p, a.Name) }
			if p != "*" && k.c.KeysFile == "" && !k.bad("keys") && !slices.ContainsFunc(k.c.Keys, known) { // else keys_file may have it
				k.warn(fmt.Sprintf("%s.keys[%d]", path, i), "%q matches no key of the configuration: the rule applies only to keys created by the API", p)
			}
		}
	}
}

// CallCheck returns a function that checks an agent's tool calls by the call rules of the named models and their
// fallbacks. It returns nil if there is no such rule. An unknown name is an error.
func (r *Registry) CallCheck(names ...string) (callcheck.ForAgent, error) {
	var rules CallRules
	model := callwright.ModelID("")
	for _, name := range names {
		candidates, err := r.chain(name)
		if err != nil {
			return nil, notFound(err)
		}
		model = cmp.Or(model, candidates[0].id)
		for _, f := range candidates {
			for _, rule := range f.settings.CallRules {
				if !slices.ContainsFunc(rules, func(have callrule.Setting) bool { return reflect.DeepEqual(have, rule) }) {
					rules = append(rules, rule)
				}
			}
		}
	}
	return callrule.ForAgent(rules, model)
}
