package dialect

import (
	"bytes"
	"slices"
	"strings"
)

// A Scanner splits one model answer into visible text, reasoning and calls. It is fed the answer piece by piece, in any
// pieces, and gives the same items, joined. Not safe for concurrent use; one Scanner reads one answer.
type Scanner struct {
	o     Options
	names *Names
	marks *index

	t      string          // the text at hand: what was held back, and the piece
	held   strings.Builder // backs t when much is held back
	from   int             // start in t of what is not given out yet
	pos    int             // next byte of t to look at
	base   int             // offset of t in the whole text
	seg    int             // start in t of the text that belongs to behind
	behind []byte          // the end of the text before seg
	ended  bool
	nested bool // reads the body of a fence

	state func(*Scanner) bool // goes on; false: more text is needed
	r     region
	f     fence
	q     queue
	out   []Item

	think     string // tag of the open reasoning block
	fresh     bool   // reasoning was closed, and no text came since
	primed    bool   // still at the start of primed reasoning
	openers   int    // openers that were given back as text and whose closers are text too
	found     int    // calls and rejections so far
	madeUp    bool   // the model went on with a result of its own making
	recipient string // harmony: whose message this is
	spelled   bool   // a mark of reasoning was text, and so is the one that closes it
	thought   bool   // a block of reasoning was opened in this answer: a further one may follow text directly
	gap       bool   // something was removed since the last text
	told      int    // offset behind the mark that was a word of a sentence last
	last      byte   // the last byte of visible text that was given out
}

// NewScanner returns a scanner for one answer.
func NewScanner(o Options) *Scanner {
	names := o.Names
	if names == nil {
		written := make([]string, len(o.Tools))
		for i := range o.Tools {
			written[i] = o.Tools[i].Name
		}
		names = NewNames(written)
	}
	s := &Scanner{o: o, names: names, marks: marks(), state: (*Scanner).opening}
	if o.Marks != nil {
		s.marks = o.Marks.index
	}
	s.q.s = s
	s.behind = append(s.behind, '\n')
	if o.ReasoningPrimed {
		s.think, s.primed, s.state = "think", true, (*Scanner).reasoning
	}
	return s
}

// Feed goes on with the next piece of the text and appends what is certain now to out. Items alias the pieces.
func (s *Scanner) Feed(piece string, out []Item) []Item {
	if s.ended || piece == "" {
		return out
	}
	s.load(piece)
	return s.run(out)
}

// Close ends the text: it decides what is left and appends it to out. The scanner takes no more text afterwards.
func (s *Scanner) Close(out []Item) []Item {
	if s.ended {
		return out
	}
	s.ended = true
	out = s.run(out)
	s.out = out
	s.q.close()
	out, s.out = s.out, nil
	return out
}

// ScanAll reads a whole text: the stream fed once.
func ScanAll(o Options, text string) []Item {
	s := NewScanner(o)
	return s.Close(s.Feed(text, nil))
}

const manyHeld = 256

// load puts a piece behind what is held back. Much that is held back grows in place, so that a long call that arrives
// in small pieces costs no more than its length.
func (s *Scanner) load(piece string) {
	switch {
	case s.t == "":
		s.t = piece
	case s.held.Len() > 0:
		s.held.WriteString(piece)
		s.t = s.held.String()
	case len(s.t) < manyHeld:
		s.t += piece
	default:
		s.held.Grow(2 * (len(s.t) + len(piece)))
		s.held.WriteString(s.t)
		s.held.WriteString(piece)
		s.t = s.held.String()
	}
}

func (s *Scanner) run(out []Item) []Item {
	s.out = out
	for s.state(s) {
	}
	s.save()
	out, s.out = s.out, nil
	return out
}

const (
	behindKept = 1 << 10
	behindMost = 4 << 10
)

// save forgets the text that was given out, but for the end of it.
func (s *Scanner) save() {
	if s.from == 0 {
		return
	}
	s.pass(s.from)
	s.t = s.t[s.from:]
	s.pos -= s.from
	s.base += s.from
	s.from, s.seg = 0, 0
	s.held = strings.Builder{}
}

// pass adds the text up to i to what lies behind.
func (s *Scanner) pass(i int) {
	if i <= s.seg {
		return
	}
	s.behind = append(s.behind, s.t[max(s.seg, i-behindKept):i]...)
	if len(s.behind) > behindMost {
		n := copy(s.behind, s.behind[len(s.behind)-behindKept:])
		s.behind = s.behind[:n]
	}
	s.seg = i
}

