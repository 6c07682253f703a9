package schema

import (
	"github.com/callwright/callwright/internal/jsonx"
)

// Options configure Coerce. The zero value allows all rules except heuristic ones.
type Options struct {
	// Disabled reports whether a rule is disabled. If it is nil, no rule is disabled.
	Disabled func(rule string) bool
	// Guesses enables the heuristic rules, see RuleTable.
	Guesses Guesses
	// Mend converts a string with almost valid JSON to one valid JSON value. ok is false if it cannot. If Mend is nil,
	// strings are parsed only as valid JSON.
	Mend func(text string) ([]byte, bool)
}

// Guesses is a flag that enables the heuristic rules.
type Guesses uint8

// The values of Guesses. NoGuesses disables heuristic rules, WithGuesses enables them.
const (
	NoGuesses Guesses = iota
	WithGuesses
)

// Change describes one change by Coerce.
type Change struct {
	Rule      string // name of the rule, see RuleTable
	Path      string // JSON pointer into the original document
	Was       string // original value, shortened to 80 bytes
	Now       string // new value, shortened to 80 bytes; "" if the member was removed
	Why       string
	Heuristic bool
}

// Rule describes one type of change by Coerce.
type Rule struct {
	Name      string
	Why       string
	Heuristic bool
}

// RuleTable returns a new slice of all rules of Coerce.
func RuleTable() []Rule { return append([]Rule(nil), ruleTable...) }

const (
	ruleInteger     = "string_to_integer"
	ruleNumber      = "string_to_number"
	ruleBoolean     = "string_to_boolean"
	ruleNull        = "string_to_null"
	ruleArray       = "string_to_array"
	ruleObject      = "string_to_object"
	ruleFromNumber  = "number_to_string"
	ruleFromBoolean = "boolean_to_string"
	ruleText        = "value_to_string"
	ruleWrap        = "value_to_array"
	ruleEnumCase    = "enum_case"
	ruleEnum        = "enum_spelling"
	ruleKey         = "key_case"
	ruleUnwrap      = "unwrap_arguments"
	rulePlaceholder = "placeholder_optional"
	ruleEmpty       = "empty_arguments"
	ruleWord        = "word_to_boolean"
	ruleSingle      = "array_to_value"
)

var ruleTable = []Rule{
	{ruleInteger, "the schema requires an integer, and the string contains one", false},
	{ruleNumber, "the schema requires a number, and the string contains one", false},
	{ruleBoolean, "the schema requires a boolean, and the string contains one", false},
	{ruleNull, "the schema allows null, and the string is a word for it", false},
	{ruleArray, "the schema requires an array, and the string contains one", false},
	{ruleObject, "the schema requires an object, and the string contains one", false},
	{ruleFromNumber, "the schema requires a string", false},
	{ruleFromBoolean, "the schema requires a string", false},
	{ruleText, "the schema requires a string, so the object or array became its JSON text", false},
	{ruleWrap, "the schema requires an array, and the value satisfies the schema of its items", false},
	{ruleEnumCase, "only one allowed value matches, except for its case", false},
	{ruleEnum, "only one allowed value matches, except for case, separators or quotes", false},
	{ruleKey, "only one declared name matches, except for case or separators", false},
	{ruleUnwrap, "the object contains only the arguments", false},
	{rulePlaceholder, "the value is a placeholder for an absent optional member", false},
	{ruleEmpty, "no arguments were given", false},
	{ruleWord, "the schema requires a boolean, and the value is a common word or number for one", true},
	{ruleSingle, "the schema forbids an array, and the only element satisfies it", true},
}

// ruleOf returns the rule with the given name, or the zero Rule.
func ruleOf(name string) Rule {
	for i := range ruleTable {
		if ruleTable[i].Name == name {
			return ruleTable[i]
		}
	}
	return Rule{}
}

func isHeuristic(rule string) bool { return ruleOf(rule).Heuristic }

// maxRounds is the maximum number of times Coerce runs on its own result.
const maxRounds = 4

// Coerce changes values that violate the schema if exactly one interpretation satisfies it. For example, "3" becomes 3
// where an integer is required. If doc is valid or not JSON, Coerce returns doc itself and no changes. Otherwise out
// is a new slice in which all other bytes are unchanged. A value without a unique interpretation stays unchanged;
// Validate reports it. Coerce never invents values. It removes only members whose values are placeholders, such as
// null, for optional members. It never changes a string if strings are allowed. Coerce of its own result changes
// nothing.
func (s *Schema) Coerce(doc []byte, o Options) (out []byte, changes []Change) {
	if jsonx.Valid(doc) != nil || s.fits(jsonx.Trim(doc)) {
		return doc, nil
	}
	out, changes = s.coerce(doc, o, NoGuesses)
	if o.Guesses == WithGuesses && !s.fits(jsonx.Trim(out)) {
		var more []Change
		out, more = s.coerce(out, o, WithGuesses)
		changes = append(changes, more...)
	}
	if s.complete != nil && len(s.judge(jsonx.Trim(out))) >= len(s.judge(jsonx.Trim(doc))) {
		return doc, nil // the tree does not know all keywords, and its changes did not reduce the violations
	}
	return out, changes
}

func (s *Schema) coerce(doc []byte, o Options, g Guesses) (out []byte, changes []Change) {
	out = doc
	f := &fitter{s: s, o: o, guesses: g, machine: machines.Get()}
	defer f.machine.release()
	for range maxRounds {
		f.budget = newBudget(out)
		next, made, fits := f.document(out)
		if len(made) == 0 {
			break
		}
		if out = next; changes == nil {
			changes = made
		} else {
			changes = append(changes, made...)
		}
		if fits && kindOf(jsonx.Trim(out)) == kindObject && !hasOneMember(out) {
			break // no rule applies: only the rules for empty and wrapped arguments change a value that fits
		}
	}
	return out, changes
}
