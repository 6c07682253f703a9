// Package textsearch searches the lines of a trace for texts in messages, calls, notes and errors. It reads each line
// once and decodes only single strings.
package textsearch

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Search searches the lines of one request for texts, ignoring case. Each text must occur within one JSON string;
// different texts may occur in different lines. Call Reset before the next request. The zero Search has no texts.
type Search struct {
	texts [][]byte
	left  [][]byte // texts not yet found
	room  []byte
	plain []byte // buffer for an unescaped string
}

// New returns a search for all of the texts. It ignores empty texts.
func New(texts []string) *Search {
	s := &Search{}
	for _, t := range texts {
		if folded := appendFolded(nil, []byte(t)); len(folded) > 0 {
			s.texts = append(s.texts, folded)
		}
	}
	s.Reset()
	return s
}

// Reset starts a new search for the same texts.
func (s *Search) Reset() { s.left = append(s.left[:0], s.texts...) }

// HasFoundAll reports whether all texts were found since Reset.
func (s *Search) HasFoundAll() bool { return len(s.left) == 0 }

// Text searches a text that is not in a line.
func (s *Search) Text(text string) { s.look([]byte(text)) }

// Words splits a search text into words and phrases in double quotes. For example, `error "time out"` becomes ["error",
// "time out"].
func Words(text string) (out []string) {
	for quoted, rest := false, text; ; quoted = !quoted {
		piece, more, ok := strings.Cut(rest, `"`)
		if quoted {
			piece = strings.TrimSpace(piece)
			if piece != "" {
				out = append(out, piece)
			}
		} else {
			out = append(out, strings.Fields(piece)...)
		}
		if !ok {
			return out
		}
		rest = more
	}
}

func (s *Search) look(text []byte) {
	if len(s.left) == 0 {
		return
	}
	s.room = appendFolded(s.room[:0], text)
	left := s.left[:0]
	for _, t := range s.left {
		if !bytes.Contains(s.room, t) {
			left = append(left, t)
		}
	}
	s.left = left
}

// content lists the members whose string value is searched. For members with true, all strings inside the value are
// searched. skipped lists members whose values are skipped entirely.
var (
	content = map[string]bool{
		"text": false, "name": false, "input": false, "raw": false, "was": false, "now": false, "why": false, "message": false, "cause": false,
		"error": false, "recovered": false, "arguments": true, "arguments_text": false, "data_text": false,
	}
	skipped = map[string]bool{"tools": true, "body": true, "body_text": true, "body_base64": true, "extra": true,
		"params": true, "usage": true, "header": true}
)

// Line searches a line of a trace, a JSON object. It searches invalid JSON as far as possible.
func (s *Search) Line(line []byte) {
	depth, all, wanted := 0, -1, false // all is the depth of the value in which all strings are searched
	for i := 0; i < len(line) && len(s.left) > 0; {
		switch line[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= all {
				all = -1
			}
		case '"':
			end := jsonx.SkipValue(line, i)
			if end <= i {
				return
			}
			text := line[i:end]
			i = end
			after := jsonx.Space(line, end)
			if after >= len(line) || line[after] != ':' {
				if wanted || all >= 0 {
					s.value(text)
				}
				continue
			}
			i = jsonx.Space(line, after+1)
			if all >= 0 {
				continue
			}
			name := text[1:max(len(text)-1, 1)]
			if skipped[string(name)] {
				i = max(jsonx.SkipValue(line, i), i)
				continue
			}
			inside, ok := content[string(name)]
			if wanted = ok; inside && i < len(line) && (line[i] == '{' || line[i] == '[') {
				all = depth
			}
			continue
		}
		i++
	}
}

func (s *Search) value(quoted []byte) {
	if len(quoted) < 2 {
		return
	}
	if inner := quoted[1 : len(quoted)-1]; bytes.IndexByte(inner, '\\') < 0 {
		s.look(inner)
		return
	}
	s.plain = jsonx.Unquote(s.plain[:0], quoted)
	s.look(s.plain)
}

// appendFolded appends a text in lower case.
func appendFolded(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
		i += n
	}
	return dst
}
