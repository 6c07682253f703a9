package simulate

import (
	"io"
	"net/http"
)

// A failure is an error response of the server: in the wire's format, or with a body of its own. Zero fields get a
// default from the status. It implements error, so that a request reader can return it.
type failure struct {
	status  int // HTTP status; 0 means 400
	message string
	kind    string // "type" of OpenAI and Anthropic errors, "status" of Google errors
	param   string // the faulty request field, for wires that report it
	code    string
	details string // further members of a Google error, as JSON
	body    string
	event   string // name of the SSE event, for an error in a stream
	header  map[string]string
}

func (f *failure) Error() string { return f.message }

// text returns the body of the error. failed encodes it if f has no body.
func (f *failure) text(failed func(*failure) string) string {
	if f.body != "" {
		return f.body
	}
	return failed(f)
}

func fail(w http.ResponseWriter, wire *wireFormat, f *failure) {
	w.Header().Set("Content-Type", "application/json")
	for k, v := range f.header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(f.status)
	_, _ = io.WriteString(w, f.text(wire.failed))
}

// orNull returns s as a JSON string, or null if s is empty.
func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return quote(s)
}
