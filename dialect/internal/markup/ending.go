package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// An Ending is the tag, or the rest of one, in which a text ends, and which is no part of its markup: it closes
// nothing, or is not closed.
type Ending struct {
	At   int // where it begins; the length of the text without its last white space where there is none
	Name string
	Tag  bool // there is one
	// Closes says that it is a closing tag.
	Closes bool
	// Opens says that an element of the same name begins in the text and does not end.
	Opens bool
	// Torn says that another such tag stands before it, or that the text ends in a bracket of another kind of tag.
	Torn bool
}

// EndingOf reads the end of a text that stands in an element of a name.
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

// endsInBracket reports whether a text ends in a bracket of tags without a tag, or in a closing tag in square brackets.
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

// endsInTag reports whether a text that ends in a bracket ends in a tag.
func endsInTag(text string) bool {
	at := strings.LastIndexByte(text, '<')
	if at < 0 {
		return false
	}
	_, _, size := looseTag(text[at:])
	return at+size == len(text)
}

// looseTag reads a tag at the beginning of t as carelessly as one may be written: with slashes and blanks in wrong
// places, a namespace, or its last bracket missing where the text or the line ends. size is 0 where there is no tag.
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

// IsOwn reports whether the tags in a value are its own by how it begins: as JSON, in whose strings they stand, or with
// a CDATA mark.
func IsOwn(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.IndexByte("{[\"", text[0]) >= 0 || strings.HasPrefix(text, OpenCDATA)
}
