// Package yaml reads the mappings that models write in the bodies of calls: the part of YAML that holds data. Scalars
// are given as text with their style, so that a schema can decide their types. Anchors, tags and several documents are
// not read.
package yaml

import "strings"

// A Kind is how a value was written.
type Kind uint8

// Kinds of values.
const (
	Plain  Kind = iota // without quotes: the schema decides what it is
	Quoted             // in quotes or as a block: a string
	Node               // a list or a mapping, as JSON
)

// A Member is one key with its value.
type Member struct {
	Key  string
	Text string
	Kind Kind
}

// An End is how a text ends.
type End uint8

// Ends of texts.
const (
	Whole End = iota // with a finished line
	Cut              // inside a value
)

// maxDepth bounds how deep lists and mappings are nested.
const maxDepth = 32

// A line is one line without its line end.
type line struct {
	indent int
	text   string // without indentation
	raw    string
}

// A reader reads the lines of a text.
type reader struct {
	lines []line
	at    int
	depth int
}

// Read reads a text that is one mapping. cut says that the text may have been cut at its end: end is then Cut when it
// does not end with a finished line, or its last key or item has no value yet.
func Read(text string, cut bool) (members []Member, end End, ok bool) {
	r := reader{lines: split(text)}
	r.skip()
	if r.at < len(r.lines) && r.lines[r.at].text == "---" {
		r.at++
		r.skip()
	}
	if r.at == len(r.lines) {
		return nil, Whole, false
	}
	members, ok = r.mapping(r.lines[r.at].indent)
	r.skip()
	if cut && (text[len(text)-1] != '\n' || expectsMore(strings.TrimRight(text, " \t\r\n"))) {
		return members, Cut, ok && r.at == len(r.lines)
	}
	return members, Whole, ok && r.at == len(r.lines)
}

// expectsMore reports whether a value should follow a text: it ends with a key, a dash, or the header of a block.
func expectsMore(text string) bool {
	last := text[strings.LastIndexAny(text, " \n")+1:]
	return last == "-" || strings.HasSuffix(last, ":") || last != "" && (last[0] == '|' || last[0] == '>') && len(last) <= 3
}
