package reliable

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/reliable/internal/placing"
)

// An Encoder writes a request in an API for a receiver with these caps; name is the model's there. It returns notes on
// differences between the request and its output. Every codec in package wire is one.
type Encoder interface {
	EncodeRequest(req *callwright.Request, name string, c caps.Caps) ([]byte, []callwright.Note, error)
}

// FitOptions change how [FitHistory] works. The zero value is ready for use.
type FitOptions struct {
	Rules map[string]bool // rules switched by their exact ids
	// OtherModel says that another model wrote the history than the one it goes to: its opaque state means nothing
	// there.
	OtherModel bool
	// Place is where a part of the history stands in the document it came from, as a JSON pointer; a part below 0 is
	// the whole message, and a message below 0 the whole history. nil: they are named by their numbers, as in
	// "/messages/3/1".
	Place func(message, part int) string
}

// A FittedHistory is a conversation that its receiver accepts.
type FittedHistory struct {
	Body []byte // the request in the encoder's API; its original bytes if it came over that API and has no findings
	// Findings are the parts of the history that the receiver would have refused or misunderstood, with their
	// replacements. The Why of each is set, and the Path where the place is known.
	Findings []callwright.Note
}

// FitHistory makes a saved conversation fit for a model with these capabilities, as a Client does with the history of
// every request. It asks no model. Calls and results are paired, ids are unique and of the receiver's form, arguments
// are objects, texts and turns of the model are not empty, and opaque state of other origins is left out. Where the
// encoder is of another API than the one the request came over, it is translated on the way. The model keeps its name.
// The request itself does not change. Errors are *Error.
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
	c.MaxTools = 0                    // how many tools there are is not the history's matter
	c.History.NoEmptyAssistant = true // a saved conversation may go anywhere, and many receivers refuse such turns
	if placing.HasSignedReasoning(history) {
		c.History.NoItemIDs = true // items may not come back without the reasoning that led to them
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
