package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/definition"
	"github.com/callwright/callwright/dialect/internal/render"
	"github.com/callwright/callwright/dialect/internal/result"
)

// A Format is a text format of tool calls: the markers for the scanner and the renderer for prompts and history.
// Formats are immutable table rows, safe for concurrent use.
type Format struct {
	Name     string
	Fault    string // failure class in notes about calls in this format that no prompt requested
	Families string // model families that use the format, space-separated; matched as substrings of model names
	Doc      string
	Example  string // a call of get_weather with the city Paris
	Repairs  string // repairs beyond those for all formats
	Marks    []Mark
	// NameKey and ArgumentsKey are the keys of tool name and arguments in JSON calls, if they are not among the usual
	// keys.
	NameKey, ArgumentsKey string
	Attributes            []string // tag attributes with the tool name or argument key, besides the usual ones

	kin      string // related formats with the same markers or bodies, space-separated, for Options.Hint
	bars     string // namespace between bars in tag names, such as DSML in <｜DSML｜invoke>
	literals bool   // arguments are literals with unquoted keys and strings
	whole    bool   // one JSON object is the complete response, including text
	open     bool   // sections have no closing marker: text after a call is visible text
	repeats  repeat
	renderer render.Renderer
	tools    definition.Writer // nil means one line of JSON for each tool
	results  result.Writer
}

// A repeat determines which value counts if an argument is given twice with different values.
type repeat uint8

const (
	refuseBoth repeat = iota // the call is rejected
	keepFirst
	keepLast
)

// A Writer renders tools and calls in a caller's own format.
type Writer interface {
	WriteTools(b *strings.Builder, tools []Tool)
	WriteCalls(b *strings.Builder, calls []RenderedCall)
	Rules() string // additional instructions for the prompt
	Several() bool // reports whether a response may have several calls
}

// A writerRenderer adapts a Writer to render.Renderer.
type writerRenderer struct{ Writer }

func (v writerRenderer) Calls(b *strings.Builder, calls []render.Call) {
	written := make([]RenderedCall, len(calls))
	for i, c := range calls {
		written[i] = RenderedCall(c)
	}
	v.WriteCalls(b, written)
}

// With returns the format with the renderer w. Results are rendered in <tool_response> tags.
func (f Format) With(w Writer) Format {
	f.renderer, f.results = writerRenderer{w}, result.Tag("tool_response")
	return f
}

// A RenderedCall is a call of the history to render. Arguments is a JSON object; empty means no arguments.
type RenderedCall struct {
	Name, ID  string
	Arguments []byte
}

// A RenderedResult is the result of one call to render.
type RenderedResult struct {
	Name, ID string
	Text     string
	IsError  bool
}

// Renders reports whether the format can render tools, calls and results. Other formats can only be parsed.
func (f Format) Renders() bool { return f.renderer != nil }
