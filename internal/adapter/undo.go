package adapter

import (
	"bytes"
	"sync"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// A step converts a value for the translated schema to a value for the original. A nil step changes nothing.
type step struct {
	strip   bool              // null is converted to an absent member
	props   map[string]*step  // steps of members, by sent name
	rest    *step             // step of other members
	items   *step             // step of array elements after those in prefix
	prefix  []*step           // steps of the first array elements
	choices []*choice         // alternatives; the first that the value satisfies applies
	values  map[string][]byte // values by the strings that represent them
	entries bool              // a list of names and values is converted to an object
	value   *step             // step of the values in entries
	def     *definition       // definition to which a reference leads
}

// A choice is a translated alternative, with the step that converts its values back.
type choice struct {
	written *value
	defs    *definitions
	undo    *step

	once sync.Once
	is   *schema.Schema
}

// fits reports whether a value satisfies the alternative.
func (c *choice) fits(v []byte) bool {
	c.once.Do(func() { c.is, _ = schema.Compile(c.defs.attachDefinitions(c.written).json()) })
	return c.is != nil && c.is.Validate(v) == nil
}

// orStripped returns a step like s that also converts null to an absent member.
func (s *step) orStripped() *step {
	if s == nil {
		return &step{strip: true}
	}
	out := *s
	out.strip = true
	return &out
}

func (s *step) property(name string, of *step) {
	if s.props == nil {
		s.props = map[string]*step{}
	}
	s.props[name] = of
}

func (s *step) properties() map[string]*step {
	if s == nil {
		return nil
	}
	return s.props
}

func (s *step) others() *step {
	if s == nil {
		return nil
	}
	return s.rest
}

// Undo converts arguments for the translated schema to arguments for the original one. Values that do not have the
// translated form are kept. It returns args itself if nothing changes or args is not valid JSON.
func (t *Translation) Undo(args []byte) []byte {
	if !t.Undoes() || jsonx.Valid(args) != nil {
		return args
	}
	args = jsonx.Trim(args)
	u := undoing{text: args, names: t.names}
	out, _ := u.value(make([]byte, 0, len(args)), 0, t.undo)
	if bytes.Equal(out, args) {
		return args
	}
	return out
}

// undoing is the state of one Undo.
type undoing struct {
	text  []byte
	names map[string]string
}

// value appends the value at offset i of the text, converted by s. end is the offset after the value.
func (u *undoing) value(dst []byte, i int, s *step) (out []byte, end int) {
	s = s.followDefinitions()
	if s == nil && u.names == nil {
		end = jsonx.SkipValue(u.text, i)
		return append(dst, u.text[i:end]...), end
	}
	for s != nil && s.choices != nil {
		s = u.chooseStep(i, s)
	}
	switch c := u.text[i]; {
	case c == '{':
		return u.object(dst, i, s)
	case c == '[' && s != nil && s.entries:
		return u.entries(dst, i, s)
	case c == '[':
		return u.array(dst, i, s)
	}
	end = jsonx.SkipValue(u.text, i)
	if s != nil && s.values != nil {
		if v, ok := s.values[string(jsonx.TextBytes(u.text[i:end]))]; ok && u.text[i] == '"' {
			return append(dst, v...), end
		}
	}
	return append(dst, u.text[i:end]...), end
}

// chooseStep returns the step of the first alternative that the value satisfies, or else of the first with the value's
// type.
func (u *undoing) chooseStep(i int, s *step) *step {
	v := u.text[i:jsonx.SkipValue(u.text, i)]
	for _, c := range s.choices {
		if c.fits(v) {
			return c.undo.followDefinitions()
		}
	}
	kind := jsonx.KindOf(v)
	for _, c := range s.choices {
		for _, name := range typesOf(c.written.get("type")) {
			if name == kind.String() || kind == jsonx.Number && name == "integer" {
				return c.undo.followDefinitions()
			}
		}
	}
	return nil
}

// followDefinitions returns the step to which references lead.
func (s *step) followDefinitions() *step {
	for s != nil && s.def != nil {
		s = s.def.undo
	}
	return s
}

func (u *undoing) object(dst []byte, i int, s *step) ([]byte, int) {
	dst = append(dst, '{')
	first := true
	taken := u.restoredNames(i)
	end := jsonx.WalkMembers(u.text, i, func(key jsonx.Key, at int) int {
		if taken != nil && taken[key.String()] {
			return jsonx.SkipValue(u.text, at)
		}
		var of *step
		if s != nil {
			if of = s.rest; s.props != nil {
				if p, ok := s.props[key.String()]; ok {
					of = p
				}
			}
		}
		if of != nil && of.strip && u.text[at] == 'n' {
			return jsonx.SkipValue(u.text, at)
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		if was, ok := u.original(key); ok {
			dst = jsonx.AppendQuote(dst, was)
		} else {
			dst = append(dst, key...)
		}
		dst = append(dst, ':')
		var end int
		dst, end = u.value(dst, at, of)
		return end
	})
	return append(dst, '}'), end
}

// restoredNames returns the original names of renamed properties in an object. A member that already has such a name is
// a duplicate and is dropped. It returns nil if there are none.
func (u *undoing) restoredNames(i int) (names map[string]bool) {
	if len(u.names) == 0 {
		return nil
	}
	jsonx.WalkMembers(u.text, i, func(key jsonx.Key, at int) int {
		if was, ok := u.original(key); ok {
			if names == nil {
				names = map[string]bool{}
			}
			names[was] = true
		}
		return jsonx.SkipValue(u.text, at)
	})
	return names
}

// original returns the original name of a property that was renamed. It returns false for others.
func (u *undoing) original(key jsonx.Key) (string, bool) {
	if len(u.names) == 0 {
		return "", false
	}
	was, ok := u.names[key.String()]
	return was, ok
}

func (u *undoing) array(dst []byte, i int, s *step) ([]byte, int) {
	dst = append(dst, '[')
	end := jsonx.WalkElements(u.text, i, func(n, at int) int {
		if n > 0 {
			dst = append(dst, ',')
		}
		var of *step
		if s != nil {
			if of = s.items; n < len(s.prefix) {
				of = s.prefix[n]
			}
		}
		var end int
		dst, end = u.value(dst, at, of)
		return end
	})
	return append(dst, ']'), end
}

// entries appends to dst the object for an array of entries, each with the name and the value of a member. Of duplicate
// names the last value applies. It appends the array unchanged if an element is not such an entry.
func (u *undoing) entries(dst []byte, i int, s *step) ([]byte, int) {
	var names []string
	values := map[string][]byte{}
	sound := true
	end := jsonx.WalkElements(u.text, i, func(_, at int) int {
		var name, v []byte
		end := jsonx.SkipValue(u.text, at)
		if u.text[at] == '{' {
			jsonx.WalkMembers(u.text, at, func(key jsonx.Key, at int) int {
				end := jsonx.SkipValue(u.text, at)
				switch {
				case key.Is("name"):
					name = u.text[at:end]
				case key.Is("value"):
					v, _ = u.value(nil, at, s.value)
				}
				return end
			})
		}
		if !jsonx.IsText(name) || v == nil {
			sound = false
			return end
		}
		text, _ := jsonx.String(name)
		if values[text] == nil {
			names = append(names, text)
		}
		values[text] = v
		return end
	})
	if !sound {
		return append(dst, u.text[i:end]...), end
	}
	dst = append(dst, '{')
	for n, name := range names {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(jsonx.AppendQuote(dst, name), ':'), values[name]...)
	}
	return append(dst, '}'), end
}
