package reduce

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/internal/jsonx"
)

// A span is a part of a text.
type span struct{ from, to int }

// A place is a JSON text in a case.
type place struct {
	get func(c *casefile.Case) []byte
	put func(c *casefile.Case, text []byte)
}

// tree leaves out elements and members of a JSON text, one level after the other, the outermost first.
func (s *search) tree(p place) {
	for depth := 1; depth <= min(maxDepth, levels(p.get(s.best))); depth++ {
		for nth := 0; !s.over(); nth++ {
			text := p.get(s.best)
			parts := partsAt(text, depth, nth)
			if parts == nil {
				break
			}
			minimize(len(parts), func(stay []bool) bool { return s.put(p, without(text, parts, stay)) }, s.over)
		}
	}
}

// put tries a text at a place.
func (s *search) put(p place, text []byte) bool {
	c := s.best.Clone()
	p.put(c, text)
	return s.try(c)
}

// maxDepth bounds the levels of a text that are looked at.
const maxDepth = 12

// levels is the depth of a text, as far as it is looked at.
func levels(text []byte) int {
	deepest, depth := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = jsonx.Skip(text, i) - 1
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

// partsAt returns the elements or members of the nth container of a depth, in the order of the text; nil where there
// are no more. A container without any has an empty list.
func partsAt(text []byte, depth, nth int) []span {
	seen := -1
	var found []span
	var visit func(from, level int) (done bool)
	visit = func(from, level int) bool {
		spans, values := children(text, from)
		if level == depth {
			if seen++; seen == nth {
				found = append([]span{}, spans...)
				return true
			}
			return false
		}
		for _, at := range values {
			if jsonx.IsObject(text[at:]) || jsonx.IsArray(text[at:]) {
				if visit(at, level+1) {
					return true
				}
			}
		}
		return false
	}
	start := jsonx.Space(text, 0)
	if start < len(text) && (jsonx.IsObject(text[start:]) || jsonx.IsArray(text[start:])) {
		visit(start, 1)
	}
	return found
}

// children returns the members or elements of the container that begins at a place, and where their values begin.
func children(text []byte, from int) (spans []span, values []int) {
	i := jsonx.Space(text, from+1)
	for i < len(text) && text[i] != '}' && text[i] != ']' {
		at := i
		if text[from] == '{' {
			i = jsonx.Space(text, jsonx.Skip(text, i)) // the name
			i = jsonx.Space(text, i+1)                 // the colon
		}
		values = append(values, i)
		i = jsonx.Skip(text, i)
		spans = append(spans, span{at, i})
		if i = jsonx.Space(text, i); i < len(text) && text[i] == ',' {
			i = jsonx.Space(text, i+1)
		} else {
			break
		}
	}
	return spans, values
}

// without is a text without the parts of one container that do not stay, nor their commas.
func without(text []byte, parts []span, stay []bool) []byte {
	if len(parts) == 0 {
		return text
	}
	out := slices.Clone(text[:parts[0].from])
	var kept [][]byte
	for i, p := range parts {
		if stay[i] {
			kept = append(kept, text[p.from:p.to])
		}
	}
	out = append(out, bytes.Join(kept, []byte(","))...)
	return append(out, text[parts[len(parts)-1].to:]...)
}
