package judge

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Candidate is a call before validation.
type Candidate struct {
	ID, Name string
	Type     callwright.ToolType
	Text     string          // arguments as text
	Args     []dialect.Arg   // or separate arguments of a text format
	Found    *dialect.Call   // nil for a native call
	Cut      bool            // the response ended inside the call
	Call     callwright.Call // further fields to keep
	raw      string          // source text if it differs from Text
	undone   bool            // the arguments are already converted to the declared schema
}

// NativeCandidate returns the candidate for a native call.
func NativeCandidate(call callwright.Call) *Candidate {
	c := &Candidate{ID: call.ID, Name: call.Name, Type: call.Type, Text: string(call.Arguments), Call: call}
	if call.Type == callwright.CustomTool {
		c.Text = call.Input
	}
	return c
}

// TextCandidate returns the candidate for a call parsed from text.
func TextCandidate(f *dialect.Call) *Candidate {
	name := f.Name
	if name == "" {
		name = f.Written
	}
	return &Candidate{ID: f.ID, Name: name, Text: f.JSON, Args: f.Args, Found: f, Cut: f.Truncated}
}

// maxRaw is the maximum size of Call.Raw and InvalidCall.Raw in bytes.
const maxRaw = 4 << 10

// ClipRaw returns a copy of s, cut to 4 KiB. A copy does not keep the whole response in memory.
func ClipRaw(s string) string { return strings.Clone(jsonx.Clip(s, maxRaw)) }
