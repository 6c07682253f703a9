package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/label"
)

// functionAbove is the declared tool that is named on the line before i, and where that line begins.
func (b *buffer) functionAbove(i int, names *Names) (name string, at int) {
	at = b.lineStart(b.blank(i))
	if at < 0 {
		return "", i
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(b.t[at:i]), label.Function)
	if !ok {
		return "", i
	}
	if _, declared := names.plain(name); !declared {
		return "", i
	}
	return name, at
}

// labelStart is where the first label begins that ends at i and stands on a line of its own, or is not yet whole; else
// i.
func (s *Scanner) labelStart(i int, names *Names) int {
	from := min(s.markerBefore(i), s.lineLabel(i, names))
	if at := s.wordStart(i); at < from && strings.HasPrefix(label.Word, s.t[at:i]) {
		from = at
	}
	if at, _, ok := s.gluedHeader(i); ok {
		from = min(from, at)
	}
	return from
}

// lineLabel is where the line begins that may announce a call, or the one above it, up to i; i when there is none.
func (s *Scanner) lineLabel(i int, names *Names) int {
	at := s.lineStart(i)
	if at < 0 || at == i {
		return i
	}
	line := strings.TrimLeft(s.t[at:i], " ")
	if !label.MayBegin(line, s.marks.layouts) {
		return i
	}
	if up := s.lineStart(s.blank(at)); up >= 0 && label.BeginsInput(s.t[up:at], line, s.marks.layouts) {
		return up
	}
	if rest, ok := strings.CutPrefix(line, label.Function); label.Begins(line, s.marks.layouts) || ok && names.begins(rest) {
		return at
	}
	return i
}

// labelBefore returns the start of the complete label that ends at i and stands on a line of its own. It returns i when
// there is none.
func (s *Scanner) labelBefore(i int) int {
	if at := s.wordStart(i); s.t[at:i] == label.Word {
		return at
	}
	if i > s.from && s.t[i-1] == '>' && s.knowsLine(i) {
		if at := s.markerBefore(i); strings.HasSuffix(s.t[at:i], "|>") {
			return at
		}
	}
	if i == s.from || !label.EndsWith(s.t[i-1]) {
		return i
	}
	if at := s.lineStart(i); at >= 0 && label.Is(strings.TrimLeft(s.t[at:i], " ")) {
		return at
	}
	return i
}

// wordStart is where the word begins that ends at i, behind white space; i when there is none as short as a label.
func (b *buffer) wordStart(i int) int {
	at := i
	for at > b.from && i-at <= len(label.Word) && chars.IsLower(b.t[at-1]) {
		at--
	}
	if c := b.before(at, 0); c != 0 && !chars.IsSpace(c) {
		return i
	}
	return at
}

// gluedHeader is where a header begins that is glued to the text before it and ends at i, and the tool it is addressed
// to.
func (b *buffer) gluedHeader(i int) (at int, tool string, ok bool) {
	from := max(b.from, i-2*chars.MaxName)
	at, tool, ok = label.FindGluedHeader(b.before(from, 0), b.t[from:i])
	return from + at, tool, ok
}

// recipientStart is where the rest of a harmony header begins whose first tokens the prompt had: to=name at the very
// beginning of the answer, up to i; -1 when there is none.
func (b *buffer) recipientStart(i int) int {
	if b.base != 0 || b.from != 0 || i > chars.MaxName {
		return -1
	}
	at := i
	for at > b.from && b.t[at-1] != '\n' {
		at--
	}
	if at != 0 {
		return -1
	}
	if label.MayBeRecipient(strings.TrimLeft(b.t[at:i], " ")) {
		return at
	}
	return -1
}

// maxMarker bounds a marker of a format that nobody knows.
const maxMarker = 40

// markerBefore is where a marker begins that ends at i, whole or not: a special token of a format that nobody knows,
// such as <|calls|>. It is i when there is none.
func (s *Scanner) markerBefore(i int) int {
	if s.base+i-s.angle > maxMarker {
		return i
	}
	at := strings.LastIndexByte(s.t[max(s.from, i-maxMarker):i], '<')
	if at < 0 {
		return i
	}
	at += max(s.from, i-maxMarker)
	// before its end it may become the name of another
	if word, ok := label.Marker(s.t[at:i]); !ok || s.t[i-1] == '>' && s.marks.isToken(word) {
		return i
	}
	return at
}
