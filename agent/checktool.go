package agent

import (
	"errors"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// maxName is the maximum length of a tool name in bytes.
const maxName = 128

// CheckTool returns the first fault that prevents an agent from using the tool, nil if there is none. Errors are
// *callwright.Error of KindSchema for faults of the schema and of KindInvalid for all others. The message contains the
// tool's name. Path begins with /name, /description, /schema, /run, /aliases, /timeout, /effects, /approval or
// /run_argument.
func CheckTool(t Tool) error {
	params, bad := t.params()
	switch {
	case !isToolName(t.Name):
		return t.invalid("/name", "expected a name of up to 128 letters, digits, '_', '-', '.', ':' and '/'")
	case t.err != nil:
		e := t.invalid("/schema", "the schema of the arguments cannot be generated")
		e.Kind, e.Err = callwright.KindSchema, t.err
		return e
	case !utf8.ValidString(t.Description):
		return t.invalid("/description", "expected UTF-8")
	case slices.ContainsFunc(t.Aliases, func(name string) bool { return !isToolName(name) }):
		return t.invalid("/aliases", "expected valid names of tools")
	case t.Run == nil && !t.PersonOnly:
		return t.invalid("/run", "expected a function, got nil")
	case bad != nil:
		return bad
	case t.Timeout < 0:
		return t.invalid("/timeout", "expected a time of 0 or more, got "+t.Timeout.String())
	case t.Effects > EffectsDestructive:
		return t.invalid("/effects", "expected a constant of Effects, got "+strconv.Itoa(int(t.Effects)))
	case !t.Approval.isKnown():
		return t.invalid("/approval", "expected never, once, always or nothing, got "+strconv.Quote(string(t.Approval)))
	case t.RunArgument == "":
		return nil
	}
	at := slices.IndexFunc(params, func(p schema.Param) bool { return p.Name == t.RunArgument })
	if at < 0 || !slices.Equal(params[at].Types, []string{"string"}) {
		return t.invalid("/run_argument", "expected the name of a string parameter, got "+strconv.Quote(t.RunArgument))
	}
	return nil
}

// Err returns the error of [Func] for argument types that have no schema, nil if there is none.
func (t Tool) Err() error { return t.err }

// params returns the parameters that the tool's schema declares, or the fault of the schema.
func (t Tool) params() ([]schema.Param, error) {
	if t.Schema == nil {
		return nil, nil
	}
	bad := func(path, why string) error {
		e := t.invalid("/schema"+path, why)
		e.Kind = callwright.KindSchema
		return e
	}
	s, err := schema.Compile(t.Schema)
	if e, ok := errors.AsType[*schema.CompileError](err); ok {
		return nil, bad(e.Path, e.Reason)
	}
	for _, u := range s.UncheckedParts() {
		if u.Keyword == "type" { // an error here, although requests of clients may have unknown types
			return nil, bad(u.Path, u.Why)
		}
	}
	if jsonx.KindOf(t.Schema) != jsonx.Object {
		return nil, bad("", "expected a schema of an object, got "+jsonx.KindOf(t.Schema).String())
	}
	kind, given := jsonx.Find(t.Schema, "type")
	if now, _ := schema.TypeName(jsonx.TextOf(kind)); given && now != "object" {
		return nil, bad("/type", `expected "object", got `+jsonx.Clip(string(kind), 80))
	}
	return s.Params(), nil
}

func (t Tool) invalid(path, why string) *callwright.Error {
	return callwright.Errorf("agent.check_tool", callwright.KindInvalid, path, "tool %q: %s", jsonx.Clip(t.Name, maxName), why)
}

func isToolName(s string) bool {
	if s == "" || len(s) > maxName {
		return false
	}
	for _, c := range s {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '_', c == '-', c == '.', c == ':', c == '/':
		default:
			return false
		}
	}
	return true
}
