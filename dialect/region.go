package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/harmony"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// A region is one stretch of text that may hold calls: from its opening mark, or from the beginning of a bare call, to
// its end. Offsets count from its first byte, which is s.t[s.from].
type region struct {
	format  string
	shape   string   // name of the format that the body's shape belongs to, where that is not the wrapper's
	stack   []string // tags of the open marks
	marked  bool     // a mark opened it
	section bool     // special tokens stand around it: other text between them is dropped
	i       int      // next byte to look at
	at      int      // where the call at hand began

	partial
	span
	argument
	lineBody
	bare bareCalls

	outcome

	idFollows  bool   // the mark before a call's id was met
	textBody   bool   // a name and plain text follow the opening tag
	reopened   bool   // the tag that is open was opened once more
	byText     bool   // the names of its arguments are the texts of tags
	unreadable bool   // the call at hand holds what cannot be read
	byLine     bool   // its tool is named on the line above its arguments
	passed     []Note // what was left out of the call at hand
	slashed    bool   // the end of its tag stands after its arguments: <name ... />
	plain      plainKind
	inSentence bool // it stands in a sentence that says nothing of calling
	escapes    bool // its line ends and quotes were read once as escaped

	decode func(string) string // undoes how the whole call is escaped; empty where it is not
}

// A plainKind classifies the plain text of the call at hand.
type plainKind uint8

const (
	onlyArgument plainKind = iota
	inElement              // its only argument, in a tag that is named after its tool
	inPairs                // its arguments as key=value
)

// A partial is the call at hand, as far as it is read.
type partial struct {
	name      string
	named     bool // it has a name
	id        string
	prior     string // a declared name right before the opening mark
	separated bool   // a separator stood before
	prose     bool   // text that is no arguments stands where they should be
	fenced    bool   // a code fence that should hold its arguments was met
	lead      int    // where a word before the name began, plus 1; 0 when there is none
	turnEnded bool   // the end of a turn, or another token of a chat template, stands after the name
	args      []Arg
	elements  []*markup.Element // of args, where each is one
	isTorn    bool              // where an element of it ends is not known
	aside     bool              // a mark whose text is passed was opened last
	unended   bool              // a value in it ended at a mark of another kind than its own
	keys      map[string]bool   // of args
	callee    harmony.Callee    // its tool, where a message names it elsewhere than as the recipient
}

// An outcome is the state of a region so far.
type outcome struct {
	got     int     // calls read so far, good or bad
	given   bool    // a call was emitted
	last    *Call   // the last call
	late    []*Call // its calls, until it is known whether the sentence around them goes on
	shown   bool    // the words before it show a format, or another call of its line was shown
	ignored bool    // a call was left alone: its text stays
	said    bool    // an answer was read in it
	closed  bool    // the mark that opened it was closed
	done    int     // where the last call, or what was noted, ended
}

// A span is the bracketed value at hand.
type span struct {
	body        int // where it began
	track       literal.Tracker
	inDelimited bool // in a string between delimiters
	delimited   bool // the value has such strings
}

// An argument is the argument at hand, written in a tag or a block of its own.
type argument struct {
	key     string
	keyed   bool   // what is read is the key
	closing string // tag that ends the argument, or the result
	json    bool   // the value is JSON
	lines   bool   // the value stands on lines of its own
	suffix  string // of the tag, which the closing one has, too
	cdata   uint8  // whether its value begins with a CDATA mark: 1 in it, 2 not or after it
	strayed bool   // text was passed after it
	isRaw   bool   // a mark that says where its value ends stands around it
	opener  int    // where the mark that opens its value began
}

// A leadIn is the text before a bare call.
type leadIn uint8

const (
	ownLine       leadIn = iota // nothing: it begins its line
	sentenceLead                // a sentence, at whose end it stands
	quoteLead                   // the quotation mark that opens the quotes it stands in
	recipientLead               // the recipient of a message: what follows the call on its line is noise
	framed                      // what is left out with a line below the call, see label.IsFrame
	wholeLine                   // nothing, and nothing follows it on its line
)

// bareCalls are the calls and items read in a region without marks.
type bareCalls struct {
	leadIn leadIn
	calls  []*Call
	extra  reading // what the value said beside its calls
}

// skipSpace moves r.i past white space and reports whether text is left.
func (r *region) skipSpace(v string) bool {
	for r.i < len(v) && chars.IsSpace(v[r.i]) {
		r.i++
	}
	return r.i < len(v)
}

// maxOpen bounds how many marks are open in one another; those inside deeper ones stand in the innermost.
const maxOpen = 64

// push opens a mark.
func (r *region) push(tag string) {
	if len(r.stack) < maxOpen {
		r.stack = append(r.stack, tag)
	}
}

// isOpen reports whether a mark with this tag is open.
func (r *region) isOpen(tag string) bool { return slices.Contains(r.stack, tag) }

// nextCall makes the region ready for its next call, which begins at end.
func (r *region) nextCall(end int) {
	r.got++
	r.partial, r.key, r.keyed, r.at, r.plain = partial{}, "", false, end, onlyArgument
	r.byText, r.unreadable = false, false
}

// openBrackets returns the brackets that are open at the end of the text, see [callshape.Openness].
func (r *region) openBrackets(text string) int {
	if r.named {
		return callshape.Openness(len(r.track.Open), 0)
	}
	return callshape.Openness(len(r.track.Open), callshape.Around(text))
}
