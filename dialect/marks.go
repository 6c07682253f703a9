package dialect

import (
	"fmt"

	"github.com/callwright/callwright/dialect/internal/markup"
)

// A Role is the function of a marker.
type Role uint8

// Roles of a marker in a text format.
const (
	Wrap     Role = iota // encloses one or more calls; may have the tool name
	Section              // special tokens that enclose calls; other text between them is dropped
	Separate             // separates the parts of a call
	Value                // encloses the value of an argument; may have the key
	Key                  // encloses the key of the following argument
	Think                // encloses reasoning
	Result               // encloses a tool result, which contains no calls
	Noise                // a chat-template token without meaning for users
	Channel              // a token of the harmony format
	Cite                 // encloses cited text; the markers are removed
	Aside                // encloses text that is not part of any value
	Prefix               // precedes every tag of the format
	Line                 // begins a line before the tool name; Close follows the name, before JSON arguments
)

// A Mark is a marker of a format, such as <tool_call> and </tool_call>. Close is empty if there is no closing marker.
type Mark struct {
	Open  string
	Close string
	Role  Role
}

func (m Mark) check() error {
	if m.Role == Prefix || m.Role == Channel || m.Role > Line {
		return fmt.Errorf("mark %q: expected a role other than Prefix and Channel, got role %d", m.Open, m.Role)
	}
	return markup.CheckMark(m.Open, m.Close, m.Role == Line)
}
