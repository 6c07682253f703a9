package callrule

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
)

// A Setting is a rule as written in a configuration. The tags are those of package config.
type Setting struct {
	Name    string           `json:"name,omitempty" example:"no-delete" jsonschema:"its name, in reports, traces, metrics and what models and clients are told; required"`
	Tools   []string         `json:"tools,omitempty" example:"[delete_*]" jsonschema:"patterns of the declared names of tools; an asterisk stands for any characters; required"`
	Keys    []string         `json:"keys,omitempty" default:"all callers" example:"[ci]" jsonschema:"patterns of the names of keys with which requests come; where it is given, requests without a key and runs of agents are left alone, but for the pattern *"`
	Groups  []string         `json:"groups,omitempty" default:"all callers" example:"[interns]" jsonschema:"patterns of the names of groups of keys; where it is given, requests with a key in no group, and those without a key, are left alone. With keys beside it, a request fits one of both"`
	When    Expression       `json:"when,omitempty" default:"every call" example:"'!args.command.startsWith(\"git \")'" jsonschema:"an expression of CEL over the call that is true for those that the rule is about"`
	Action  callcheck.Action `json:"action,omitempty" default:"refuse" jsonschema:"what becomes of such a call: refuse, or park, and a person is asked in a run of an agent; a gateway, which has nobody to ask, refuses it"`
	Message string           `json:"message,omitempty" default:"none" example:"deletions are not allowed for ci" jsonschema:"why, for the model and the client"`
	OnError OnError          `json:"on_error,omitempty" default:"refuse" jsonschema:"what becomes of a call for which the expression cannot be evaluated, such as one without a member that it names: refuse or allow"`
}

// An Expression is the text of an expression.
type Expression string

// An OnError is the action if the evaluation of a rule fails.
type OnError string

// Actions and OnErrors are the allowed values of action and on_error.
var (
	Actions  = []string{string(callcheck.Refuse), string(callcheck.Park)}
	OnErrors = []string{string(callcheck.Refuse), string(callcheck.Allow)}
)

// Of compiles the rules of a configuration. It returns nil if there are none. An error names the rule.
func Of(list []Setting) (*Set, error) {
	rules := make([]Rule, len(list))
	for i := range list {
		s := &list[i]
		rules[i] = Rule{Name: s.Name, Tools: s.Tools, Keys: s.Keys, Groups: s.Groups, When: string(s.When), Message: s.Message,
			Action: cmp.Or(s.Action, callcheck.Refuse), OnError: cmp.Or(callcheck.Action(s.OnError), callcheck.Refuse)}
	}
	return New(rules)
}

// maxName is the maximum length in bytes of a rule's name, which is a label of metrics.
const maxName = 64

// A Fault is an error in a setting. At is the key of the setting, "" for the rule as a whole.
type Fault struct{ At, Message string }

// Faults returns the errors in the setting, without those in its expression: see [Check].
func (s *Setting) Faults() (out []Fault) {
	switch {
	case s.Name == "":
		out = append(out, Fault{"", "expected name, by which the rule is known in reports and metrics"})
	case len(s.Name) > maxName || strings.ContainsFunc(s.Name, func(c rune) bool { return unicode.IsControl(c) || unicode.IsSpace(c) }):
		out = append(out, Fault{"name", fmt.Sprintf("expected a name of at most %d bytes without blanks, got %q", maxName,
			callwright.Excerpt(s.Name))})
	}
	if len(s.Tools) == 0 {
		out = append(out, Fault{"", "expected tools, such as [delete_*], or ['*'] for all"})
	}
	for _, list := range []struct {
		at       string
		patterns []string
	}{{"tools", s.Tools}, {"keys", s.Keys}, {"groups", s.Groups}} {
		for i, p := range list.patterns {
			if _, err := path.Match(p, ""); err != nil || strings.TrimSpace(p) == "" {
				out = append(out, Fault{fmt.Sprintf("%s[%d]", list.at, i), fmt.Sprintf("expected a pattern such as delete_*, got %q", p)})
			}
		}
	}
	return out
}

// FitsName reports whether a pattern of keys or groups matches a name.
func FitsName(pattern, name string) bool { return matches([]string{pattern}, name) }

// ForAgent returns a function that checks the calls of an agent by rules, nil if no rule can match any of them.
func ForAgent(list []Setting, model callwright.ModelID) (callcheck.ForAgent, error) {
	set, err := Of(list)
	if err != nil {
		return nil, err
	}
	check := set.For(callcheck.Caller{Client: callcheck.AgentClient, Model: model})
	if check == nil {
		return nil, nil
	}
	return func(c callwright.Call) (string, error) {
		switch f := check.Find(&c); f.Action {
		case callcheck.Refuse:
			return "", fmt.Errorf("the call of %s %s", c.Name, f.Text())
		case callcheck.Park:
			return f.Question(), nil
		}
		return "", nil
	}, nil
}
