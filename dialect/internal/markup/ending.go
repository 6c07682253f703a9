package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// An Ending is a tag, complete or not, at the end of a text, which has no matching tag in the text.
type Ending struct {
	At   int // offset of the tag; without one, the length of the text without trailing white space
	Name string
	Tag  bool // there is such a tag
	// Closes reports that the tag is a closing tag.
	Closes bool
	// Opens reports that an element of the given name is opened in the text and not closed.
	Opens bool
	// Torn reports that another unmatched tag precedes the tag, or that the text ends with a single bracket.
	Torn bool
}

// EndingOf returns the ending of text, the contents of an element with the given name.
func EndingOf(text, element string) (e Ending) {
	text = strings.TrimRight(text, " \t\r\n")
	e = Ending{At: len(text)}
	if !strings.ContainsAny(text, "<>[") {
		return e
	}
	open := map[string]int{}
	defer func() { e.Opens = open[element] > 0 }()
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			break
		}
		i += n
		name, closes, size := looseTag(text[i:])
		if size == 0 {
			i++
			continue
		}
		switch last := i+size == len(text); {
		case closes && open[name] > 0:
			open[name]--
		case closes && !last:
			e.Torn = true
		case closes, last:
			e.At, e.Name, e.Tag, e.Closes = i, name, true, closes
			return e
		default:
			open[name]++
		}
		i += size
	}
	e.Torn = e.Torn || endsInBracket(text)
	return e
}

// endsInBracket reports whether text ends with a '>' that does not end a tag, or with a closing tag in square
// brackets.
func endsInBracket(text string) bool {
	if text == "" {
		return false
	}
	switch text[len(text)-1] {
	case '>':
		return !endsInTag(text)
	case ']':
		return strings.HasPrefix(text[max(0, strings.LastIndexByte(text, '[')):], "[/")
	}
	return false
}

// endsInTag reports whether text, which ends with '>', ends with a tag.
func endsInTag(text string) bool {
	at := strings.LastIndexByte(text, '<')
	if at < 0 {
		return false
	}
	_, _, size := looseTag(text[at:])
	return at+size == len(text)
}

// looseTag reads a tag at the beginning of t with tolerance for misplaced slashes and blanks, a namespace, and a
// missing closing bracket at the end of the text or line. size is 0 if there is none.
func looseTag(t string) (name string, closes bool, size int) {
	i := 1
	for i < len(t) && (t[i] == '/' || t[i] == '\\' || t[i] == ' ' && i > 1) {
		closes = closes || t[i] == '/'
		i++
	}
	from := i
	for i < len(t) && chars.IsTagByte(t[i]) {
		i++
	}
	name = t[from:i]
	if n := strings.LastIndexByte(name, ':'); n >= 0 {
		name = name[n+1:]
	}
	if name == "" && !closes {
		return "", false, 0
	}
	for ; i < len(t) && i < chars.MaxTag; i++ {
		switch t[i] {
		case '>':
			for i++; i < len(t) && t[i] == '>'; {
				i++
			}
			return name, closes, i
		case '<', '\n':
			if closes {
				return name, closes, i
			}
			return "", false, 0
		}
	}
	if i < len(t) || !closes {
		return "", false, 0
	}
	return name, closes, i
}

// IsOwn reports whether tags in a value belong to the value, because it begins like JSON or with a CDATA marker.
func IsOwn(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.IndexByte("{[\"", text[0]) >= 0 || strings.HasPrefix(text, OpenCDATA)
}
