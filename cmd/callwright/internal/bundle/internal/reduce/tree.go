package reduce

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/internal/jsonx"
)

// A span is the byte range [from, to) of a text.
type span struct{ from, to int }

// A place is a JSON document in a case, with its getter and setter.
type place struct {
	get func(c *casefile.Case) []byte
	put func(c *casefile.Case, text []byte)
}

// tree removes elements and members of a JSON document, level by level from the outermost one.
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

// put tries the case with the document at p replaced by text.
func (s *search) put(p place, text []byte) bool {
	c := s.best.Clone()
	p.put(c, text)
	return s.try(c)
}

// maxDepth is the maximum nesting level of JSON that is reduced.
const maxDepth = 12

// levels returns the nesting depth of a JSON document.
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

// partsAt returns the elements or members of the nth container at a nesting depth, in text order. It returns nil if
// there is no such container, and an empty list for an empty container.
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

// children returns the members or elements of the container that begins at the offset from, and the offsets of their
// values.
func children(text []byte, from int) (spans []span, values []int) {
	i := jsonx.Space(text, from+1)
	for i < len(text) && text[i] != '}' && text[i] != ']' {
		at := i
		if text[from] == '{' {
			i = jsonx.Space(text, jsonx.Skip(text, i)) // skip the member name
			i = jsonx.Space(text, i+1)                 // skip the colon
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

// without returns text without those parts of a container for which stay is false, and without their commas.
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
