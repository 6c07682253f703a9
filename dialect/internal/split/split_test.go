package split_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect/internal/split"
)

// tools have one tool, f, that takes a and needs b; c is optional.
type tools struct{}

func (tools) Has(tool string) bool                { return tool == "f" }
func (tools) TakesText(_, name string) bool       { return name != "c" }
func (tools) Lacks(_ string, names []string) bool { return !slices.Contains(names, "b") }
func (tools) May(_ string, names []string) bool {
	for i, name := range names {
		if !strings.Contains("abc", name) || slices.Contains(names[:i], name) {
			return false
		}
	}
	return true
}

// read makes marks of a text in which f( begins a call, ) ends it, a< opens an argument and > closes it; the text begins with one.
func read(text string) (marks []split.Mark, tail bool) {
	last := 0
	for i, c := range text {
		m := split.Mark{Name: text[max(0, i-1):i], At: max(last, i-1), End: i + 1}
		switch c {
		case '(':
			m.Kind = split.Begin
		case '<':
			m.Kind = split.Open
		case '>':
			m.Kind, m.At = split.Close, i
		case ')':
			m.Kind, m.At = split.End, i
		default:
			continue
		}
		m.Gap = strings.TrimSpace(text[last:m.At]) != ""
		last = m.End
		marks = append(marks, m)
	}
	return marks, strings.TrimSpace(text[last:]) != ""
}

// Each value of a call ends where the rest of the text is read plainly; where two ends do, the call is unsure.
func TestValue(t *testing.T) {
	for text, want := range map[string][]string{
		"b<x>)":                     {"x"},
		"a<x> b<y>)":                {"x", "y"},
		"b<x>) f(b<y>)":             {"x"},
		"b<x f(b<y>) z>)":           {"x f(b<y>) z"},
		"b<x f() z>)":               {"x f() z"},
		"b<x > y>)":                 {"x > y"},
		"b<x > ) z>)":               {"x > ) z"},
		"b<x ) z>)":                 {"x ) z"},
		"b<x d< y>)":                {"x d< y"},
		"a<x> b<x > y>)":            {"x", "x > y"},
		"a<x > y> b<z>)":            {"x > y", "z"},
		"b<x>) f(b<y > ) z>)":       {"x>) f(b<y > ) z?"},
		"b<x> c<y > z>)":            {"x> c<y > z"},
		"b<x> a<y > z>)":            {"x> a<y > z?"},
		"b<x>>)":                    {"x>?"},
		"b<x>)>)":                   {"x>)?"},
		"b<x>) f(a<y>)":             {"x>) f(a<y?"},
		"b<x>) f()":                 {"x"},
		"b<x>) The end > is here":   {""},
		"b<x>) and > f(":            {"x>) and "},
		"b<x>) and y> f(":           {"x>) and y"},
		"b<x> a<y)":                 {"", ""},
		"b<x a<y>)":                 {""},
		"b<x) f(b<y>)":              {""},
		"b<x":                       {""},
		"b<x d<y> d<z> d< w>)":      {"x d<y> d<z> d< w"},
		"b<x>) text f(b<y>) text":   {"x"},
		"b<x> text f(b<y>) text> c": {""},
	} {
		marks, tail := read(text)
		p := split.New(marks, tail, tools{})
		var given, got []string
		for i := 0; i < len(marks) && len(got) < len(want); {
			if marks[i].Kind != split.Open {
				i++
				continue
			}
			v, ok := p.Value(marks[i].End, "f", given)
			given = append(given, marks[i].Name)
			value, end := "", marks[i].End
			if ok {
				value, end = text[marks[i].End:v.End], v.After
			}
			if v.Unsure {
				value += "?"
			}
			got = append(got, value)
			for i++; i < len(marks) && marks[i].At < end; {
				i++
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Any marks are read, and each value that is known ends at a mark that closes it.
func FuzzValue(f *testing.F) {
	f.Add("b<x a<y>)>)")
	f.Add("b<b<>>a<))f(")
	f.Fuzz(func(t *testing.T, text string) {
		marks, tail := read("b<" + text)
		p := split.New(marks, tail, tools{})
		for _, m := range marks {
			if v, ok := p.Value(m.End, "f", nil); ok && (v.End < m.End || v.After <= v.End || text[v.End-2] != '>') {
				t.Errorf("%q: the value at %d ends at %d", text, m.End, v.End)
			}
		}
	})
}
