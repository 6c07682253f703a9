package interop

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Path is the place of a member below an object: names from the outermost in, separated by dots. The empty Path is no
// place: the form does not have the member.
type Path string

// A Form is one shape of tools, calls and results. Of the forms of each kind the first whose fixed members fit is read,
// and the first of the right type is written. A Form is a value: it is safe for concurrent use and must not change.
type Form struct {
	Name string
	// Wire owns the unknown members that are kept: encoders of that wire write them back. A format that belongs to no
	// wire has a name of its own here.
	Wire    callwright.WireName
	Tools   []ToolForm
	Calls   []CallForm
	Results []ResultForm
	// Hosted is the place of the kind of a tool that no form fits: such a tool runs at the provider and is kept whole.
	// Empty: it is an error.
	Hosted Path
}

// A Fixed is a member that is always written, and that tells a form from others: where it is present when read it must
// have this value, and where Must is set it must be present.
type Fixed struct {
	Path  Path
	Value string // a text
	Must  bool
}

// A ToolForm is the shape of a declared tool.
type ToolForm struct {
	Type        callwright.ToolType
	Fixed       []Fixed
	Name        Path
	Description Path
	Schema      Path
	Strict      Path
	Required    bool // a tool without a schema is written with that of an empty object
}

// A CallForm is the shape of a call. Its arguments are a JSON value at Arguments, or JSON text in a string where AsText
// is set; a custom call has its free text at Input.
type CallForm struct {
	Type      callwright.ToolType
	Fixed     []Fixed
	ID        Path
	Name      Path
	Arguments Path
	AsText    bool
	Input     Path
	Signature Path // of the model's opaque state, which is written only in the format of its origin
}

// A ResultForm is the shape of a result. Content is a string where it is one plain text and Blocks otherwise, or always
// a list of blocks where List is set. Where Response is set, Content is an object with the text in the member output,
// or error when the call failed; an object of any other shape is read as one text and written as it was.
type ResultForm struct {
	Type     callwright.ToolType
	Fixed    []Fixed
	ID       Path
	Name     Path
	IsError  Path // true when the call failed
	Content  Path
	Blocks   []Block
	List     bool
	Response bool
}

// A Block is the shape of one element of a result's content: a text at Text, base64 data at Data with its type at
// MediaType, or an address at URL. Where DataURL is set the address may be data itself. A block of Audio is a File, any
// other with data or an address an Image.
type Block struct {
	Fixed     []Fixed
	Text      Path
	Data      Path
	MediaType Path
	URL       Path
	DataURL   bool
	Audio     bool
}

// fits reports whether the fixed members of a form agree with an object.
func fits(fixed []Fixed, d *doc) bool {
	for _, f := range fixed {
		v, ok := d.get(f.Path)
		if text, is := jsonx.String(v); ok && (!is || text != f.Value) || !ok && f.Must {
			return false
		}
	}
	return true
}

// strip takes the fixed members out.
func strip(fixed []Fixed, d *doc) {
	for _, f := range fixed {
		d.take(f.Path)
	}
}

// begin writes the fixed members.
func begin(fixed []Fixed) *doc {
	d := &doc{}
	for _, f := range fixed {
		d.text(f.Path, f.Value)
	}
	return d
}

// extra returns the unread members of an object.
func (f Form) extra(d *doc) callwright.Extra {
	if len(d.list) == 0 {
		return callwright.Extra{}
	}
	return callwright.Extra{Wire: f.Wire, JSON: d.list.Append(nil)}
}

// finish adds the members that were kept, where nothing stands yet, and gives the bytes.
func (f Form) finish(d *doc, x callwright.Extra) []byte {
	if x.Wire == f.Wire {
		d.merge(x.JSON)
	}
	return d.list.Append(nil)
}

// appendLossNote returns the note about a part that a format has no place for.
func (f Form) appendLossNote(notes []callwright.Note, call, path, was string) []callwright.Note {
	return append(notes, callwright.Note{
		Rule: "format.left_out", Stage: callwright.StageEncode, Call: call, Path: path, Was: was,
		Why: "the format " + f.Name + " has no place for it",
	}.Classify())
}

// strangers notes members that belong to another wire.
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

// open takes the text of an object apart.
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
