package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/harmony"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// A region is a section of text that may contain calls. It begins at an opening marker, or at a call without markers.
// Offsets are relative to s.t[s.from], its first byte.
type region struct {
	format  string
	shape   string   // format of the body if it differs from that of the markers
	stack   []string // tags of the open markers
	marked  bool     // a marker opened the region
	section bool     // special tokens enclose the region, and other text between them is dropped
	i       int      // offset of the next byte to scan
	at      int      // offset of the current call

	partial
	span
	argument
	lineBody
	bare bareCalls

	outcome

	idFollows  bool   // the marker before a call ID was found
	textBody   bool   // a name and plain text follow the opening tag
	reopened   bool   // the open tag was opened again
	byText     bool   // argument keys are the texts of tags
	unreadable bool   // the current call has unreadable parts
	byLine     bool   // the tool is named on the line above its arguments
	passed     []Note // text removed from the current call
	slashed    bool   // the tag ends after its arguments: <name ... />
	plain      plainKind
	inSentence bool // the region is in a sentence that does not announce a call
	escapes    bool // escaped newlines and quotes were decoded once

	decode func(string) string // decodes the escaping of the whole call; nil if none
}

// A plainKind classifies the plain text of the current call.
type plainKind uint8

const (
	onlyArgument plainKind = iota
	inElement              // the only argument, in a tag named after the tool
	inPairs                // the arguments as key=value
)

// A partial is the current call as far as it is parsed.
type partial struct {
	name      string
	named     bool // the call has a name
	id        string
	prior     string // declared name directly before the opening marker
	separated bool   // a separator preceded
	prose     bool   // text in place of the arguments is not arguments
	fenced    bool   // a code block delimiter in place of the arguments was found
	lead      int    // start of a word before the name plus 1; 0 if there is none
	turnEnded bool   // an end-of-turn or other template token follows the name
	args      []Arg
	elements  []*markup.Element // elements of args, if each is an element
	isTorn    bool              // the end of one of its elements is uncertain
	aside     bool              // the last opened marker has role Aside
	unended   bool              // an unrelated marker ended a value
	keys      map[string]bool   // keys of args
	callee    harmony.Callee    // tool that a message header names in a field other than the recipient
}

// An outcome is the result of a region so far.
type outcome struct {
	got       int     // number of parsed calls, valid or not
	given     bool    // a call was emitted
	last      *Call   // the last call
	late      []*Call // calls that are held until the surrounding sentence is complete
	isExample bool    // the region is presented as an example
	ignored   bool    // a call was ignored; its text stays
	said      bool    // a response text was read in it
	closed    bool    // the opening marker was closed
	done      int     // end of the last call or noted text
}

// A span is the current bracketed value.
type span struct {
	body        int // start of the value
	track       literal.Tracker
	inDelimited bool // in a string with format-specific delimiters
	delimited   bool // the value has such strings
}

// An argument is the current argument, in a tag or block.
type argument struct {
	key     string
	keyed   bool   // the current text is the key
	closing string // tag that ends the argument or result
	json    bool   // the value is JSON
	lines   bool   // the value is on separate lines
	suffix  string // tag suffix that the closing tag repeats
	cdata   uint8  // 1 inside CDATA; 2 after it, or if there is none
	strayed bool   // text after the argument was skipped
	isRaw   bool   // enclosed by markers that determine its end
	opener  int    // offset of the opening marker of the value
}

// A leadIn is the text before a call without markers.
type leadIn uint8

const (
	ownLine       leadIn = iota // none: the call begins its line
	sentenceLead                // a sentence that ends before the call
	quoteLead                   // an opening quotation mark
	recipientLead               // the recipient of a message; text after the call on its line is dropped
	framed                      // a line that is removed together with a line below the call, see label.IsFrame
	wholeLine                   // none, and nothing follows on the line
)

// bareCalls has the calls and items of a region without markers.
type bareCalls struct {
	leadIn leadIn
	calls  []*Call
	extra  reading // further contents of the value
}

// skipSpace moves r.i past white space. It reports whether text is left.
func (r *region) skipSpace(v string) bool {
	for r.i < len(v) && chars.IsSpace(v[r.i]) {
		r.i++
	}
	return r.i < len(v)
}

// maxOpen is the maximum number of nested open markers. Deeper ones count as part of the innermost.
const maxOpen = 64

// push adds a marker to the stack of open markers. It ignores markers beyond maxOpen.
func (r *region) push(tag string) {
	if len(r.stack) < maxOpen {
		r.stack = append(r.stack, tag)
	}
}

// isOpen reports whether a marker with the tag is open.
func (r *region) isOpen(tag string) bool { return slices.Contains(r.stack, tag) }

// nextCall resets the region's state for its next call, which begins at end.
func (r *region) nextCall(end int) {
	r.got++
	r.partial, r.key, r.keyed, r.at, r.plain = partial{}, "", false, end, onlyArgument
	r.byText, r.unreadable = false, false
}

// openBrackets returns the depth of open brackets at the end of the text, see [callshape.Openness].
func (r *region) openBrackets(text string) int {
	if r.named {
		return callshape.Openness(len(r.track.Open), 0)
	}
	return callshape.Openness(len(r.track.Open), callshape.Around(text))
}
