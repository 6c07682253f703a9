package simulate

import (
	"io"
	"net/http"
)

// A failure is an error that the server answers: in the API's own shape, or with a body of its own. It is an error of
// Go too, so that a reader can refuse with it. Empty fields follow from the status.
type failure struct {
	status  int // HTTP; 0 is 400
	message string
	kind    string // "type" of OpenAI and Anthropic, "status" of Google
	param   string // the member of the request that is at fault, where the wire has a place for it
	code    string
	details string // further members of Google's errors, as JSON
	body    string
	event   string // the name of the event, where the error comes inside a stream
	header  map[string]string
}

func (f *failure) Error() string { return f.message }

// text returns the body of the error.
func (f *failure) text(failed func(*failure) string) string {
	if f.body != "" {
		return f.body
	}
	return failed(f)
}

func fail(w http.ResponseWriter, wire *wireForm, f *failure) {
	w.Header().Set("Content-Type", "application/json")
	for k, v := range f.header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(f.status)
	_, _ = io.WriteString(w, f.text(wire.failed))
}

// orNull returns a JSON string, or null where there is none.
func orNull(s string) string {
	if s == "" {
		return "null"
	}
	return quote(s)
}