// drop removes the text up to i from the answer; a new line begins there.
func (s *Scanner) drop(i int) {
	s.pass(s.from)
	s.behind = append(s.behind, '\n')
	s.from, s.pos, s.seg, s.told = i, i, i, 0
}

// skip removes the text up to i from the middle of a line.
func (s *Scanner) skip(i int) {
	s.pass(s.from)
	s.from, s.pos, s.seg, s.told = i, i, i, 0
}

// before is the byte k places before t[i], 0 at the beginning of the text.
func (s *Scanner) before(i, k int) byte {
	if p := i - 1 - k; p >= s.seg {
		return s.t[p]
	}
	if p := len(s.behind) - 1 - k + (i - s.seg); p >= 0 {
		return s.behind[p]
	}
	return 0
}

// line is the text of t[i]'s line before it, at most 1 KiB.
func (s *Scanner) line(i int) string {
	from := max(s.seg, i-behindKept)
	if n := strings.LastIndexByte(s.t[from:i], '\n'); n >= 0 {
		return s.t[from+n+1 : i]
	}
	b := s.behind[max(0, len(s.behind)-(behindKept-(i-from))):]
	b = b[bytes.LastIndexByte(b, '\n')+1:]
	if len(b) == 0 {
		return s.t[from:i]
	}
	return string(b) + s.t[from:i]
}

// lead is the end of the text before t[i], at most 1 KiB.
func (s *Scanner) lead(i int) string {
	if i-s.seg >= behindKept {
		return s.t[i-behindKept : i]
	}
	b := s.behind[max(0, len(s.behind)-behindKept):]
	return string(b) + s.t[s.seg:i]
}

