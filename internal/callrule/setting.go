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
	Name    string           `json:"name,omitempty" example:"no-delete" jsonschema:"the name of the rule, in reports, traces, metrics and messages to models and clients; required"`
	Tools   []string         `json:"tools,omitempty" example:"[delete_*]" jsonschema:"patterns of the declared tool names; an asterisk matches any characters; required"`
	Keys    []string         `json:"keys,omitempty" default:"all callers" example:"[ci]" jsonschema:"patterns of key names. With keys, the rule does not apply to requests without a key and to agent runs, unless a pattern is *"`
	Groups  []string         `json:"groups,omitempty" default:"all callers" example:"[interns]" jsonschema:"patterns of group names. With groups, the rule does not apply to requests without a key or with a key without a group. With keys and groups, one match is enough"`
	When    Expression       `json:"when,omitempty" default:"every call" example:"'!args.command.startsWith(\"git \")'" jsonschema:"a CEL expression that is true for the calls to which the rule applies"`
	Action  callcheck.Action `json:"action,omitempty" default:"refuse" jsonschema:"refuse the call, or park it until a person approves it. Only agent runs can park; a gateway refuses the call"`
	Message string           `json:"message,omitempty" default:"none" example:"deletions are not allowed for ci" jsonschema:"the reason, for the model and the client"`
	OnError OnError          `json:"on_error,omitempty" default:"refuse" jsonschema:"the action if the expression cannot be evaluated, for example because the call lacks a member: refuse or allow"`
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
		out = append(out, Fault{"", "expected name, the name of the rule in reports and metrics"})
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
