package judge

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/schema"
)

// An argError is the reason why arguments cannot be read.
type argError struct {
	why       callwright.InvalidReason
	violation callwright.Violation
}

// EmptyArguments is the empty JSON object.
var EmptyArguments = json.RawMessage("{}")

// arguments returns a candidate's arguments as a JSON object.
func (j *Judge) arguments(c *Candidate, tg *Target) ([]byte, *argError) {
	if c.Found != nil {
		for _, f := range c.Found.Fixes {
			j.NoteFix(f, tg.Tool.Name)
		}
		if c.Found.JSON == "" {
			return j.assemble(c.Args, tg)
		}
	}
	return j.repairObject(c.Text, tg.Tool.Name)
}

// repairObject returns text as a JSON object, repaired by package repair if necessary. Each repair must be permitted
// by the policy and is noted with rule json.RULE.
func (j *Judge) repairObject(text, tool string) ([]byte, *argError) {
	if raw := []byte(text); jsonx.Valid(raw) == nil && jsonx.KindOf(raw) == jsonx.Object {
		return raw, nil
	}
	if saysNothing(text) {
		if !j.Ledger.May("json.empty") {
			return nil, malformedError("the arguments are missing")
		}
		j.Ledger.Add(callwright.Note{Rule: "json.empty", Stage: callwright.StageValidate, Call: tool, Was: text, Now: "{}"})
		return EmptyArguments, nil
	}
	r, err := repair.JSON(text)
	switch {
	case errors.Is(err, repair.ErrTruncated):
		return nil, &argError{callwright.InvalidTruncated,
			callwright.Violation{Keyword: "truncated", Message: "the arguments were cut inside a value"}}
	case err != nil:
		if raw, ok := j.pythonObject(text, tool); ok {
			return raw, nil
		}
		return nil, malformedError("the arguments are not a JSON object: " + err.Error())
	}
	for _, f := range r.Fixes {
		switch {
		case j.Ledger.May("json." + f.Rule):
		case f.Rule == "trailing_value":
			return nil, malformedError("the arguments are several JSON values, one behind the other")
		default:
			return nil, malformedError("the arguments are not valid JSON, and " + f.Rule + " is not mended here")
		}
	}
	if r.Unclosed > 0 && !j.Ledger.May("json.unclosed") {
		return nil, malformedError("the arguments are not closed")
	}
	if jsonx.KindOf(r.JSON) != jsonx.Object {
		return j.unwrapArguments(r, tool)
	}
	for _, f := range r.Fixes {
		j.NoteFix(f, tool)
	}
	if rest := strings.TrimSpace(r.Rest); rest != "" && !slices.ContainsFunc(r.Fixes, endsBefore) {
		j.Ledger.Add(callwright.Note{Rule: "json.trailing_text", Stage: callwright.StageValidate, Call: tool, Was: r.Rest})
	}
	return r.JSON, nil
}

// pythonObject converts arguments in Python syntax, key="value" with or without parentheses, to a JSON object. ok is
// false if one is positional, not a literal or needs a repair.
func (j *Judge) pythonObject(text, tool string) ([]byte, bool) {
	inner := strings.TrimSpace(text)
	if !strings.HasPrefix(inner, "(") {
		inner = "(" + inner + ")"
	}
	args, n, err := repair.PythonArgs(inner)
	if err != nil || n != len(inner) || len(args) == 0 || !j.Ledger.May("json.python_arguments") {
		return nil, false
	}
	var list jsonx.List
	for i := range args {
		a := &args[i]
		if _, given := list.Get(a.Key); given || a.Key == "" || a.JSON == nil || slices.ContainsFunc(a.Fixes, isDoubtful) {
			return nil, false
		}
		list = append(list, jsonx.Member{Key: a.Key, Value: a.JSON})
	}
	raw := list.Append(nil)
	j.Ledger.Add(callwright.Note{Rule: "json.python_arguments", Stage: callwright.StageValidate, Call: tool, Was: text, Now: string(raw)})
	return raw, true
}

// isDoubtful reports whether a repair is more than another notation of the same value.
func isDoubtful(f repair.Fix) bool { return repair.RiskOf(f.Rule) != repair.Lossless }

// endsBefore reports whether a repair ignored text after the value.
func endsBefore(f repair.Fix) bool { return f.Rule == "trailing_value" || f.Rule == "trailing_text" }

// saysNothing reports whether text means no arguments: white space, null, None or undefined, or the empty array that
// PHP writes for an empty object.
func saysNothing(text string) bool {
	switch strings.TrimSpace(text) {
	case "", "null", "None", "undefined", "[]":
		return true
	}
	return false
}

// unwrapArguments extracts the object from a JSON string that contains it, or from an array with a single element.
func (j *Judge) unwrapArguments(r repair.Result, tool string) ([]byte, *argError) {
	rule, inner := "", ""
	if s, ok := jsonx.String(r.JSON); ok {
		rule, inner = "json.double_encoded", s
	} else if jsonx.KindOf(r.JSON) == jsonx.Array && r.Unclosed == 0 {
		if only, ok := onlyElement(r.JSON); ok && jsonx.KindOf(only) == jsonx.Object {
			rule, inner = "json.list_of_one", string(only)
		}
	}
	if rule == "" || r.Rest != "" || !j.Ledger.May(rule) {
		return nil, malformedError("the arguments are not a JSON object")
	}
	raw, bad := j.repairObject(inner, tool)
	if bad != nil {
		return nil, bad
	}
	for _, f := range r.Fixes {
		j.NoteFix(f, tool)
	}
	j.Ledger.Add(callwright.Note{Rule: rule, Stage: callwright.StageValidate, Call: tool, Was: string(r.JSON), Now: string(raw)})
	return raw, nil
}

// onlyElement returns the element of an array with exactly one.
func onlyElement(array []byte) (only []byte, ok bool) {
	for v := range jsonx.Elements(array) {
		if ok {
			return nil, false
		}
		only, ok = v, true
	}
	return only, ok
}

func malformedError(message string) *argError {
	return &argError{callwright.InvalidMalformed, callwright.Violation{Keyword: "json", Message: message}}
}

// NoteFix adds a note about a JSON repair.
func (j *Judge) NoteFix(f repair.Fix, tool string) {
	j.Ledger.Add(callwright.Note{
		Rule: "json." + f.Rule, Stage: callwright.StageValidate, Call: tool, Was: f.Was, Now: f.Now, Risk: riskOfFix(f.Rule),
		Why: "at byte " + strconv.Itoa(f.Offset),
	})
}

// assemble builds the arguments object from separate arguments. The last of several arguments with the same name
// counts. A value is interpreted by the sent schema if it then satisfies this schema, otherwise by the declared one.
func (j *Judge) assemble(args []dialect.Arg, tg *Target) ([]byte, *argError) {
	var doc jsonx.List
	sent := j.Undo.sentSchema(tg.Tool.Name)
	for _, a := range args {
		path, kind := []string{a.Key}, textKind(a.Kind)
		value := tg.schema.FromText(path, a.Text, kind)
		if sent != nil {
			if asSent := sent.FromText(path, a.Text, kind); fitsMember(sent, a.Key, asSent) {
				value = asSent
			}
		}
		doc.Set(a.Key, value)
	}
	return doc.Append(nil), nil
}

func textKind(k dialect.ArgKind) schema.TextKind {
	switch k {
	case dialect.JSON:
		return schema.JSON
	case dialect.Python:
		return schema.Python
	}
	return schema.Literal
}

// joinBounded joins at most n names and states the number of further ones.
func joinBounded(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:n], ", ") + " and " + strconv.Itoa(len(names)-n) + " more"
}
