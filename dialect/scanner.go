package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/codeblock"
)

// A fence is a code fence that may hold nothing but calls.
type fence struct {
	tick   byte   // backtick or tilde
	run    int    // how many of them opened it
	body   int    // where its body begins, from s.from
	i      int    // next byte to look at, from s.from
	name   string // the tool that is named before it, or as its language
	format string // of a call that is named so

	isLabelled bool   // a label stands before it
	words      string // what its first line says behind the language
	isTool     bool   // its language says that it holds a call line by line
	lines      codeblock.Tracker
}

// A Scanner splits one model answer into visible text, reasoning and calls. It is fed the answer piece by piece, in any
// pieces, and gives the same items, joined. Not safe for concurrent use; one Scanner reads one answer.
type Scanner struct {
	buffer
	lexer
	thoughts
	o     Options
	tools toolset
	judge judge
	level int // how many scanners read a text in which this one stands

	state state
	r     region
	f     fence
	q     queue

	openers      int    // openers that were given back as text and whose closers are text too
	unclosed     bool   // plain text in the tag of a tool was not closed: such tags are text
	found        int    // calls and rejections so far
	madeUp       bool   // the model went on with a result of its own making
	showsMessage bool   // the header at hand, in the harmony format, is shown
	recipient    string // whose message this is, in the harmony format
	gap          bool   // something was removed since the last text
	last         byte   // the last byte of visible text that was emitted
	stalled      bool   // a state did not move on: never, unless there is a mistake in one
}

// A state is the kind of text that the scanner reads. Each has one method, which next calls: it reads on, sets the next
// state, and reports false when more text is needed.
type state uint8

const (
	inOpening    state = iota // the very beginning of the answer
	inText                    // visible text
	inReasoning               // a block of reasoning
	inUnnamed                 // reasoning whose tokens were lost
	inResult                  // a tool's result
	inConflict                // the lines of a merge conflict
	inData                    // a JSON value that is no call
	inCodeFence               // a fence that holds no calls
	inFence                   // a fence that may hold calls
	inEscaped                 // a call whose markup is escaped for HTML
	inChannel                 // the header of a message, in the harmony format
	inMessage                 // the body of a message to a function
	inFinal                   // the body of a message that is the answer
	inUnspoken                // the body of a message that is not for the reader
	inHead                    // a region, before a call or between two
	inHeader                  // a name before its arguments
	inNoise                   // text in a region that belongs to no call
	inValue                   // a bracketed value
	inTail                    // the text after a bare value
	inTags                    // between arguments in tags
	inArgument                // an argument in a tag
	inBlocks                  // between arguments in blocks of lines
	inBlockStart              // the beginning of a block
	inBlock                   // an argument in a block of lines
	inBody                    // the mapping that holds a call's arguments
	inPlain                   // the plain text that is a call's only argument
	inElements                // a region of calls whose arguments are nested elements
	inFree                    // text where a call should be
	inLeave                   // the end of a region whose calls wait for the text after it
)

// flush emits the text up to i.
func (s *Scanner) flush(i int) {
	if i <= s.from {
		return
	}
	if s.fresh && s.think == "" && !s.skipBlank(i) {
		return
	}
	kind := Text
	if s.think != "" {
		kind, s.unsaid = Reasoning, Note{}
		s.primed = s.primed && strings.TrimSpace(s.t[s.from:i]) == ""
	}
	if kind == Text {
		s.join(s.t[s.from])
		s.last = s.t[i-1]
	}
	s.q.say(kind, s.t[s.from:i])
	s.from = i
}

// join puts a line break between texts that stood on two sides of a call.
func (s *Scanner) join(next byte) {
	if s.gap && s.last != 0 && !chars.IsSpace(s.last) && !chars.IsSpace(next) {
		s.q.say(Text, "\n")
	}
	s.gap = false
}

// skipBlank leaves out the white space between reasoning and answer, up to i, and reports whether text follows it.
// Where the answer began before the reasoning, it continues with the white space.
func (s *Scanner) skipBlank(i int) bool {
	for s.last == 0 && s.from < i && chars.IsSpace(s.t[s.from]) {
		s.from++
	}
	s.fresh = s.from == i
	return !s.fresh
}

// wait emits the decided items when the text from i on cannot be decided yet.
func (s *Scanner) wait(i int) bool {
	s.pos = i
	at := s.nameStart(s.blank(i), s.names)
	if at > s.from && (s.t[at-1] == '\'' || s.t[at-1] == '"') && s.beginsLine(at-1) {
		at--
	}
	if k, _, ok := s.tagRest(at, s.names); ok {
		at = k
	}
	if k := s.recipientBefore(at); k >= 0 {
		at = k
	}
	if k := s.calleeStart(s.blank(i)); k >= 0 {
		at = min(at, k)
	}
	at = s.labelStart(s.blank(at), s.names)
	s.flush(s.blank(s.labelBefore(s.blank(at))))
	return false
}

// recipientBefore is where a recipient without its first tokens begins at the very beginning of the answer; -1 when
// there is none.
func (s *Scanner) recipientBefore(i int) int {
	if s.q.visible {
		return -1
	}
	return s.recipientStart(i)
}

// isShown reports whether the text around t[i:] presents it as an example. The body of a fence presents nothing.
func (s *Scanner) isShown(i int) bool { return s.level == 0 && s.isQuotedOrSetOff(i) }
