package dialect

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/shown"
	"github.com/callwright/callwright/internal/jsonx"
)

// A buffer is the text at hand: the buffered text, the latest piece, and the end of the text before them.
type buffer struct {
	t         string          // what is buffered, and the piece
	held      strings.Builder // backs t when much is buffered
	texts     jsonx.Texts     // backs t when little is buffered
	from      int             // start in t of what is not emitted yet
	pos       int             // next byte of t to look at
	base      int             // offset of t in the whole text
	seg       int             // start in t of the text that is not in earlier
	earlier   []byte          // the end of the text before seg
	ended     bool            // there is no more text
	work      int             // bytes that were looked at, in runs and copies that grow with what is buffered
	ahead     [3]aheadQuote   // the next quotes of each kind, and delimiters
	raw       rawValues       // where raw values end
	angle     int             // offset of the last opening bracket of a tag in visible text
	shownEnd  int             // offset of the end of the last call that was shown, 0 when text was left out since
	mentioned int             // offset after the last mark that was a word of a sentence, 0 when nothing of its line is left
}

// manyHeld is the length from which the text is held in a builder.
const manyHeld = 256

// joint is how much of a long piece is best read together with the little that is buffered, so that the rest need not
// be copied: the text up to a comma, which no name goes on after; 0 for all of it.
func (b *buffer) joint(piece string) int {
	if b.t == "" || len(b.t) >= manyHeld || len(piece) < 4*manyHeld {
		return 0
	}
	return strings.IndexByte(piece[:2*manyHeld], ',') + 1
}

// load appends a piece to the buffered text. Much buffered text grows in place: a long call that arrives in small
// pieces costs no more than its length.
func (b *buffer) load(piece string) {
	switch {
	case b.t == "":
		b.t = piece
	case b.held.Len() > 0:
		b.held.WriteString(piece)
		b.t = b.held.String()
	case len(b.t) < manyHeld:
		b.t = b.texts.Join(b.t, piece)
	default:
		b.held.Grow(2 * (len(b.t) + len(piece)))
		b.held.WriteString(b.t)
		b.held.WriteString(piece)
		b.t = b.held.String()
	}
}

// Bounds of the emitted text that is kept.
const (
	earlierKept = 1 << 10
	earlierMost = 4 << 10
)

// save forgets the text that was emitted, except the end of it.
func (b *buffer) save() {
	if b.from == 0 {
		return
	}
	b.pass(b.from)
	b.t = b.t[b.from:]
	b.pos -= b.from
	b.base += b.from
	b.from, b.seg = 0, 0
	b.held = strings.Builder{}
}

// pass adds the text up to i to the earlier text.
func (b *buffer) pass(i int) {
	if i <= b.seg {
		return
	}
	b.earlier = append(b.earlier, b.t[max(b.seg, i-earlierKept):i]...)
	if len(b.earlier) > earlierMost {
		n := copy(b.earlier, b.earlier[len(b.earlier)-earlierKept:])
		b.earlier = b.earlier[:n]
	}
	b.seg = i
}

// drop removes the text up to i from the answer; a new line begins there.
func (b *buffer) drop(i int) {
	b.pass(b.from)
	b.earlier = append(b.earlier, '\n')
	b.from, b.pos, b.seg, b.mentioned, b.shownEnd = i, i, i, 0, 0
}

// skip removes the text up to i from the middle of a line.
func (b *buffer) skip(i int) {
	b.pass(b.from)
	b.from, b.pos, b.seg, b.mentioned, b.shownEnd = i, i, i, 0, 0
}

// view is the text that is not emitted yet.
func (b *buffer) view() string { return b.t[b.from:] }

// before is the byte k places before t[i], 0 at the beginning of the text alone: a NUL in the text is a space.
func (b *buffer) before(i, k int) byte {
	if p := i - 1 - k; p >= b.seg {
		return cmp.Or(b.t[p], ' ')
	}
	if p := len(b.earlier) - 1 - k + (i - b.seg); p >= 0 {
		return cmp.Or(b.earlier[p], ' ')
	}
	return 0
}

