package kit

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// Names finds the members of one object that stand there twice, however they are spelled: of two, a server and a codec
// might take different ones. The zero Names is ready for use.
type Names struct {
	Camel bool // a name in snake_case is the name in camelCase

	few  [16][]byte
	n    int
	many map[string]struct{} // once there are more than few
}

// Twice reports whether the name has been given before.
func (s *Names) Twice(key jsonx.Key) bool {
	name := key.Text()
	if s.Camel {
		name = camel(name)
	}
	if s.many != nil {
		_, twice := s.many[string(name)]
		s.many[string(name)] = struct{}{}
		return twice
	}
	for _, other := range s.few[:s.n] {
		if string(other) == string(name) {
			return true
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return false
	}
	s.many = map[string]struct{}{string(name): {}}
	for _, other := range s.few {
		s.many[string(other)] = struct{}{}
	}
	return false
}

// camel is a name in camelCase.
func camel(name []byte) []byte {
	if bytes.IndexByte(name, '_') < 0 {
		return name
	}
	words := bytes.Split(name, []byte{'_'})
	for i, w := range words[1:] {
		if len(w) > 0 {
			words[i+1] = append(bytes.ToUpper(w[:1]), w[1:]...)
		}
	}
	return slices.Concat(words...)
}

// isData reports whether the value of a member is data of a program: the input or output of a tool, or a schema. The
// members of such a value are not the API's.
func isData(key jsonx.Key) bool {
	name := key.Text()
	return bytes.HasSuffix(name, []byte("schema")) || bytes.HasSuffix(name, []byte("Schema")) || dataNames[string(name)]
}

var dataNames = map[string]bool{"arguments": true, "args": true, "input": true, "action": true, "operation": true, "parameters": true,
	"response": true, "input_examples": true}

// double keeps the place of a member's value where the member stands twice.
func (d *Document) double(at int) {
	if d.twice == 0 {
		d.twice = at
	}
}

// members looks for members that stand twice in the value at i, which is valid, and gives its end.
func (d *Document) members(i int) int {
	switch d.Raw[i] {
	case '[':
		return jsonx.WalkElements(d.Raw, i, func(_, at int) int { return d.members(at) })
	case '{':
		names := Names{Camel: d.Camel}
		return jsonx.WalkMembers(d.Raw, i, func(key jsonx.Key, at int) int {
			if names.Twice(key) {
				d.double(at)
			}
			if isData(key) {
				return jsonx.SkipValue(d.Raw, at)
			}
			return d.members(at)
		})
	}
	return jsonx.SkipValue(d.Raw, i)
}

// pointerTo is the JSON pointer to the value that begins at a place, in the value at i, which is valid.
func pointerTo(raw []byte, i, place int) (pointer string) {
	inside := func(token string, at int) int {
		end := jsonx.SkipValue(raw, at)
		if at <= place && place < end {
			pointer = "/" + jsonx.EscapeToken(token) + pointerTo(raw, at, place)
		}
		return end
	}
	switch {
	case i == place:
	case raw[i] == '{':
		jsonx.WalkMembers(raw, i, func(key jsonx.Key, at int) int { return inside(key.String(), at) })
	case raw[i] == '[':
		jsonx.WalkElements(raw, i, func(n, at int) int { return inside(strconv.Itoa(n), at) })
	}
	return pointer
}
