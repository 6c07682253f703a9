package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/definition"
	"github.com/callwright/callwright/dialect/internal/render"
	"github.com/callwright/callwright/dialect/internal/result"
)

// A Format is one textual grammar of tool calls: its marks for the scanner, and its renderer for prompts and history.
// Formats are values of a fixed table and safe for concurrent use.
type Format struct {
	Name     string
	Fault    string // the class of failure that a note carries of a call that came in the format unasked
	Families string // model families that write it, separated by spaces; matched as parts of model names
	Doc      string
	Example  string // a call of get_weather with the city Paris
	Mends    string // what is mended beyond the rules for all formats
	Marks    []Mark
	// NameKey and ArgumentsKey are the keys of its JSON objects, where they are none of those that calls usually have.
	NameKey, ArgumentsKey string
	Attributes            []string // of its tags that carry the tool's name, or the key of an argument, where they are none of the usual ones

	kin      string // formats whose marks or bodies it shares, where it was asked for by name; separated by spaces
	bars     string // the namespace that stands between bars before the names of its tags
	literals bool   // its arguments are literals of its own, with keys and strings that need no quotes
	whole    bool   // one object is the whole answer, text included
	open     bool   // nothing closes its sections: text after a call is text
	repeats  repeat
	renderer render.Renderer
	tools    definition.Writer // nil: one line of JSON a tool
	results  result.Writer
}

// A repeat says which value counts when an argument is given twice with different values.
type repeat uint8

const (
	refuseBoth repeat = iota // neither: the call contradicts itself
	keepFirst
	keepLast
)

// A Writer writes tools and calls in a format of a caller's own.
type Writer interface {
	WriteTools(b *strings.Builder, tools []Tool)
	WriteCalls(b *strings.Builder, calls []RenderedCall)
	Rules() string // sentences that the shape alone does not say
	Several() bool // an answer may hold several calls
}

// A writerRenderer is a Writer as a renderer.
type writerRenderer struct{ Writer }

func (v writerRenderer) Calls(b *strings.Builder, calls []render.Call) {
	written := make([]RenderedCall, len(calls))
	for i, c := range calls {
		written[i] = RenderedCall(c)
	}
	v.WriteCalls(b, written)
}

// With returns the format with a renderer. Each result is written in a tag.
func (f Format) With(w Writer) Format {
	f.renderer, f.results = writerRenderer{w}, result.Tag("tool_response")
	return f
}

// A RenderedCall is one call of a past turn. Arguments are one JSON object; empty means none.
type RenderedCall struct {
	Name, ID  string
	Arguments []byte
}

// A RenderedResult is the outcome of one call.
type RenderedResult struct {
	Name, ID string
	Text     string
	IsError  bool
}

// Renders reports whether tools, calls and results can be written in the format. Others are only read.
func (f Format) Renders() bool { return f.renderer != nil }
