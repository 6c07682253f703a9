package trace

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/outcome"
)

// Version is the version of the trace format.
const Version = 1

// A Kind is the kind of an entry. Programs may append entries of their own kinds.
type Kind string

// The kinds of entries that this package writes, and KindCall and KindResult for programs that run tools.
const (
	KindModel    Kind = "model"
	KindRequest  Kind = "request"
	KindSent     Kind = "sent"
	KindReceived Kind = "received"
	KindAnswer   Kind = "answer"
	KindError    Kind = "error"
	KindCall     Kind = "call"
	KindResult   Kind = "result"
	KindLost     Kind = "lost" // entries were dropped here: see [ErrFull]
)

// An Entry is one line of a trace.
type Entry struct {
	Seq  uint64    `json:"seq"` // number of the entry in its writer, from 1
	Time time.Time `json:"time"`
	Kind Kind      `json:"kind"`
	// ID is shared by all entries of a request. In entries of KindCall and KindResult it is the id of the tool call.
	ID string `json:"id,omitempty"`
	// Model is the requested model, by the client's name for it. In an entry of KindModel it is the described model.
	Model       callwright.ModelID  `json:"model,omitempty"`
	Fingerprint string              `json:"fingerprint,omitempty"`  // of a request, see [Fingerprint]
	Key         string              `json:"key,omitempty"`          // of a request: name of the client's key
	Group       string              `json:"group,omitempty"`        // of a request: name of the key's group
	Session     string              `json:"session,omitempty"`      // of a request: id of its conversation
	Header      map[string]string   `json:"header,omitempty"`       // of a request: client headers without secrets
	Wire        callwright.WireName `json:"wire,omitempty"`         // API of a request, or of Raw of an answer
	RawReceived bool                `json:"raw_received,omitempty"` // Raw of the answer is the body received last
	Streamed    bool                `json:"streamed,omitempty"`     // the answer was streamed
	Partial     bool                `json:"partial,omitempty"`      // the answer was not read to its end
	Redacted    bool                `json:"redacted,omitempty"`     // contents are omitted, see [WithoutContent]
	Outcome     outcome.Outcome     `json:"outcome,omitempty"`      // of an answer or an error; older entries have none
	Class       string              `json:"class,omitempty"`        // failure class that was repaired, such as "F02"
	// Continued means that another answer to the same client request follows, because the gateway called the model again.
	Continued bool `json:"continued,omitempty"`
	// Duration is the time from a request to its answer or error, from sending a body to the end of the response, or of a
	// tool's execution.
	Duration time.Duration     `json:"duration_ns,omitempty"`
	Notes    []callwright.Note `json:"notes,omitempty"` // of an answer without a report
	Usage    []ModelUsage      `json:"usage,omitempty"` // of an answer or an error, for all attempts
	// Failure is the error of an entry of KindError. A decoded Failure has its cause as plain text.
	Failure *callwright.Error `json:"-"`
	// Data is the JSON content. Its format depends on Kind. It is stored unchanged, byte for byte.
	Data json.RawMessage `json:"-"`
	// Body is the request body as received over Wire, byte for byte. It is nil for a request created by the program.
	Body json.RawMessage `json:"-"`
}

// Ends reports whether the entry is the last one of a request.
func (e *Entry) Ends() bool { return (e.Kind == KindAnswer || e.Kind == KindError) && !e.Continued }

// Request decodes the request of an entry of KindRequest.
func (e *Entry) Request() (*callwright.Request, error) { return conversation.UnmarshalRequest(e.Data) }

// Response decodes the answer of an entry of KindAnswer, or the partial answer before an error. It returns nil if there
// was none before the error. Raw of a streamed answer holds the bytes of its events. Raw is nil if the bytes are in an
// entry of KindReceived; see [Received].
func (e *Entry) Response() (*callwright.Response, error) {
	if e.Kind == KindError && e.Data == nil {
		return nil, nil
	}
	return conversation.UnmarshalResponse(e.Data)
}

// A line is an entry as encoded in a file, without its data and body.
type line struct {
	Trace int `json:"trace"`
	Entry
	Error *failure `json:"error,omitempty"`
}

// data and body are the JSON members for Entry.Data and Entry.Body.
const (
	data = "data"
	body = "body"
)

// append appends the entry as one line of JSON.
func (e *Entry) append(dst []byte) ([]byte, error) {
	text, err := jsonx.Marshal(line{Version, *e, failureOf(e.Failure)})
	if err != nil {
		return nil, err
	}
	dst = slices.Grow(dst, len(text)+len(e.Data)+len(e.Body)+len(e.Body)/16+64) // line breaks are escaped
	dst = append(dst, bytes.TrimSuffix(text, []byte("}"))...)
	dst = jsonx.AppendVerbatim(jsonx.AppendVerbatim(dst, data, e.Data), body, e.Body)
	return append(dst, "}\n"...), nil
}

// parse decodes a line.
func parse(text []byte) (Entry, *callwright.Error) {
	if err := jsonx.Valid(text); err != nil {
		return Entry{}, callwright.Errorf(opRead, callwright.KindInvalid, "", "%v", err)
	}
	text = jsonx.Trim(text)
	list, err := jsonx.ParseObject(text)
	if err != nil {
		return Entry{}, callwright.Errorf(opRead, callwright.KindInvalid, "", "%v", err)
	}
	if v, _ := list.Get("trace"); string(v) != "1" {
		return Entry{}, callwright.Errorf(opRead, callwright.KindInvalid, "/trace", "expected version %d, got %q", Version,
			callwright.Excerpt(string(v)))
	}
	l := line{Entry: Entry{Data: jsonx.Verbatim(text, data), Body: jsonx.Verbatim(text, body)}}
	for _, member := range []string{data, body} {
		list.Delete(member)
		list.Delete(member + jsonx.TextSuffix)
	}
	dec := json.NewDecoder(bytes.NewReader(list.Append(nil)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&l); err != nil {
		return Entry{}, callwright.Errorf(opRead, callwright.KindInvalid, "", "%v", err)
	}
	if l.Kind == "" {
		return Entry{}, callwright.Errorf(opRead, callwright.KindInvalid, "/kind", "the member is missing")
	}
	l.Failure = l.Error.err()
	return l.Entry, nil
}
