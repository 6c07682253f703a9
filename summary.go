package callwright

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Summary describes one message without its contents: role, call IDs, and which types of parts it has. Stages use it
// to decide whether a conversation must be changed for a model.
type Summary struct {
	Role    Role
	Calls   []CallRef
	Results []string // IDs of the calls whose results the message has
	Text    bool     // has text other than white space
	Blank   bool     // has an empty or white-space text
	Media   bool     // has Image, File or Opaque parts
	// ResultImages reports that a tool result in the message may have images.
	ResultImages bool
	Reasoning    bool
	Signed       bool // a Reasoning or Call part has opaque state
	Parts        bool // the content in the client's JSON is an array
}

// A CallRef identifies a call in the conversation. Sound reports that its arguments are a valid JSON object, or that
// the tool is a custom tool.
type CallRef struct {
	ID, Name string
	Sound    bool
}

// Summaries returns one Summary for each message of the request, without decoding the messages of a decoded request.
func (r *Request) Summaries() []Summary {
	if r.Messages == nil && r.Attached != nil {
		return r.Attached.Summaries()
	}
	return summariesOf(r.Messages)
}

// summariesOf returns one Summary for each message.
func summariesOf(msgs []Message) []Summary {
	out := make([]Summary, len(msgs))
	for i, m := range msgs {
		t := Summary{Role: m.Role, Signed: m.HasOpaqueState()}
		for _, p := range m.Parts {
			switch p := p.(type) {
			case Text:
				blank := strings.TrimSpace(p.Text) == ""
				t.Text, t.Blank = t.Text || !blank, t.Blank || blank
			case Image, File, Opaque:
				t.Media = true
			case Reasoning:
				t.Reasoning = true
			case Call:
				t.Calls = append(t.Calls, CallRef{ID: p.ID, Name: p.Name, Sound: p.Type == CustomTool || jsonx.ValidObject(p.Arguments)})
			case Result:
				t.Results = append(t.Results, p.CallID)
				t.ResultImages = t.ResultImages || slices.ContainsFunc(p.Parts, isImage)
			}
		}
		out[i] = t
	}
	return out
}

func isImage(p Part) bool { _, ok := p.(Image); return ok }
