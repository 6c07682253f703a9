// Package yaml parses YAML mappings in the bodies of tool calls. Scalars are returned as text with their style, so
// that a schema can determine their types. Anchors, tags and multiple documents are not supported.
package yaml

import "strings"

// A Kind is the notation of a value.
type Kind uint8

// Notations of a value.
const (
	Plain  Kind = iota // unquoted; the schema determines its type
	Quoted             // quoted or a block scalar: a string
	Node               // a sequence or mapping, as JSON
)

// A Member is one key with its value.
type Member struct {
	Key  string
	Text string
	Kind Kind
}

// An End is the place in which a text ends: after a line, or inside a value.
type End uint8

// Values of End.
const (
	Whole End = iota // after a complete line
	Cut              // inside a value
)

// maxDepth is the maximum nesting of sequences and mappings.
const maxDepth = 32

// A line is one line without its newline.
type line struct {
	indent int
	text   string // without indentation
	raw    string
}

// A reader parses the lines of a text.
type reader struct {
	lines []line
	at    int
	depth int
}

// Read parses a text that is one mapping. cut reports that the text may be truncated. end is then Cut if the last line
// is incomplete, or if the last key or item has no value.
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

// expectsMore reports whether a value must follow text: it ends with a key, a dash, or a block scalar header.
func expectsMore(text string) bool {
	last := text[strings.LastIndexAny(text, " \n")+1:]
	return last == "-" || strings.HasSuffix(last, ":") || last != "" && (last[0] == '|' || last[0] == '>') && len(last) <= 3
}
