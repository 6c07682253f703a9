package toolfile

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
)

// A condition is a regular expression that one value of the arguments must match.
type condition struct {
	steps []string // unescaped tokens of the JSON pointer to the value
	expr  *regexp.Regexp
}

// approveIf parses the member "approve_if" of a tool into t.ApproveIf. It must run after approve.
func (r *reader) approveIf(v []byte, at string, t *agent.Tool) {
	if _, ok := r.object(v, at, form{what: "an object of JSON pointers and regular expressions"}); !ok {
		return
	}
	var conditions []condition
	for key, value := range jsonx.Members(v) {
		pointer := key.String()
		place := below(at, pointer)
		steps, ok := stepsOf(pointer)
		if !ok {
			r.fail(place, "expected a JSON pointer such as /path, got %q", clipName(pointer))
		}
		expr, err := regexp.Compile(r.text(value, place))
		if err != nil {
			r.fail(place, "expected a regular expression: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		conditions = append(conditions, condition{steps, expr})
	}
	switch {
	case len(conditions) == 0:
		r.fail(at, "expected at least one JSON pointer")
	case t.Approval == agent.ApproveNever:
		r.fail(at, `it has no effect with "approve": "never"`)
	case t.Approval == agent.ApproveByEffects:
		t.Approval = agent.ApproveAlways
	}
	t.ApproveIf = func(arguments json.RawMessage) bool {
		for _, c := range conditions {
			if !c.matches(arguments, c.steps) {
				return false
			}
		}
		return true
	}
}

// stepsOf splits a JSON pointer into its unescaped tokens, such as "/a/b~1c" into "a" and "b/c". ok is false if the
// pointer is invalid.
func stepsOf(pointer string) ([]string, bool) {
	if pointer == "" {
		return nil, true
	}
	steps := strings.Split(pointer, "/")
	for i, s := range steps {
		if rest := strings.NewReplacer("~0", "", "~1", "").Replace(s); strings.Contains(rest, "~") {
			return nil, false
		}
		steps[i] = jsonx.UnescapeToken(s)
	}
	return steps[1:], steps[0] == ""
}

// matches reports whether the value at the path steps in v matches the expression; false if there is no such value. A
// string is matched by its content, any other value by its compact JSON. Of duplicate members, one match suffices.
func (c condition) matches(v []byte, steps []string) bool {
	if len(steps) == 0 {
		if s, ok := jsonx.String(v); ok {
			return c.expr.MatchString(s)
		}
		return c.expr.Match(jsonx.Compact(nil, v))
	}
	i := 0
	for e := range jsonx.Elements(v) {
		if strconv.Itoa(i) == steps[0] {
			return c.matches(e, steps[1:])
		}
		i++
	}
	for key, e := range jsonx.Members(v) {
		if key.Is(steps[0]) && c.matches(e, steps[1:]) {
			return true
		}
	}
	return false
}
