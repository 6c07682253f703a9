package dialect

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A Role is what a mark does.
type Role uint8

// Roles of marks.
const (
	Wrap     Role = iota // stands around one call or several; its tag may carry the call's name
	Section              // special tokens around calls: whatever else stands between them is dropped
	Separate             // stands between the parts of a call
	Value                // stands around one argument; its tag carries the key
	Key                  // stands around the key of the argument that follows
	Think                // stands around reasoning
	Result               // stands around a tool's result: nothing in it is a call
	Noise                // a chat template's token, which says nothing to a reader
	Channel              // a token of the harmony format
	Cite                 // stands around cited text: the marks leave it
	Aside                // stands around what belongs to no value and no text
	Prefix               // stands before every tag of its format
)

// A Mark is one spelling of a format's markup. Close is empty for marks that stand alone.
type Mark struct {
	Open  string
	Close string
	Role  Role
}

// A lexeme is a mark as it was met.
type token struct {
	tag      string // canonical name
	role     Role
	format   string
	n        int    // bytes
	attr     string // the name it carries: <invoke name="x">, <function=x>
	id       string
	also     []string // further tags that it closes
	noise    bool     // one of them says nothing
	close    bool
	alone    bool  // <x/>
	json     bool  // its value is JSON
	lines    bool  // <x=y>: the value stands on lines of its own
	special  bool  // a special token, not a tag of plain text
	named    bool  // its tag is the name of a declared tool
	prefixed bool  // the prefix of its format stands before it
	line     bool  // <x: y>: a name and plain text follow
	args     []Arg // of a named tag: its attributes
}

// A found on whether a mark stands at a place.
type tristate uint8

const (
	no tristate = iota
	maybe
	yes
)

type entry struct {
	tag, format string
	role        Role
	close       bool
	also        []string // further marks that this one closes
	noise       bool     // one of them says nothing
}

// An index of all marks, by the way they are met.
type index struct {
	tags     map[string]entry // <name>, without namespace
	specials map[string]entry // <|name|>, canonical
	frames   map[string]frame // <|name|> that begins a longer mark
	literals []literal        // [NAME] and others, tried in order
	prefix   string           // stands before tags
	rows     map[string]*Format
	names    []string // sorted names of tags, for prefixes
	tokens   []string // sorted names of specials
}

type literal struct {
	text string
	entry
}

var marks = sync.OnceValue(func() *index { return newIndex(nil) })

// newIndex indexes formats of a caller's own, and behind them those of the table.
func newIndex(own []Format) *index {
	x := &index{tags: map[string]entry{}, specials: map[string]entry{}, frames: map[string]frame{}, rows: map[string]*Format{}}
	for i := range own {
		x.row(&own[i])
	}
	for i := range table {
		x.row(&table[i])
	}
	slices.Sort(x.names)
	slices.Sort(x.tokens)
	return x
}

// row adds the marks of one format; of two formats with one name the first counts.
func (x *index) row(f *Format) {
	if x.rows[f.Name] == nil {
		x.rows[f.Name] = f
	}
	for _, m := range f.Marks {
		x.add(m.Open, m.Open, m.Role, f.Name, false)
		x.add(m.Close, m.Open, m.Role, f.Name, true)
	}
}

// Marks are the marks of a caller's own formats, together with those of the table. They are made once for many scanners and
// are safe for concurrent use.
type Marks struct{ index *index }

// NewMarks puts formats before those of the table: a mark that several have belongs to the first. A format of a caller's own
// needs a name, which notes give as dialect.NAME, and marks; it is only read. What stands inside its marks is read like
// the calls of any other format: JSON with a name and arguments, a name and JSON, tags. A mark is a tag, a special token, or
// a text that begins with a bracket: <act>, <|act|>, [ACT]. Another text, or a role that belongs to one format of the table
// (Prefix, Channel), is an error.
func NewMarks(own ...Format) (*Marks, error) {
	for i := range own {
		if own[i].Name == "" {
			return nil, fmt.Errorf("format %d: expected a name, got none", i)
		}
		for _, m := range own[i].Marks {
			if err := m.check(); err != nil {
				return nil, fmt.Errorf("format %s: %w", own[i].Name, err)
			}
		}
	}
	return &Marks{newIndex(slices.Clone(own))}, nil
}

// shortestMark is the length from which a text can be told from what people write.
const shortestMark = 3

func (m Mark) check() error {
	if m.Role == Prefix || m.Role == Channel || m.Role > Prefix {
		return fmt.Errorf("mark %q: its role is not one for formats of a caller's own", m.Open)
	}
	for _, text := range []string{m.Open, m.Close} {
		switch {
		case text == "" && text == m.Close:
		case len(text) < shortestMark, strings.TrimSpace(text) != text, strings.Trim(text, "</>|[]=") == "":
			return fmt.Errorf("mark %q: expected at least %d bytes with a name, without white space around them", text, shortestMark)
		case text[0] != '[' && (text[0] != '<' || text[len(text)-1] != '>'):
			return fmt.Errorf("mark %q: expected a tag in < and >, or a text that begins with [", text)
		}
	}
	return nil
}

func (x *index) add(text, open string, role Role, format string, closing bool) {
	if text == "" {
		return
	}
	e := entry{tag: tagOf(open), format: format, role: role, close: closing, noise: role == Noise}
	switch {
	case role == Prefix:
		x.prefix = text
	case strings.HasPrefix(text, "<|") && strings.Count(text, "<|") == 2:
		x.frame(text, e)
	case strings.HasPrefix(text, "<|"):
		name := tokenName(text[1 : len(text)-1])
		old, taken := x.specials[name]
		if !taken {
			x.specials[name] = e
			x.tokens = append(x.tokens, name)
		} else if old.close && old.tag != e.tag {
			old.also, old.noise = append(old.also, e.tag), old.noise || e.noise
			x.specials[name] = old
		}
	case strings.HasPrefix(text, "<"):
		name := tagOf(text)
		if _, taken := x.tags[name]; !taken {
			e.close = closing && !strings.HasPrefix(text, "</")
			x.tags[name] = e
			x.names = append(x.names, name)
		}
	default:
		x.literals = append(x.literals, literal{text, e})
	}
}

// tagOf is the bare name in a mark's spelling.
func tagOf(mark string) string {
	if first, inner, _, ok := cutFrame(mark); ok {
		return "|" + first + " " + inner
	}
	if strings.HasPrefix(mark, "<|") {
		return "|" + tokenName(mark[1:len(mark)-1])
	}
	return strings.Trim(mark, "</>=[]")
}

// canonical spells a special token's inside with plain characters: models and servers write its bars and joints in
// several look-alike ways.
func canonical(s string) string {
	if isPlain(s) {
		return strings.Trim(s, "|")
	}
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '｜', '‖':
			r = '|'
		case '▁':
			r = '_'
		case ' ':
			continue
		}
		b.WriteRune(r)
	}
	return strings.Trim(b.String(), "|")
}

// tokenName is the canonical name of a special token's inside; <|name> is another token than <|name|>.
func tokenName(inside string) string {
	name := canonical(inside)
	if inside != "" && inside[len(inside)-1] < 0x80 && !strings.HasSuffix(inside, "|") {
		name += ">"
	}
	return name
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 || s[i] == ' ' {
			return false
		}
	}
	return true
}
