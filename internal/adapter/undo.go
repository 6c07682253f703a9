package adapter

import (
	"bytes"
	"sync"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
)

// A step turns a value for the translated schema into one for the original. Nil leaves it as it is.
type step struct {
	strip   bool              // null stands for a member that is not there
	props   map[string]*step  // of members, by the names that are sent
	rest    *step             // of other members
	items   *step             // of elements, those of prefix excepted
	prefix  []*step           // of the first elements
	choices []*choice         // the first whose schema fits
	values  map[string][]byte // values by the texts that stand for them
	entries bool              // a list of names and values stands for an object
	value   *step             // of the values of entries
	def     *definition       // of what a reference leads to
}

// A choice is an alternative, as it was written, and how its values come back.
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

// orStripped is the step of a value that may be null in place of not being there.
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

// Undo returns arguments for the original schema from arguments for the translated one, as far as they have its form;
// other values are left as they are. It returns args itself where nothing has to be done, or args is no JSON.
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

// undoing goes through one document.
type undoing struct {
	text  []byte
	names map[string]string
}

// value appends the value at i as the original has it, and returns where it ends.
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

// chooseStep returns the step of the first alternative that the value fits. Of a value that fits none, the first whose
// kind it has.
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

// followDefinitions follows definitions.
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

// restoredNames returns the names under which members of an object come back whose own names were sent in another form:
// a member under such a name itself means the same member, and is left out. It is nil for most objects.
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

// original returns the name that a property has in the original, where it was sent under another.
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

// entries appends a list of names and values as an object. Of two with the same name the last one counts. Elements that
// are no entries are left out only where no entry is among them: then the list stays.
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
