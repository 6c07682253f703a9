package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright/internal/jsonx"
)

// Layout writes the document now with the formatting of an earlier text. Values that did not change keep their bytes.
// Other values get the line breaks, indentation and spaces of text, and stay on one line if they were on one. Without a
// text, the indentation is two spaces, and the result ends with a line break.
func Layout(text, now []byte) []byte {
	now = jsonx.Trim(now)
	old := jsonx.Trim(text)
	if len(old) == 0 {
		return append(fresh.value(nil, nil, now, ""), '\n')
	}
	start, end := jsonx.Span(text, old)
	out := append([]byte(nil), text[:start]...)
	out = styleOf(old).value(out, old, now, "")
	return append(out, text[end:]...)
}

// A style is the formatting of a JSON text: line breaks, indentation and separators.
type style struct {
	eol    string // line break
	indent string // one level of indentation
	colon  string // separator of a name and its value
	comma  string // separator of values on one line
	flat   bool   // the whole text is on one line
}

// fresh is the style of a JSON text that has no earlier version.
var fresh = style{eol: "\n", indent: "  ", colon: ": ", comma: ", "}

// styleOf detects the formatting style of a JSON text.
func styleOf(text []byte) style {
	s := fresh
	s.flat = !bytes.ContainsRune(text, '\n') && (jsonx.IsObject(text) || jsonx.IsArray(text)) && len(text) > len("{}")
	if bytes.Contains(text, []byte("\r\n")) {
		s.eol = "\r\n"
	}
	c := containerOf(text)
	_, inner, broken := strings.Cut(c.open, "\n")
	_, outer, _ := strings.Cut(c.shut, "\n")
	if step, ok := strings.CutPrefix(inner, outer); broken && ok && step != "" && strings.Trim(step, " \t") == "" {
		s.indent = step
	}
	if colon := firstColon(text); colon != "" {
		s.colon = colon
		s.comma = "," + strings.TrimLeft(colon, " \t:")
		if colon == ": " {
			s.comma = ", "
		}
	} else if c.comma != "" {
		s.comma = c.comma
	}
	return s
}

// firstColon returns the text between the first member name and its value, "" if there is none on one line.
func firstColon(text []byte) string {
	for c := containerOf(text); len(c.items) > 0; c = containerOf(text) {
		it := c.items[0]
		if it.name == nil {
			text = it.value
			continue
		}
		_, from := jsonx.Span(text, it.name)
		to, _ := jsonx.Span(text, it.value)
		if between := string(text[from:to]); !strings.Contains(between, "\n") {
			return between
		}
		return ""
	}
	return ""
}

// A container is an array or object with the text between its items.
type container struct {
	open, comma, shut string // before the first value, between the first two, after the last
	items             []item
}

// An item is an array element (name is nil) or an object member. Both are raw JSON.
type item struct{ name, value []byte }

// containerOf splits a value into its items. It returns no items for a scalar or an empty container.
func containerOf(v []byte) (c container) {
	for name, value := range jsonx.Members(v) {
		c.items = append(c.items, item{name, value})
	}
	for value := range jsonx.Elements(v) {
		c.items = append(c.items, item{nil, value})
	}
	if len(c.items) == 0 {
		return c
	}
	begin := func(it item) int {
		part := it.value
		if it.name != nil {
			part = it.name
		}
		at, _ := jsonx.Span(v, part)
		return at
	}
	_, end := jsonx.Span(v, c.items[len(c.items)-1].value)
	c.open, c.shut = string(v[1:begin(c.items[0])]), string(v[end:len(v)-1])
	if len(c.items) > 1 {
		_, end := jsonx.Span(v, c.items[0].value)
		c.comma = string(v[end:begin(c.items[1])])
	}
	return c
}

// value appends the value now to dst, with the formatting of old (nil for none). margin is the indentation of the line.
func (s style) value(dst, old, now []byte, margin string) []byte {
	if old != nil && jsonx.Equal(old, now) {
		return append(dst, old...)
	}
	after := containerOf(now)
	if len(after.items) == 0 {
		return append(dst, now...)
	}
	before := container{}
	if jsonx.KindOf(old) == jsonx.KindOf(now) {
		before = containerOf(old)
	}
	inner := margin + s.indent
	open, comma, shut := s.eol+inner, ","+s.eol+inner, s.eol+margin
	switch {
	case len(before.items) == 0 && s.flat:
		open, comma, shut = "", s.comma, ""
	case len(before.items) == 0:
	case !strings.Contains(before.open+before.comma+before.shut, "\n"):
		open, comma, shut = before.open, before.comma, before.shut
		if comma == "" {
			comma = s.comma
		}
	case strings.Contains(before.open, "\n"):
		open, shut = before.open, before.shut
		inner = open[strings.LastIndexByte(open, '\n')+1:]
		comma = "," + open
	}
	like := olds(before.items, after.items)
	dst = append(dst, now[0])
	for i, it := range after.items {
		if i == 0 {
			dst = append(dst, open...)
		} else {
			dst = append(dst, comma...)
		}
		if it.name != nil {
			dst = append(append(dst, it.name...), s.colon...)
		}
		dst = s.value(dst, like[i], it.value, inner)
	}
	return append(append(dst, shut...), now[len(now)-1])
}

// olds returns the earlier value of each item: members are matched by name, elements as in Diff.
func olds(was, now []item) [][]byte {
	out := make([][]byte, len(now))
	if len(was) == 0 || len(now) == 0 {
		return out
	}
	if now[0].name != nil {
		named := map[string][]byte{}
		for _, it := range was {
			named[jsonx.Key(it.name).String()] = it.value
		}
		for i, it := range now {
			out[i] = named[jsonx.Key(it.name).String()]
		}
		return out
	}
	before, after := valuesOf(was), valuesOf(now)
	_, last := same(before, after)
	for i := range after {
		switch {
		case i >= len(after)-last:
			out[i] = before[len(before)-(len(after)-i)]
		case i < len(before)-last:
			out[i] = before[i]
		}
	}
	return out
}

func valuesOf(items []item) [][]byte {
	out := make([][]byte, len(items))
	for i, it := range items {
		out[i] = it.value
	}
	return out
}

// same returns the numbers of equal elements at the start and at the end of two arrays.
func same(was, now [][]byte) (first, last int) {
	n := min(len(was), len(now))
	for first < n && jsonx.Equal(was[first], now[first]) {
		first++
	}
	for last < n-first && jsonx.Equal(was[len(was)-1-last], now[len(now)-1-last]) {
		last++
	}
	return first, last
}

// Place returns the line and the column of a byte offset, both from 1. The column counts characters.
func Place(text []byte, offset int) (line, column int) {
	before := text[:min(max(offset, 0), len(text))]
	begin := bytes.LastIndexByte(before, '\n') + 1
	return bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[begin:]) + 1
}
