package dialect

import (
	"strings"

	"github.com/callwright/callwright/repair"
)

// clip returns raw cut to 64 KiB.
func clip(raw string) string {
	if len(raw) > maxRaw {
		return strings.ToValidUTF8(raw[:maxRaw], "")
	}
	return raw
}

// Options configure a Scanner. The zero value declares no tools: markers are recognized, but nothing is a call.
type Options struct {
	Tools           []Tool // declared tools
	Marks           *Marks // table formats and the caller's own; nil means the table only
	Names           *Names // resolver of tool names; nil means made from Tools
	Hint            string // name of the format that the prompt described; resolves ambiguities
	Model           string // name of the model, "" if unknown
	ReasoningPrimed bool   // the prompt ended with the opening marker of the reasoning
	// recent tool results and user texts; a call that repeats one of them is a quotation
	Quoted    []string
	Disabled  func(rule string) bool // reports whether a rule is disabled; nil means none is
	Heuristic bool                   // allow heuristic interpretations
	// reports whether a heuristic rule is allowed although Heuristic is false; nil means none is
	Guess func(rule string) bool
	// Watch observes an incomplete call while the Scanner buffers its text. HoldsCall is called after each chunk. offset
	// is the offset of the buffered text. name is the tool name as written, "" if it is not known yet. text is the
	// buffered text, "" if nothing is buffered; it must not be retained. nil means no observer.
	Watch interface {
		HoldsCall(offset int, name, text string)
	}
	// Accepts reports whether the caller can run a call. It is called only for calls without markers. A rejected call
	// stays text. nil means that every call is accepted.
	Accepts func(c *Call) bool
}

// A Kind is the type of an Item.
type Kind uint8

// Kinds of an [Item].
const (
	Text         Kind = iota // visible text
	Reasoning                // reasoning text
	CallFound                // a complete call of a declared tool
	CallRejected             // an attempted call that must not be run; Item.Why is the reason
	Noted                    // a finding; see Item.Note
)

// String returns the name of the kind, such as "call".
func (k Kind) String() string {
	return [...]string{"text", "reasoning", "call", "rejected", "note"}[min(int(k), 4)]
}

// A Why is the reason why a call was rejected.
type Why string

// The reasons for rejecting a call.
const (
	Truncated  Why = "truncated"  // the text ended inside the call
	Undeclared Why = "undeclared" // the call names no declared tool
	Malformed  Why = "malformed"  // the arguments cannot be parsed
)

// An Item is one element of the scanned text. Items are in text order. Their strings may share memory with the chunks
// that were fed.
type Item struct {
	Kind Kind
	Text string // for Text and Reasoning
	Call *Call  // for CallFound and CallRejected; for a Text, its first call if Options.Accepts rejected them all
	Why  Why    // for CallRejected
	Note Note   // for Noted
}

// A Note reports one change of the text: the rule, the byte offset in the text, the original bytes and the new bytes.
type Note struct {
	Rule   string
	Offset int
	Was    string
	Now    string
	Why    string
}

// Unopened is the rule of a note about a closing marker of reasoning without an opening marker. If more text follows,
// the items before this note are reasoning, and the calls among them must not be run.
const Unopened = "mark.unopened"

// A Call is a tool call parsed from text. Its arguments are either in JSON or, for formats with a separate value for
// each parameter, in Args. JSON is one JSON value, repaired as Fixes describe. It may be a JSON string that contains
// the object.
type Call struct {
	Name      string // declared name of the tool; "" if undeclared
	Written   string // name as written
	NameRule  string // rule that resolved Written, such as name.case; "" for an exact match
	Format    string // name of the format in which the call is written
	JSON      string
	Args      []Arg
	Raw       string // source text, at most 64 KiB
	Offset    int    // byte offset of Raw in the text
	Truncated bool
	// the arguments were ended by the end of the text or by an unrelated marker, so some may be missing if the output
	// limit was reached
	Unclosed    bool
	ID          string // call ID, for formats with IDs
	Fixes       []repair.Fix
	InReasoning bool // the call is in reasoning and was accepted because no other content followed

	unmarked   bool // in a code block, or without markers
	unreadable bool // the arguments are not valid literals
	unended    bool // an unrelated marker ended a value or the arguments
	bare       bool // a name without any arguments
	// depth of open brackets at the end of the text: 1 around the arguments, 2 inside them, 3 inside the value of an
	// argument
	open int
}

// maxRaw is the maximum size of Call.Raw in bytes.
const maxRaw = 64 << 10

// An ArgKind is the notation of an argument's value.
type ArgKind uint8

// Kinds of an argument's value.
const (
	Literal ArgKind = iota // plain text, to be interpreted by the schema
	JSON                   // a JSON value
	Python                 // a Python literal
)

// An Arg is one argument of a call, for formats with a separate value for each parameter.
type Arg struct {
	Key  string
	Text string
	Kind ArgKind
}
