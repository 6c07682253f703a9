package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/reliable/internal/placing"
)

// An Encoder encodes a request for an HTTP API. name is the model's name at the provider and c has its capabilities.
// EncodeRequest returns the body and notes about content that it changed or omitted.
type Encoder interface {
	EncodeRequest(req *callwright.Request, name string, c caps.Caps) ([]byte, []callwright.Note, error)
}

// FitOptions configure [FitHistory]. The zero value is ready for use.
type FitOptions struct {
	Rules map[string]bool // enables or disables rules by exact ID
	// OtherModel reports that another model generated the conversation. Its opaque state is removed.
	OtherModel bool
	// Place returns the JSON pointer of a message part in the original document, for notes. A negative part means the
	// whole message, a negative message the whole conversation. If Place is nil, pointers such as "/messages/3/1" are
	// used.
	Place func(message, part int) string
}

// A FittedHistory is a conversation that the target model accepts.
type FittedHistory struct {
	Body []byte // encoded request; the original bytes if the API is the same and there are no findings
	// Findings are the changes of the conversation with the reason in Why. Path is set if the position is known.
	Findings []callwright.Note
}

// FitHistory adapts the saved conversation in req to a model with the capabilities c. A Client does the same with the
// history of every request. FitHistory pairs calls with results, makes IDs unique and valid, makes arguments JSON
// objects, fills or removes empty messages, and removes opaque state of other origins. The encoder translates the
// request if its API differs. The model name stays the same. It sends nothing and does not modify req. Errors are
// *Error.
func FitHistory(req *callwright.Request, to Encoder, c caps.Caps, o FitOptions) (*FittedHistory, error) {
	history, err := req.History()
	if err != nil {
		return nil, asError(err)
	}
	if o.OtherModel {
		history = outbound.DisownHistory(history)
		of := *req
		of.Messages, req = history, &of
	}
	c.MaxTools = 0 // the number of tools does not concern the history
	// many models reject such messages, and a saved conversation may be sent to any model
	c.History.NoEmptyAssistant = true
	if placing.HasSignedReasoning(history) {
		c.History.NoItemIDs = true // items may lack the reasoning that preceded them
	}
	o.Place = placing.Or(o.Place)
	sh, err := shape(req, c, caps.Native, ShapeOptions{Rules: o.Rules}, o.Place)
	if err != nil {
		return nil, err
	}
	body, notes, err := to.EncodeRequest(sh.Request, string(req.Model), c)
	if err != nil {
		return nil, asError(err)
	}
	sent, err := sh.Request.History()
	if err != nil {
		return nil, asError(err)
	}
	return &FittedHistory{Body: body, Findings: placing.New(history, sent, o.Place).LocateNotes(append(sh.Notes, notes...))}, nil
}
