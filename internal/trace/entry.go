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

// Version is the version of the form.
const Version = 1

// A Kind is the kind of an entry. The list is open: other kinds are a program's own.
type Kind string

// The kinds that this package writes, and two for programs that run tools.
const (
	KindModel    Kind = "model"
	KindRequest  Kind = "request"
	KindSent     Kind = "sent"
	KindReceived Kind = "received"
	KindAnswer   Kind = "answer"
	KindError    Kind = "error"
	KindCall     Kind = "call"
	KindResult   Kind = "result"
	KindLost     Kind = "lost" // entries are missing here: see [ErrFull]
)

// An Entry is one line of a trace.
type Entry struct {
	Seq  uint64    `json:"seq"` // counts the entries of a writer from 1
	Time time.Time `json:"time"`
	Kind Kind      `json:"kind"`
	// ID is the same in all entries of a request. For a tool's call and its result it is the id of the call.
	ID string `json:"id,omitempty"`
	// Model is the model of a request, or the model that a model entry describes, by the name that the client uses.
	Model       callwright.ModelID  `json:"model,omitempty"`
	Fingerprint string              `json:"fingerprint,omitempty"`  // of a request, see [Fingerprint]
	Key         string              `json:"key,omitempty"`          // of a request, the name of the key with which it was made
	Group       string              `json:"group,omitempty"`        // of a request, the name of the group of that key
	Session     string              `json:"session,omitempty"`      // of a request, the conversation that it is one of, see package session
	Header      map[string]string   `json:"header,omitempty"`       // of a request, the fields of its client's header that hold no secret
	Wire        callwright.WireName `json:"wire,omitempty"`         // over which a request, or the Raw of an answer, came
	RawReceived bool                `json:"raw_received,omitempty"` // the Raw of the answer is the body received last
	Streamed    bool                `json:"streamed,omitempty"`     // the answer came as a stream
	Partial     bool                `json:"partial,omitempty"`      // the answer was not read to its end
	Redacted    bool                `json:"redacted,omitempty"`     // contents were left out, see [WithoutContent]
	Outcome     outcome.Outcome     `json:"outcome,omitempty"`      // of an answer or an error; entries of earlier versions have none
	Class       string              `json:"class,omitempty"`        // of the failure that was healed
	// Continued says that the model was asked again for the same request of a client: this answer is not the last one.
	Continued bool `json:"continued,omitempty"`
	// Duration is the time from a request to its answer or error, from a body to the end of the response, or the time of
	// the execution of a tool.
	Duration time.Duration     `json:"duration_ns,omitempty"`
	Notes    []callwright.Note `json:"notes,omitempty"` // that came with an answer which has no report
	Usage    []ModelUsage      `json:"usage,omitempty"` // of an answer or an error, that of all attempts
	// Failure is the error of an error entry. Its cause is a text.
	Failure *callwright.Error `json:"-"`
	// Data is the content, whose form goes by Kind. It is kept byte for byte.
	Data json.RawMessage `json:"-"`
	// Body is a request as it came over Wire, byte for byte. It is nil for one that was made in the program.
	Body json.RawMessage `json:"-"`
}

// Ends reports whether the entry is the last one of a request.
func (e *Entry) Ends() bool { return (e.Kind == KindAnswer || e.Kind == KindError) && !e.Continued }

// Request returns the request of an entry that records one.
func (e *Entry) Request() (*callwright.Request, error) { return conversation.UnmarshalRequest(e.Data) }

// Response returns the answer of an entry that records one; of an error the part of an answer before it, nil for none.
// Raw in a streamed answer is the bytes that came with its events. An answer whose bytes were recorded as they were
// received has no Raw: see [Received].
func (e *Entry) Response() (*callwright.Response, error) {
	if e.Kind == KindError && e.Data == nil {
		return nil, nil
	}
	return conversation.UnmarshalResponse(e.Data)
}

// A line is an entry as it stands in a file, but for its data.
type line struct {
	Trace int `json:"trace"`
	Entry
	Error *failure `json:"error,omitempty"`
}

// data and body are the members that have the data and the body of an entry.
const (
	data = "data"
	body = "body"
)

// append appends the entry as a line.
func (e *Entry) append(dst []byte) ([]byte, error) {
	text, err := jsonx.Marshal(line{Version, *e, failureOf(e.Failure)})
	if err != nil {
		return nil, err
	}
	dst = slices.Grow(dst, len(text)+len(e.Data)+len(e.Body)+len(e.Body)/16+64) // a body with line breaks is longer as a string
	dst = append(dst, bytes.TrimSuffix(text, []byte("}"))...)
	dst = jsonx.AppendVerbatim(jsonx.AppendVerbatim(dst, data, e.Data), body, e.Body)
	return append(dst, "}\n"...), nil
}

// parse reads a line.
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
