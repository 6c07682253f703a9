package kit

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/jsonx"
)

// Names detects duplicate members of one JSON object, independent of escapes in their names. Of two members with the
// same name, a server and a codec might read different values. The zero Names is ready for use.
type Names struct {
	Camel bool // treat a name in snake_case as the same name in camelCase

	few  [16][]byte          // the first names
	n    int                 // number of names in few
	many map[string]struct{} // all names, once few is full; nil before
}

// Twice records the name of a JSON member, and reports whether it was recorded before.
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

// camel converts a name to camelCase: "mime_type" gives "mimeType".
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

// isData reports whether the value of the member key is data of a tool (arguments, result) or a JSON schema. The
// members of such a value are not defined by the API.
func isData(key jsonx.Key) bool {
	name := key.Text()
	return bytes.HasSuffix(name, []byte("schema")) || bytes.HasSuffix(name, []byte("Schema")) || dataNames[string(name)]
}

var dataNames = map[string]bool{"arguments": true, "args": true, "input": true, "action": true, "operation": true, "parameters": true,
	"response": true, "input_examples": true}

// double records that a member is a duplicate. at is the offset of its value. Only the first duplicate is recorded.
func (d *Document) double(at int) {
	if d.twice == 0 {
		d.twice = at
	}
}

// members checks the valid JSON value at offset i for duplicate members, and returns the offset of its end.
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

// pointerTo returns the JSON pointer to the value at offset place, relative to the valid JSON value at offset i.
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
