package directive

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A Turn is a model's response. Every directive in the response is either in Directives or in Dropped.
type Turn struct {
	// Text is the text for the user: assistant_text and text outside the document. Newlines separate these passages.
	// White space around passages outside the document is removed.
	Text       string
	Directives []Directive // in the order of the response
	Calls      []callwright.Call
	Dropped    []Problem
	// Notes are the repairs of the response. Notes of a reliable client are in Response.Report.
	Notes []callwright.Note
	// Mode is the method with which the document was requested.
	Mode Mode
	// Response is the model's response, nil if the program fed a Reader itself.
	Response *callwright.Response
	// Correction is the response to the self-correction request, nil if there was none.
	Correction *callwright.Response
}

// Message returns the turn as an assistant message to append to the conversation. If the response needed no repair, it
// is unchanged. Otherwise the repaired document replaces its text. Calls, reasoning and opaque state are kept.
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

// document returns the document as correct JSON.
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

// A Problem is a dropped directive, or the directives beyond the limit.
type Problem struct {
	Reason     Reason                 `json:"reason"`
	Type       string                 `json:"type,omitempty"`  // type as written, shortened
	Path       string                 `json:"path"`            // JSON pointer to the directive in the document
	Raw        string                 `json:"raw"`             // the directive as written, at most MaxRaw bytes
	Violations []callwright.Violation `json:"violations"`      // at least one; paths are relative to the directive
	Count      int                    `json:"count,omitempty"` // number of directives, for ReasonTooMany
	// Corrected reports that a self-correction replaced each invalid directive by a valid one in Turn.Directives.
	Corrected bool `json:"corrected,omitempty"`
}

// A Reason is the reason why a directive was dropped. The constants are the only values.
type Reason string

// Values of [Reason].
const (
	ReasonUnknownType Reason = "unknown_type"
	ReasonBadPayload  Reason = "bad_payload" // the payload violates the schema
	ReasonMalformed   Reason = "malformed"   // not a directive, or unreadable JSON
	ReasonTruncated   Reason = "truncated"   // the response ended inside the directive
	ReasonRepeated    Reason = "repeated"    // an earlier document of the response has an equal directive
	ReasonUnasked     Reason = "unasked"     // a correction has more directives than requested
	ReasonTooLarge    Reason = "too_large"   // above the size limit or the nesting limit
	ReasonTooMany     Reason = "too_many"
)

// MaxRaw is the maximum size of Problem.Raw in bytes.
const MaxRaw = 64 << 10

// An Event is one step of a streamed turn. Kind determines the other fields. Pointed-to values must not be modified.
type Event struct {
	Kind      EventKind  `json:"event"`
	Text      string     `json:"text,omitempty"`
	Directive *Directive `json:"directive,omitempty"`
	Problem   *Problem   `json:"problem,omitempty"`
	Turn      *Turn      `json:"-"`
}

// An EventKind is the type of an Event.
type EventKind string

// The event kinds. The text of a document precedes its directives, even if the model wrote it after them.
const (
	EventText      EventKind = "text"      // a fragment of Turn.Text
	EventDirective EventKind = "directive" // a complete and valid directive
	EventDropped   EventKind = "dropped"   // a dropped directive
	EventTurn      EventKind = "turn"      // the complete turn, as the last event
)
