package dialect

import (
	"fmt"

	"github.com/callwright/callwright/dialect/internal/markup"
)

// A Role is the function of a mark.
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
	Line                 // begins a line, before the tool's name; Close stands after the name, before JSON arguments
)

// A Mark is one spelling of a format's markup. Close is empty for marks that stand alone.
type Mark struct {
	Open  string
	Close string
	Role  Role
}

func (m Mark) check() error {
	if m.Role == Prefix || m.Role == Channel || m.Role > Line {
		return fmt.Errorf("mark %q: its role is not one for formats of a caller's own", m.Open)
	}
	return markup.CheckMark(m.Open, m.Close, m.Role == Line)
}