// line is the text of t[i]'s line before it, at most 1 KiB.
func (b *buffer) line(i int) string {
	from := max(b.seg, i-earlierKept)
	if n := chars.LineStart(b.t[from:i]); n > 0 {
		return b.t[from+n : i]
	}
	end := b.earlier[max(0, len(b.earlier)-(earlierKept-(i-from))):]
	end = end[bytes.LastIndexByte(end, '\n')+1:]
	if len(end) == 0 {
		return b.t[from:i]
	}
	return string(end) + b.t[from:i]
}

// knowsLine reports whether all of t[i]'s line before it is at hand: in front of more than that a quotation may have
// begun.
func (b *buffer) knowsLine(i int) bool { return len(b.line(i)) < earlierKept }

// lead is the end of the text before t[i], at most 1 KiB.
func (b *buffer) lead(i int) string {
	if i-b.seg >= earlierKept {
		return b.t[i-earlierKept : i]
	}
	end := b.earlier[max(0, len(b.earlier)-earlierKept):]
	return string(end) + b.t[b.seg:i]
}

// blank is where the white space that ends at i begins.
func (b *buffer) blank(i int) int {
	j := i
	for j > b.from && i-j < chars.MaxBlank && chars.IsSpace(b.t[j-1]) {
		j--
	}
	return j
}

// contentStart is where the text that is not emitted yet begins, after white space.
func (b *buffer) contentStart() int {
	v := b.view()
	return b.from + len(v) - len(strings.TrimLeft(v, " \t\r\n"))
}

// lineStart is where the line that ends at i begins, when it is at hand and short; else -1.
func (b *buffer) lineStart(i int) int {
	at := max(b.from, i-chars.MaxName)
	at += chars.LineStart(b.t[at:i])
	if c := b.before(at, 0); c != '\n' && c != 0 {
		return -1
	}
	return at
}

// atLineStart reports whether nothing but white space stands before t[i] on its line.
func (b *buffer) atLineStart(i int) bool {
	return strings.TrimSpace(b.line(i)) == ""
}

// isQuotedOrSetOff reports whether the text at t[i:] is quoted on its line, or its line belongs to a table, a diff or
// an indented block of code.
func (b *buffer) isQuotedOrSetOff(i int) bool {
	line := b.line(i)
	if shown.IsQuoted(line) {
		return true
	}
	return shown.MaySetOff(line) && shown.IsSetOff(line, aboveLine(b.lead(i), line))
}

// aboveLine is a text without its last line.
func aboveLine(lead, line string) string { return lead[:max(0, len(lead)-len(line))] }

// standsApart reports whether a mark at t[i:] is no word of a sentence: it begins a line, follows a sentence, or is
// glued to the text before it.
func (b *buffer) standsApart(i int) bool {
	c := b.before(i, 0)
	if !chars.IsSpace(c) && c != 0 {
		return strings.IndexByte("\"'`(/=", c) < 0
	}
	lead := strings.TrimRight(b.line(i), " \t")
	return lead == "" || strings.IndexByte(".!?:", lead[len(lead)-1]) >= 0
}

// opensLine reports whether t[i] begins a line, or stands after a whole sentence.
func (b *buffer) opensLine(i int) bool {
	line := strings.TrimRight(b.line(i), " \t")
	return line == "" || strings.IndexByte(".!?:", line[len(line)-1]) >= 0
}

// beginsLine reports whether a bare call may begin at t[i]: at the beginning of a line or of a list item, or after the
// colon of its lead-in.
func (b *buffer) beginsLine(i int) bool {
	k := 0
	c := b.before(i, k)
	for c == ' ' || c == '\t' || c == '\\' || c == '*' {
		k++
		c = b.before(i, k)
	}
	switch {
	case c == '\n' || c == 0:
		return true
	case !b.knowsLine(i):
		return false
	case c == ':':
		p := b.before(i, k+1)
		return p != '"' && p != '\'' && p != '`' && !b.isRecord(i)
	}
	return strings.IndexByte("-+.)\xa2", c) >= 0 && shown.IsItem(b.line(i))
}

// isRecord reports whether the lead-in that ends in a colon before t[i] is a part of something recorded or drawn: a
// prompt or a log line, a message of a diagram, or the answer of somebody whose question is the line above.
func (b *buffer) isRecord(i int) bool {
	line := b.line(i)
	label := strings.TrimRight(line, " \t:*\\")
	return shown.IsRecordLabel(label) || shown.IsSpeaker(label) && shown.IsQuestion(aboveLine(b.lead(i), line))
}
