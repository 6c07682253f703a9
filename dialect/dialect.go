package dialect

import (
	"strings"

	"github.com/callwright/callwright/repair"
)

// clip is the beginning of a raw text, at most MaxRaw bytes.
func clip(raw string) string {
	if len(raw) > maxRaw {
		return strings.ToValidUTF8(raw[:maxRaw], "")
	}
	return raw
}

// Options configure a Scanner. The zero value declares no tools: marks are then found, and nothing is a call.
type Options struct {
	Tools           []Tool                 // the declared tools
	Marks           *Marks                 // with formats of a caller's own; nil: those of the table
	Names           *Names                 // their names, when they are at hand already; nil: taken from Tools
	Hint            string                 // name of the dialect that was asked for; decides ties
	Model           string                 // the model's name, when known
	ReasoningPrimed bool                   // the prompt already opened the reasoning block
	Quoted          []string               // recent tool results and user texts: what repeats them is an echo, not a call
	Disabled        func(rule string) bool // rules that are switched off; nil: none
	Heuristic       bool                   // allow readings that are guesses
	Guess           func(rule string) bool // rules that guess and are allowed though Heuristic is not set; nil: none
	// Watch observes a call while the Scanner reads it and holds back its text. HoldsCall is called after each piece.
	// offset is the offset of the held text, name the name as the model wrote it, "" before it is read. text is the held
	// text, "" where nothing is held; it must not be kept. A nil Watch observes nothing.
	Watch interface {
		HoldsCall(offset int, name, text string)
	}
	// Accepts reports whether the caller can run a call. It is called for calls without marks only. A call that is not
	// accepted stays text. A nil Accepts accepts every call.
	Accepts func(c *Call) bool
}

// A Kind is the kind of an Item.
type Kind uint8

// Kinds of items.
const (
	Text         Kind = iota // visible text
	Reasoning                // text the model thought
	CallFound                // a complete call of a declared tool
	CallRejected             // something that was meant as a call and must not be run; Item.Why says why
	Noted                    // a finding without text; Item.Note
)

// String returns the kind's name.
func (k Kind) String() string {
	return [...]string{"text", "reasoning", "call", "rejected", "note"}[min(int(k), 4)]
}

// A Why is the reason for which a call was rejected.
type Why string

// Reasons for rejecting a call.
const (
	Truncated  Why = "truncated"  // the text ended inside it
	Undeclared Why = "undeclared" // it names no declared tool
	Malformed  Why = "malformed"  // its arguments cannot be read
)

// An Item is one finding, in the order of the text. Texts may alias the pieces that were fed.
type Item struct {
	Kind Kind
	Text string // of Text and Reasoning
	Call *Call  // of CallFound and CallRejected; of a Text that stays because the caller cannot run the call in it, which follows
	Why  Why    // of CallRejected
	Note Note   // of Noted
}

// A Note reports one change of the text: the rule, the place, and the bytes.
type Note struct {
	Rule   string
	Offset int
	Was    string
	Now    string
	Why    string
}

// Unopened is the rule of the note on a mark that closes reasoning without an opening mark. Where more text follows the
// mark, the items before it are reasoning, and the calls among them are drafts.
const Unopened = "mark.unopened"

// A Call is one tool call as it was written. Its arguments are either JSON (one value's text, mended where Fixes say
// so; it may still be a JSON string that holds the object) or Args, for formats with one value a parameter.
type Call struct {
	Name        string // the declared tool; empty when undeclared
	Written     string // the name as written
	NameRule    string // how Written was resolved; empty when exact
	Format      string // name of the format it was read as
	JSON        string
	Args        []Arg
	Raw         string // the text it was read from, at most MaxRaw bytes
	Offset      int    // of Raw in the text
	Truncated   bool
	Unclosed    bool   // the text, or a mark of another kind, ended its arguments: where the output limit was reached, more may be missing
	ID          string // where the format carries ids
	Fixes       []repair.Fix
	InReasoning bool // it stood in reasoning and was promoted

	unmarked   bool // fenced or bare
	unreadable bool // its arguments are no literals
	unended    bool // a mark of another kind ended a value in it, or all of them
	bare       bool // a name without anything that could be arguments
	open       int  // brackets left open by the end of the text: 1 around the arguments, 2 in them, 3 in the value of one
}

// maxRaw bounds Call.Raw.
const maxRaw = 64 << 10

// An ArgKind is the kind of text that an argument's value is.
type ArgKind uint8

// Kinds of argument texts.
const (
	Literal ArgKind = iota // text as it is; the schema decides what it means
	JSON                   // a JSON value
	Python                 // a Python literal
)

// An Arg is one argument of a call whose format writes one value a parameter.
type Arg struct {
	Key  string
	Text string
	Kind ArgKind
}
