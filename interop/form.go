package interop

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Path is the position of a member in an object: member names from the outside in, separated by dots, such as
// "function.name". The empty Path means that the format does not have the member.
type Path string

// A Form is a JSON format of tools, calls and results. If Tools, Calls or Results has several elements, reading uses
// the first one whose Fixed members match, and writing the first one with the right Type. A Form must not be modified
// during use. It is safe for concurrent use.
type Form struct {
	Name string
	// Wire is the wire name in the Extra of values that the form reads; encoders of that wire write Extra back. A format
	// outside of callwright's wires needs a name of its own here.
	Wire    callwright.WireName
	Tools   []ToolForm
	Calls   []CallForm
	Results []ResultForm
	// Hosted is the path of the type of a tool that matches none of Tools. Such a tool runs at the provider and is kept
	// unchanged. If Hosted is empty, it is an error.
	Hosted Path
}

// A Fixed is a member with a constant string value. It is always written. When reading, a form matches only if the
// member has this value or, unless Must is set, is missing.
type Fixed struct {
	Path  Path
	Value string // the string, unquoted
	Must  bool
}

// A ToolForm is the format of a declared tool, as paths of its members.
type ToolForm struct {
	Type        callwright.ToolType
	Fixed       []Fixed
	Name        Path
	Description Path
	Schema      Path
	Strict      Path
	Required    bool // a tool without a schema gets the schema of an empty object
}

// A CallForm is the format of a tool call. Arguments is the path of a JSON value or, if AsText is set, of a string that
// contains JSON. Input is the path of the text of a custom call.
type CallForm struct {
	Type      callwright.ToolType
	Fixed     []Fixed
	ID        Path
	Name      Path
	Arguments Path
	AsText    bool
	Input     Path
	Signature Path // the model's opaque state, such as a thought signature; written only to its own wire
}

// A ResultForm is the format of a tool result. Its content is a string if it is a single plain text, and otherwise a
// list of Blocks. If List is set, it is always a list. If Response is set, it is an object {"output":"..."} or, for a
// failed call, {"error":"..."}; any other object is read as one text and written back unchanged.
type ResultForm struct {
	Type     callwright.ToolType
	Fixed    []Fixed
	ID       Path
	Name     Path
	IsError  Path // the member that is true for a failed call
	Content  Path
	Blocks   []Block
	List     bool
	Response bool
}

// A Block is the format of one element of a result's content: a text at Text, base64 data at Data with its media type
// at MediaType, or a URL at URL. If DataURL is set, the URL may be a data: URL. A Block with Audio is read as a File,
// any other Block with data or a URL as an Image.
type Block struct {
	Fixed     []Fixed
	Text      Path
	Data      Path
	MediaType Path
	URL       Path
	DataURL   bool
	Audio     bool
}

// fits reports whether an object has the fixed members of a format, such as "type":"function".
func fits(fixed []Fixed, d *doc) bool {
	for _, f := range fixed {
		v, ok := d.get(f.Path)
		if text, is := jsonx.String(v); ok && (!is || text != f.Value) || !ok && f.Must {
			return false
		}
	}
	return true
}

// strip removes the fixed members of a format from d.
func strip(fixed []Fixed, d *doc) {
	for _, f := range fixed {
		d.take(f.Path)
	}
}

// begin returns an object with only the fixed members of a format.
func begin(fixed []Fixed) *doc {
	d := &doc{}
	for _, f := range fixed {
		d.text(f.Path, f.Value)
	}
	return d
}

// extra returns the members of d that were not read, as an Extra.
func (f Form) extra(d *doc) callwright.Extra {
	if len(d.list) == 0 {
		return callwright.Extra{}
	}
	return callwright.Extra{Wire: f.Wire, JSON: d.list.Append(nil)}
}

// finish adds the members of x that d does not have, if x belongs to this format, and returns the JSON.
func (f Form) finish(d *doc, x callwright.Extra) []byte {
	if x.Wire == f.Wire {
		d.merge(x.JSON)
	}
	return d.list.Append(nil)
}

// appendLossNote appends the note that the format cannot express a part. path is the part's JSON Pointer, was its
// value.
func (f Form) appendLossNote(notes []callwright.Note, call, path, was string) []callwright.Note {
	return append(notes, callwright.Note{
		Rule: "format.left_out", Stage: callwright.StageEncode, Call: call, Path: path, Was: was,
		Why: "the format " + f.Name + " has no place for it",
	}.Classify())
}

// strangers appends a note if x contains members of another wire.
func (f Form) strangers(notes []callwright.Note, call string, x callwright.Extra) []callwright.Note {
	if x.Wire == f.Wire || len(x.JSON) == 0 || jsonx.Equal(x.JSON, []byte("{}")) {
		return notes
	}
	return f.appendLossNote(notes, call, "", string(x.JSON))
}

func (f Form) invalid(op, path, message string) error {
	return &callwright.Error{Op: "interop." + op, Kind: callwright.KindInvalid, Path: path, Message: f.Name + ": " + message}
}

func (f Form) unsupportedError(op, what string) error {
	return &callwright.Error{Op: "interop." + op, Kind: callwright.KindUnsupported, Message: f.Name + " has no form for " + what}
}

// open validates a JSON text and parses it as an object.
func (f Form) open(op string, text []byte) (*doc, error) {
	if err := jsonx.Valid(text); err != nil {
		return nil, f.invalid(op, "", err.Error())
	}
	d, err := parse(text)
	if err != nil {
		return nil, f.invalid(op, "", "expected an object, got "+jsonx.KindOf(text).String())
	}
	return d, nil
}
