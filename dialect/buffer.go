package dialect

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/shown"
	"github.com/callwright/callwright/internal/jsonx"
)

// A buffer has the text that is not emitted yet, and the end of the text before it.
type buffer struct {
	t         string            // the buffered text with the latest chunk
	held      strings.Builder   // memory of t if t is long
	texts     jsonx.StringArena // memory of t if t is short
	from      int               // offset in t of the text that is not emitted yet
	pos       int               // offset in t of the next byte to scan
	base      int               // offset of t in the whole text
	seg       int               // offset in t of the text that is not in earlier
	earlier   []byte            // the end of the text before seg
	ended     bool              // no more text follows
	work      int               // number of bytes scanned or copied, for tests of linear time
	ahead     [3]aheadQuote     // cached searches for quotes of each type and for delimiters
	raw       rawValues         // the known ends of raw values
	angle     int               // offset of the last '<' or '[' of a tag in visible text
	shownEnd  int               // end offset of the last call presented as an example, 0 if text was removed since
	mentioned int               // offset after the last marker that is a word of a sentence, 0 if the line has changed
}

// manyHeld is the length in bytes from which the text is kept in a builder.
const manyHeld = 256

// joint returns the length of the prefix of a long chunk that is appended to a short buffer and scanned first, so that
// the rest need not be copied. The prefix ends with a comma, because no tool name contains one. It is 0 if the whole
// chunk is appended.
func (b *buffer) joint(piece string) int {
	if b.t == "" || len(b.t) >= manyHeld || len(piece) < 4*manyHeld {
		return 0
	}
	return strings.IndexByte(piece[:2*manyHeld], ',') + 1
}

// load appends a chunk to the buffered text. A long buffer grows in place, so a long call in short chunks takes linear
// time.
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

// Limits of the emitted text that is kept, in bytes.
const (
	earlierKept = 1 << 10
	earlierMost = 4 << 10
)

// save drops the emitted text except its end.
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

// pass copies the text up to offset i to the earlier text.
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

// drop removes the text up to offset i. The following text counts as a new line.
func (b *buffer) drop(i int) {
	b.pass(b.from)
	b.earlier = append(b.earlier, '\n')
	b.from, b.pos, b.seg, b.mentioned, b.shownEnd = i, i, i, 0, 0
}

// skip removes the text up to offset i. The following text continues the line.
func (b *buffer) skip(i int) {
	b.pass(b.from)
	b.from, b.pos, b.seg, b.mentioned, b.shownEnd = i, i, i, 0, 0
}

// view returns the text that is not emitted yet.
func (b *buffer) view() string { return b.t[b.from:] }

// before returns the byte k positions before t[i-1], 0 at the beginning of the text. A NUL byte in the text is
// returned as a space.
func (b *buffer) before(i, k int) byte {
	if p := i - 1 - k; p >= b.seg {
		return cmp.Or(b.t[p], ' ')
	}
	if p := len(b.earlier) - 1 - k + (i - b.seg); p >= 0 {
		return cmp.Or(b.earlier[p], ' ')
	}
	return 0
}

// line returns the text of the current line before t[i], at most 1 KiB.
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

// knowsLine reports whether line returns the complete text before t[i]. Otherwise a quotation may have begun before
// it.
func (b *buffer) knowsLine(i int) bool { return len(b.line(i)) < earlierKept }

// lead returns the text before t[i], at most 1 KiB.
func (b *buffer) lead(i int) string {
	if i-b.seg >= earlierKept {
		return b.t[i-earlierKept : i]
	}
	end := b.earlier[max(0, len(b.earlier)-earlierKept):]
	return string(end) + b.t[b.seg:i]
}

// blank returns the start of the white space that ends at i.
func (b *buffer) blank(i int) int {
	j := i
	for j > b.from && i-j < chars.MaxBlank && chars.IsSpace(b.t[j-1]) {
		j--
	}
	return j
}

// contentStart returns the offset of the first byte that is not emitted yet and is not white space.
func (b *buffer) contentStart() int {
	v := b.view()
	return b.from + len(v) - len(strings.TrimLeft(v, " \t\r\n"))
}

// lineStart returns the start of the line that ends at i. It returns -1 if the start is not in the buffer or the line
// is too long.
func (b *buffer) lineStart(i int) int {
	at := max(b.from, i-chars.MaxName)
	at += chars.LineStart(b.t[at:i])
	if c := b.before(at, 0); c != '\n' && c != 0 {
		return -1
	}
	return at
}

// atLineStart reports whether only white space precedes t[i] on its line.
func (b *buffer) atLineStart(i int) bool {
	return strings.TrimSpace(b.line(i)) == ""
}

// isQuotedOrSetOff reports whether t[i] is in a quotation on its line, or its line belongs to a table, a diff or an
// indented code block.
func (b *buffer) isQuotedOrSetOff(i int) bool {
	line := b.line(i)
	if shown.IsQuoted(line) {
		return true
	}
	return shown.MaySetOff(line) && shown.IsSetOff(line, aboveLine(b.lead(i), line))
}

// aboveLine returns lead, the text before an offset, without its suffix line, the text of the current line.
func aboveLine(lead, line string) string { return lead[:max(0, len(lead)-len(line))] }

// standsApart reports whether a marker at t[i] is not a word of a sentence: it begins a line, follows a sentence, or
// follows other text without a space.
func (b *buffer) standsApart(i int) bool {
	c := b.before(i, 0)
	if !chars.IsSpace(c) && c != 0 {
		return strings.IndexByte("\"'`(/=", c) < 0
	}
	lead := strings.TrimRight(b.line(i), " \t")
	return lead == "" || strings.IndexByte(".!?:", lead[len(lead)-1]) >= 0
}

// opensLine reports whether t[i] begins a line or follows the end of a sentence.
func (b *buffer) opensLine(i int) bool {
	line := strings.TrimRight(b.line(i), " \t")
	return line == "" || strings.IndexByte(".!?:", line[len(line)-1]) >= 0
}

// beginsLine reports whether a call without markers may begin at t[i]: at the beginning of a line or list item, or
// after a colon that announces the call.
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

// isRecord reports whether the text before t[i], up to a colon, belongs to a record: a shell prompt, a log line, a
// message of a diagram, or the answer to a question on the line above.
func (b *buffer) isRecord(i int) bool {
	line := b.line(i)
	label := strings.TrimRight(line, " \t:*\\")
	return shown.IsRecordLabel(label) || shown.IsSpeaker(label) && shown.IsQuestion(aboveLine(b.lead(i), line))
}
