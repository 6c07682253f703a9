package callwright

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Summary is the shape of one message without its contents: enough to see whether a history is fit for a receiver.
type Summary struct {
	Role    Role
	Calls   []CallRef
	Results []string // ids of the calls answered
	Text    bool     // has visible text that is not only white space
	Blank   bool     // has text that is empty or only white space
	Media   bool     // has images or files
	// ResultImages says that its results may have images.
	ResultImages bool
	Reasoning    bool
	Signed       bool // its reasoning or one of its calls has opaque state
	Parts        bool // content is a list
}

// A CallRef names a call in the history. Sound says that its arguments are one JSON object.
type CallRef struct {
	ID, Name string
	Sound    bool
}

// Summaries is the shape of the conversation, one Summary for each message: of Messages, or of a request that was
// decoded.
func (r *Request) Summaries() []Summary {
	if r.Messages == nil && r.Attached != nil {
		return r.Attached.Summaries()
	}
	return summariesOf(r.Messages)
}

// summariesOf is the shape of messages.
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