// flush gives the text up to i out.
func (s *Scanner) flush(i int) {
	if i <= s.from {
		return
	}
	if s.fresh && s.think == "" && !s.skipBlank(i) {
		return
	}
	kind := Text
	if s.think != "" {
		kind = Reasoning
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
	if s.gap && s.last != 0 && !isSpace(s.last) && !isSpace(next) {
		s.q.say(Text, "\n")
	}
	s.gap = false
}

// skipBlank leaves out the white space between reasoning and answer, up to i, and reports whether text follows it. Where the
// answer had begun before the reasoning, it goes on with the white space.
func (s *Scanner) skipBlank(i int) bool {
	for s.last == 0 && s.from < i && isSpace(s.t[s.from]) {
		s.from++
	}
	s.fresh = s.from == i
	return !s.fresh
}

const maxBlank = 256

// blank is where the white space that ends at i begins.
func (s *Scanner) blank(i int) int {
	j := i
	for j > s.from && i-j < maxBlank && isSpace(s.t[j-1]) {
		j--
	}
	return j
}

// wait gives out what is certain when the text from i on cannot be decided yet.
func (s *Scanner) wait(i int) bool {
	s.pos = i
	at := s.nameStart(s.blank(i))
	if at > s.from && (s.t[at-1] == '\'' || s.t[at-1] == '"') && s.own(at-1) {
		at--
	}
	if k := s.recipientBefore(at); k >= 0 {
		at = k
	}
	at = s.labelStart(s.blank(at))
	s.flush(s.blank(s.labelBefore(s.blank(at))))
	return false
}

// hot are the bytes at which visible text needs a look.
var hot = [256]bool{'<': true, '[': true, ']': true, '{': true, '(': true, '`': true, '~': true, '&': true}

// text is visible text, until something begins.
func (s *Scanner) text() bool {
	for {
		t, i := s.t, s.pos
		for i < len(t) && !hot[t[i]] {
			i++
		}
		if i == len(t) {
			if !s.ended {
				return s.wait(i)
			}
			s.pos = i
			s.flush(i)
			return false
		}
		s.pos = i
		switch s.look(i) {
		case maybe:
			if !s.ended {
				return s.wait(i)
			}
			s.pos = i + 1
		case no:
			if s.ended && s.cutMark(i) {
				return false
			}
			s.pos = i + 1
		case yes:
			return true
		}
	}
}

// shortestCut is the length from which the beginning of a mark at the very end of an answer is taken as one.
const shortestCut = 6

// cutMark removes the beginning of a special token with which the text ends.
func (s *Scanner) cutMark(i int) bool {
	rest := s.t[i:]
	if len(rest) < shortestCut || len(rest) > maxToken || barAt(rest, 1) <= 0 || strings.ContainsAny(rest, " \n>") ||
		!hasPrefixed(s.marks.tokens, canonical(strings.ToValidUTF8(rest[1:], ""))) {
		return false
	}
	s.flush(s.blank(i))
	s.q.note("mark.orphan", s.base+i, rest)
	s.drop(len(s.t))
	return true
}

// look decides what a hot byte begins: yes when it has moved on.
func (s *Scanner) look(i int) tristate {
	switch s.t[i] {
	case '`', '~':
		return s.lookFence(i)
	case '{':
		return s.lookObject(i)
	case '(':
		return s.lookArguments(i)
	case '&':
		return s.lookEscaped(i)
	case '[':
		x, v := s.lex(s.t, i, s.ended)
		if v == no {
			return s.lookList(i)
		}
		return s.lookMark(i, x, v)
	}
	if v := s.lookConflict(i); v != no {
		return v
	}
	x, v := s.lex(s.t, i, s.ended)
	return s.lookMark(i, x, v)
}

// lookMark acts on a mark in visible text.
func (s *Scanner) lookMark(i int, x token, v tristate) tristate {
	if v != yes {
		return v
	}
	if !s.nested {
		switch s.shown(i, x) {
		case maybe:
			return maybe
		case yes:
			return no
		}
	}
	switch s.mentioned(i, x) {
	case maybe:
		return maybe
	case yes:
		s.told = s.base + i + x.n
		return no
	}
	switch x.role {
	case Noise:
		return s.lookNoise(i, x)
	case Cite:
		s.flush(i)
		s.skip(i + x.n)
		return yes
	case Think:
		return s.lookThink(i, x)
	case Result:
		return s.lookResult(i, x)
	case Channel:
		return s.lookChannel(i, x)
	case Wrap, Section:
		if x.close {
			return s.orphan(i, x)
		}
		if x.prefixed {
			s.beginElements(i, x)
		} else {
			s.begin(i, x)
		}
		return yes
	case Separate:
		return s.lookSeparator(i, x)
	}
	if !x.close || s.openers > 0 {
		return no
	}
	if s.found > 0 || x.special {
		return s.orphan(i, x)
	}
	v = s.closesCall(i + x.n)
	if v == yes {
		return s.orphan(i, x)
	}
	return v
}

// orphan removes a closing mark that closes nothing, unless its opener was text.
func (s *Scanner) orphan(i int, x token) tristate {
	if s.openers > 0 {
		s.openers--
		return no
	}
	if x.named {
		return no
	}
	s.flush(s.blank(i))
	if !x.noise {
		s.q.note("mark.orphan", s.base+i, s.t[i:i+x.n])
	}
	s.drop(i + x.n)
	return yes
}

// lookSeparator begins a call whose opening marks were lost: a declared name stands right before the separator.
func (s *Scanner) lookSeparator(i int, x token) tristate {
	if at, ok := s.nameBefore(i); ok && !x.close {
		s.beginNamed(at, i, x.format)
		return yes
	}
	if x.special && s.openers == 0 {
		s.flush(s.blank(i))
		s.drop(i + x.n)
		return yes
	}
	return no
}

// lookResult passes the model's own tool results as text: nothing in them is a call.
func (s *Scanner) lookResult(i int, x token) tristate {
	if x.close && !x.special {
		return no
	}
	s.dropToken(i, x)
	if x.close {
		return yes
	}
	s.madeUp = s.q.marked
	s.r = region{closer: x.tag}
	s.state = (*Scanner).result
	return yes
}

// dropToken passes a mark; a special token leaves the text, unless it is spelled as a word in brackets.
func (s *Scanner) dropToken(i int, x token) {
	s.pos = i + x.n
	if x.special && s.t[i] == '<' {
		s.flush(i)
		s.skip(i + x.n)
	}
}

func (s *Scanner) result() bool {
	for {
		n := strings.IndexAny(s.t[s.pos:], "<[")
		if n < 0 {
			s.pos = len(s.t)
			s.flush(s.pos)
			return false
		}
		i := s.pos + n
		x, v := s.lex(s.t, i, s.ended)
		if v == maybe {
			s.pos = i
			s.flush(i)
			return false
		}
		s.pos = i + 1
		if v != yes || x.role != Result {
			continue
		}
		s.dropToken(i, x)
		if x.close && (x.tag == s.r.closer || slices.Contains(x.also, s.r.closer)) {
			s.state = (*Scanner).text
			return true
		}
	}
}
