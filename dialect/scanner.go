package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/codeblock"
)

// A codeBlock is a code block that may contain only calls.
type codeBlock struct {
	tick   byte   // backquote or tilde
	run    int    // number of them in the opening delimiter
	body   int    // start of the contents, relative to s.from
	i      int    // offset of the next byte to scan, relative to s.from
	name   string // tool named before the block or as its language
	format string // format of a call named in this way

	isLabelled bool   // a label precedes the block
	words      string // text after the language on the opening line
	isTool     bool   // the language is that of a call in lines (format tool_fence)
	lines      codeblock.Tracker
}

// A Scanner splits the text of one model response into visible text, reasoning and calls. It processes the text in
// chunks; the concatenated items do not depend on the chunking. It is not safe for concurrent use.
type Scanner struct {
	buffer
	lexer
	thoughts
	o         Options
	tools     toolset
	validator validator
	level     int // nesting level of scanners, 0 for the response itself

	state state
	r     region
	f     codeBlock
	q     queue

	openers      int    // number of opening markers that became text, whose closing markers are text, too
	unclosed     bool   // plain text in a tool's tag was not closed, so such tags are text
	found        int    // number of calls and rejected calls
	madeUp       bool   // the model invented a tool result
	showsMessage bool   // the current harmony header is presented as an example
	recipient    string // recipient of the current harmony message
	gap          bool   // text was removed since the last emitted text
	last         byte   // last byte of emitted visible text
	stalled      bool   // a state made no progress, which is a bug
}

// A state determines how the text is scanned. Each state has a method, which next calls. The method scans, sets the
// next state, and returns false if more text is needed.
type state uint8

const (
	inOpening    state = iota // the beginning of the response
	inText                    // visible text
	inReasoning               // reasoning
	inUnnamed                 // reasoning without its tokens
	inResult                  // a tool result
	inConflict                // a merge conflict
	inData                    // a JSON value that is not a call
	inCodeFence               // a code block without calls
	inFence                   // a code block that may contain calls
	inEscaped                 // a call with escaped markup
	inChannel                 // a harmony message header
	inMessage                 // a harmony message to a function
	inFinal                   // a harmony message in the final channel
	inUnspoken                // a harmony message that is not shown
	inHead                    // in a region, before or between calls
	inHeader                  // a tool name before its arguments
	inNoise                   // text in a region that belongs to no call
	inValue                   // a bracketed value
	inTail                    // after a value without markers
	inTags                    // between arguments in tags
	inArgument                // an argument in a tag
	inBlocks                  // between argument blocks
	inBlockStart              // the beginning of an argument block
	inBlock                   // an argument block
	inBody                    // arguments in lines "key: value"
	inPlain                   // plain text that is the only argument
	inElements                // a region with arguments as nested elements
	inFree                    // text in place of a call
	inLeave                   // the end of a region whose calls wait for later text
)

// flush emits the buffered text up to offset i as visible text or reasoning.
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

// join emits a newline between texts before and after a call. next is the first byte of the second text.
func (s *Scanner) join(next byte) {
	if s.gap && s.last != 0 && !chars.IsSpace(s.last) && !chars.IsSpace(next) {
		s.q.say(Text, "\n")
	}
	s.gap = false
}

// skipBlank removes white space up to i between reasoning and the response. It reports whether text follows. It keeps
// the white space if response text preceded the reasoning.
func (s *Scanner) skipBlank(i int) bool {
	for s.last == 0 && s.from < i && chars.IsSpace(s.t[s.from]) {
		s.from++
	}
	s.fresh = s.from == i
	return !s.fresh
}

// wait emits the text before i, except words that may belong to a call at i, and returns false to wait for more text.
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

// recipientBefore returns the start of an incomplete harmony header to=name that ends at i at the beginning of the
// response, or -1.
func (s *Scanner) recipientBefore(i int) int {
	if s.q.visible {
		return -1
	}
	return s.recipientStart(i)
}

// isExample reports whether the text around t[i] presents it as an example. In the contents of a code block it is
// false.
func (s *Scanner) isExample(i int) bool { return s.level == 0 && s.isQuotedOrSetOff(i) }
