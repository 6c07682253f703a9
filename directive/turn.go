package directive

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Turn is a model's answer. Every directive that it wrote is either in Directives or in Dropped.
type Turn struct {
	// Text is the text for the user: the assistant_text, and text that the model wrote outside of its document. Passages
	// are separated by a newline. White space around passages outside of the document is left out.
	Text       string
	Directives []Directive // in the order in which the model wrote them
	Calls      []callwright.Call
	Dropped    []Problem
	// Notes are the repairs that were made to read the answer. Notes of a reliable client are in the Report of Response.
	Notes []callwright.Note
	// Mode is the way in which the document was requested from the model.
	Mode Mode
	// Response is the answer as the model gave it; nil where a Reader was fed by a program of its own.
	Response *callwright.Response
	// Correction is the answer to the request for corrected directives; nil where none was made.
	Correction *callwright.Response
}

// Message returns the turn as the message to append to the conversation: as the model wrote it where nothing was
// changed, otherwise with the document that was read in place of its text. Calls, reasoning and opaque state stay.
func (t *Turn) Message() callwright.Message {
	if t.Response == nil {
		return callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: string(t.document())}}}
	}
	m := t.Response.Message()
	if len(t.Notes)+len(t.Dropped) == 0 {
		return m
	}
	parts, written := make([]callwright.Part, 0, len(m.Parts)), t.Text == "" && len(t.Directives) == 0
	for _, p := range m.Parts {
		if _, ok := p.(callwright.Text); ok {
			if written {
				continue
			}
			p, written = callwright.Text{Text: string(t.document())}, true
		}
		parts = append(parts, p)
	}
	m.Parts = parts
	return m
}

// document is the document as it should have been written.
func (t *Turn) document() []byte {
	out := jsonx.AppendQuote([]byte(`{"assistant_text":`), t.Text)
	out = append(out, `,"directives":[`...)
	for i, d := range t.Directives {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsonx.AppendQuote(append(out, `{"type":`...), d.Type)
		out = append(append(append(out, `,"payload":`...), d.Payload...), '}')
	}
	return append(out, `]}`...)
}

// A Problem is a directive of the model that was dropped from its turn, or several that were more than the limit.
type Problem struct {
	Reason     Reason                 `json:"reason"`
	Type       string                 `json:"type,omitempty"`  // as written, bounded
	Path       string                 `json:"path"`            // JSON pointer to the directive in its document
	Raw        string                 `json:"raw"`             // as written, at most MaxRaw bytes of it
	Violations []callwright.Violation `json:"violations"`      // at least one; paths are those in the directive
	Count      int                    `json:"count,omitempty"` // of ReasonTooMany: how many directives
	// Corrected says that a self-correction gave a valid directive for each invalid one. The valid directives are in
	// Turn.Directives.
	Corrected bool `json:"corrected,omitempty"`
}

// A Reason is the reason why a directive was dropped. The list is closed.
type Reason string

// The reasons.
const (
	ReasonUnknownType Reason = "unknown_type"
	ReasonBadPayload  Reason = "bad_payload" // it breaks the schema of its type
	ReasonMalformed   Reason = "malformed"   // it cannot be read as a directive
	ReasonTruncated   Reason = "truncated"   // the answer ended inside it
	ReasonRepeated    Reason = "repeated"    // an earlier document of the answer has it
	ReasonUnasked     Reason = "unasked"     // it came with a correction, beyond those that were asked for
	ReasonTooLarge    Reason = "too_large"   // it has more bytes, or is nested deeper, than is taken
	ReasonTooMany     Reason = "too_many"
)

// MaxRaw bounds Problem.Raw.
const MaxRaw = 64 << 10

// An Event is one step of a turn that is streamed. Its members depend on Kind. The values behind its pointers must not
// be changed.
type Event struct {
	Kind      EventKind  `json:"event"`
	Text      string     `json:"text,omitempty"`
	Directive *Directive `json:"directive,omitempty"`
	Problem   *Problem   `json:"problem,omitempty"`
	Turn      *Turn      `json:"-"`
}

// An EventKind is the kind of an Event.
type EventKind string

// The kinds of events. The text of a document comes before its directives, in whichever order the model wrote them.
const (
	EventText      EventKind = "text"      // a piece of the text; joined they are Turn.Text
	EventDirective EventKind = "directive" // a directive that is complete and satisfies its schema
	EventDropped   EventKind = "dropped"   // one that is left out
	EventTurn      EventKind = "turn"      // the whole turn, last
)
