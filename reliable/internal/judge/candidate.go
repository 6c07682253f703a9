package judge

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Candidate is a call as it came, before it was judged.
type Candidate struct {
	ID, Name string
	Type     callwright.ToolType
	Text     string          // the arguments as text
	Args     []dialect.Arg   // or one by one, as text of a kind
	Found    *dialect.Call   // nil for native calls
	Cut      bool            // the answer ended inside it
	Call     callwright.Call // further members to keep
	raw      string          // what it was read from, where that is not Text
	undone   bool            // its arguments are in the form of the client's own schema already
}

// NativeCandidate is the candidate that a native call makes.
func NativeCandidate(call callwright.Call) *Candidate {
	c := &Candidate{ID: call.ID, Name: call.Name, Type: call.Type, Text: string(call.Arguments), Call: call}
	if call.Type == callwright.CustomTool {
		c.Text = call.Input
	}
	return c
}

// TextCandidate is the candidate that a call found in text makes.
func TextCandidate(f *dialect.Call) *Candidate {
	name := f.Name
	if name == "" {
		name = f.Written
	}
	return &Candidate{ID: f.ID, Name: name, Text: f.JSON, Args: f.Args, Found: f, Cut: f.Truncated}
}

// maxRaw bounds Call.Raw and InvalidCall.Raw.
const maxRaw = 4 << 10

// ClipRaw is a copy of s, cut to maxRaw: a short copy does not keep the answer in memory.
func ClipRaw(s string) string { return strings.Clone(jsonx.Clip(s, maxRaw)) }
