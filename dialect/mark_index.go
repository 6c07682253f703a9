package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/label"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// Marks combines the caller's own formats with those of the table. Use NewMarks. It can be shared by scanners and is
// safe for concurrent use.
type Marks struct {
	index *index
	own   []Format
}

// An index has all markers, by their syntax.
type index struct {
	tags     map[string]entry  // <name>, by name without namespace
	specials map[string]entry  // <|name|>, by canonical name
	frames   map[string]frame  // <|name|> that begins a longer marker
	literals []textMark        // [NAME] and others, in matching order
	seconds  [256]bool         // second bytes of literals
	prefix   string            // prefix of tags
	bars     map[string]string // first format by the namespace between bars
	rows     map[string]*Format
	layouts  []label.Layout
	keys     callshape.Keys
	attrs    []string // see Format.Attributes
	names    []string // sorted tag names, for prefix search
	tokens   []string // sorted special token names, for prefix search
}

type entry struct {
	tag, format string
	role        Role
	close       bool
	also        []string // further markers that this one closes
	noise       bool     // one of them has no meaning
}

type textMark struct {
	text string
	rest string // text after the tool name, if the marker contains the name
	entry
}

// A frame is a special token that begins markers of the form token, name and attributes, token, such as
// <|open|>call<|sep|>.
type frame struct {
	end   string // name of the token that ends the marker
	inner map[string]entry
}

// newIndex returns the index of the formats. Earlier formats take precedence.
func newIndex(lists ...[]Format) *index {
	x := &index{tags: map[string]entry{}, specials: map[string]entry{}, frames: map[string]frame{}, rows: map[string]*Format{},
		bars: map[string]string{}}
	for _, list := range lists {
		for i := range list {
			x.row(&list[i])
		}
	}
	slices.Sort(x.names)
	slices.Sort(x.tokens)
	return x
}

// row adds the markers of a format. If two formats have the same name, the first counts.
func (x *index) row(f *Format) {
	if x.rows[f.Name] == nil {
		x.rows[f.Name] = f
	}
	if f.bars != "" && x.bars[f.bars] == "" {
		x.bars[f.bars] = f.Name
	}
	x.attrs = append(x.attrs, f.Attributes...)
	if f.NameKey != "" {
		x.keys.Name = append(x.keys.Name, f.NameKey)
	}
	if f.ArgumentsKey != "" {
		x.keys.Args = append(x.keys.Args, f.ArgumentsKey)
	}
	for _, m := range f.Marks {
		if m.Role == Line {
			x.layouts = append(x.layouts, label.Layout{Name: m.Open, Input: m.Close, Format: f.Name})
			continue
		}
		x.add(m.Open, m.Open, m.Role, f.Name, false)
		x.add(m.Close, m.Open, m.Role, f.Name, true)
	}
}

func (x *index) add(text, open string, role Role, format string, closing bool) {
	if text == "" {
		return
	}
	e := entry{tag: markup.TagOf(open), format: format, role: role, close: closing, noise: role == Noise}
	switch {
	case role == Prefix:
		x.prefix = text
	case strings.HasPrefix(text, "<|") && strings.Count(text, "<|") == 2:
		x.addFrame(text, e)
	case strings.HasPrefix(text, "<|"):
		name := markup.TokenName(text[1 : len(text)-1])
		old, taken := x.specials[name]
		if !taken {
			x.specials[name] = e
			x.tokens = append(x.tokens, name)
		} else if old.close && old.tag != e.tag {
			old.also, old.noise = append(old.also, e.tag), old.noise || e.noise
			x.specials[name] = old
		}
	case strings.HasPrefix(text, "<"):
		name := markup.TagOf(text)
		if _, taken := x.tags[name]; !taken {
			e.close = closing && !strings.HasPrefix(text, "</")
			x.tags[name] = e
			x.names = append(x.names, name)
		}
	default:
		text, rest, _ := strings.Cut(text, markup.NameInMark)
		x.literals = append(x.literals, textMark{text, rest, e})
		x.seconds[text[1]] = true
	}
}

// shortestCut is the minimum length in bytes of an incomplete marker at the end of a response.
const shortestCut = 6

// cuts reports whether rest is the beginning of a special token.
func (x *index) cuts(rest string) bool {
	return len(rest) >= shortestCut && len(rest) <= chars.MaxToken && chars.BarAt(rest, 1) > 0 && !strings.ContainsAny(rest, " \n>") &&
		hasPrefixed(x.tokens, markup.Canonical(strings.ToValidUTF8(rest[1:], "")))
}

// addFrame adds a marker that is framed by two special tokens.
func (x *index) addFrame(text string, e entry) {
	open, inner, end, _ := markup.CutFrame(text)
	f, known := x.frames[open]
	if !known {
		f = frame{end: end, inner: map[string]entry{}}
		x.frames[open] = f
		x.tokens = append(x.tokens, open)
	}
	f.inner[inner] = e
}

// isToken reports whether a format has a special token with the given name.
func (x *index) isToken(name string) bool {
	if _, ok := x.specials[name]; ok {
		return true
	}
	for begin, f := range x.frames {
		if name == begin || name == f.end {
			return true
		}
	}
	return false
}

// isAlone reports whether a token that begins framed markers is also a marker itself.
func (x *index) isAlone(name string) bool {
	_, ok := x.specials[name]
	return ok
}

func hasPrefixed(sorted []string, prefix string) bool {
	i, _ := slices.BinarySearch(sorted, prefix)
	return i < len(sorted) && strings.HasPrefix(sorted[i], prefix)
}
