package kit

import (
	"bytes"

	"github.com/callwright/callwright/internal/jsonx"
)

// Names finds the members of one object that stand there twice, however they are spelled: of two, a server and a codec might
// take different ones. The zero Names is ready for use.
type Names struct {
	few  [32][]byte
	n    int
	many map[string]struct{} // once there are more than few
}

// Twice reports whether the name has been given before.
func (s *Names) Twice(key jsonx.Key) bool {
	name := bytes.Trim(key, `"`)
	if bytes.IndexByte(name, '\\') >= 0 {
		name = []byte(key.String())
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
