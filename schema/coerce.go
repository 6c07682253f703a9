package schema

import (
	"github.com/callwright/callwright/internal/jsonx"
)

// Options are the rules that Coerce may apply. The zero value allows every rule that leaves one reading, and no
// guesses.
type Options struct {
	// Disabled reports whether a rule is switched off. Nil: none is.
	Disabled func(rule string) bool
	// Guesses allows the rules that guess, see RuleTable.
	Guesses Guesses
	// Mend reads a string that was meant to hold JSON and does not quite. It returns one valid JSON value, or false.
	// Nil: only valid JSON is read.
	Mend func(text string) ([]byte, bool)
}

// Guesses says whether heuristic rules may run.
type Guesses uint8

// The values of Guesses.
const (
	NoGuesses Guesses = iota
	WithGuesses
)

// Change is one thing that Coerce changed.
type Change struct {
	Rule      string // see RuleTable
	Path      string // JSON pointer into the document as it was given
	Was       string // shortened
	Now       string // shortened; empty when the member is gone
	Why       string
	Heuristic bool
}

// Rule is a kind of change.
type Rule struct {
	Name      string
	Why       string
	Heuristic bool
}

// RuleTable lists every rule of Coerce.
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
	{ruleInteger, "the schema wants an integer and the string holds one", false},
	{ruleNumber, "the schema wants a number and the string holds one", false},
	{ruleBoolean, "the schema wants a boolean and the string holds one", false},
	{ruleNull, "the schema allows null and the string names it", false},
	{ruleArray, "the schema wants an array and the string holds one", false},
	{ruleObject, "the schema wants an object and the string holds one", false},
	{ruleFromNumber, "the schema wants a string", false},
	{ruleFromBoolean, "the schema wants a string", false},
	{ruleText, "the schema wants a string, and no object or array: it is the text of the JSON", false},
	{ruleWrap, "the schema wants an array and the value fits its items", false},
	{ruleEnumCase, "one allowed value differs by case only", false},
	{ruleEnum, "one allowed value differs by case, separators or quotes only", false},
	{ruleKey, "one declared name differs by case or separators only", false},
	{ruleUnwrap, "the object holds nothing but the arguments", false},
	{rulePlaceholder, "a placeholder stands for an optional member that was left out", false},
	{ruleEmpty, "no arguments were given", false},
	{ruleWord, "the schema wants a boolean and the value is used for one", true},
	{ruleSingle, "the schema wants no array and the only element fits", true},
}

// ruleOf is the row of a rule.
func ruleOf(name string) Rule {
	for i := range ruleTable {
		if ruleTable[i].Name == name {
			return ruleTable[i]
		}
	}
	return Rule{}
}

func isHeuristic(rule string) bool { return ruleOf(rule).Heuristic }

// maxRounds bounds how often Coerce checks its own changes.
const maxRounds = 4

// Coerce changes values that violate the schema where exactly one reading satisfies it, and reports each change. A
// valid document is returned as it is, the same slice, with no changes; so is a text that is no JSON. Otherwise out is
// a new slice in which everything but the changed values has the same bytes. A value without a single reading stays as
// it came: Validate reports it. It never invents a value, never drops a member but placeholders of optional ones, and
// never changes a string where a string is allowed. Coercing the result again changes nothing.
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
		return doc, nil // the tree that was gone by does not know the whole schema, and was wrong
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
			break // no rule is left: empty and unwrap alone look at what fits
		}
	}
	return out, changes
}
