package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/label"
)

// functionAbove returns the declared tool that the line before i names after the word for a function, and the start of
// this line. name is "" if there is none.
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

// labelStart returns the start of a complete or incomplete label (a text that announces a call) that ends at i on a
// line of its own. Without one it returns i.
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

// lineLabel returns the start of the line up to i, or of the line above it, if these may announce a call. Otherwise it
// returns i.
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

// labelBefore returns the start of the complete label that ends at i on a line of its own. Without one it returns i.
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

// wordStart returns the start of the lower-case word that ends at i and follows white space. It returns i if there is
// none or if it is longer than a label.
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

// gluedHeader returns the start of a message header that ends at i and directly follows other text, and the tool that
// is its recipient. ok is false without a header. tool is "" if the header may be incomplete.
func (b *buffer) gluedHeader(i int) (at int, tool string, ok bool) {
	from := max(b.from, i-2*chars.MaxName)
	at, tool, ok = label.FindGluedHeader(b.before(from, 0), b.t[from:i])
	return from + at, tool, ok
}

// recipientStart returns the start of an incomplete harmony header to=name up to i, at the beginning of the response.
// It returns -1 if there is none.
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

// maxMarker is the maximum length of a special token of an unknown format in bytes.
const maxMarker = 40

// markerBefore returns the start of a complete or incomplete special token of an unknown format, such as <|calls|>,
// that ends at i. Without one it returns i.
func (s *Scanner) markerBefore(i int) int {
	if s.base+i-s.angle > maxMarker {
		return i
	}
	at := strings.LastIndexByte(s.t[max(s.from, i-maxMarker):i], '<')
	if at < 0 {
		return i
	}
	at += max(s.from, i-maxMarker)
	// an incomplete token may become a different one
	if word, ok := label.Marker(s.t[at:i]); !ok || s.t[i-1] == '>' && s.marks.isToken(word) {
		return i
	}
	return at
}
