package gateway

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/bound"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/pool"
	"github.com/callwright/callwright/internal/progress"
)

// An exchange is one request and its outcome. ServeHTTP makes it, and each function that needs it has it as a
// parameter. It is the http.ResponseWriter of the answer too.
type exchange struct {
	http.ResponseWriter
	began        time.Time
	body         *pool.Loan // memory of the request's body that goes back to the pool at the end; nil for none
	request      []byte     // what that memory holds; nil where nothing was read
	settings     *settings  // those in force when it began
	id           string     // the part of the path that the route has as {id}
	wire         callwright.WireName
	caller       *access.Caller // nil before its key was accepted
	admitted     bool           // it is a POST request that its caller may make: an error of it has a report
	streamed     bool           // its answer is a stream
	streaming    bool           // it counts as one of the caller's streams
	use          access.Use
	metered      *meteredRequest     // nil where nothing is counted
	status       int                 // of the answer; 0 before one is written
	asked        callwright.ModelID  // the model that the client names
	reportID     string              // of the request that the model is asked, "" before
	conversation *bound.Conversation // whose use is counted; nil where no bound is configured
	calls        int                 // of the answer
	called       []string            // the tools in the calls of the answer, each once, at most archive.MostTools
	passed       callwright.ModelID  // the model that a request went to as it came
	report       *callwright.Report
	failed       *callwright.Error
	left         bool           // the client left in the middle of its stream: the report has no attempts
	ending       outcome.Ending // decided when the report is kept, else at the end
	observed     *observed      // nil where nobody observes
	running      progress.Request
}

// key returns the name of the caller's key, empty where it has none.
func (x *exchange) key() string {
	if x.caller == nil {
		return ""
	}
	return x.caller.Name
}

// group returns the name of the group of the client's key, "" for none.
func (x *exchange) group() string {
	if x.caller == nil {
		return ""
	}
	return x.caller.Group()
}

// decide decides the outcome of a request for a model, if it is not decided yet. Other requests have none. aborted says
// that its connection was reset.
func (x *exchange) decide(aborted bool) {
	if x.report != nil || x.asked != "" {
		x.ending.Decide(x.report, aborted || x.failed != nil || x.status >= http.StatusBadRequest)
	}
}

// noteCall notes the call that an event of a stream begins, if it is one.
func (x *exchange) noteCall(ev callwright.Event) {
	if c, ok := ev.(callwright.CallBegin); ok {
		x.call(c.Name)
	}
}

// call notes a call of the answer.
func (x *exchange) call(name string) {
	x.calls++
	if len(x.called) < archive.MostTools && !slices.Contains(x.called, name) {
		x.called = append(x.called, strings.Clone(name)) // it outlives the answer
	}
}

// Unwrap returns the writer below, to http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// WriteHeader writes the status, and notes it.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 {
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.status = http.StatusOK
	}
	x.observed.countWritten(b)
	return x.ResponseWriter.Write(b)
}

func writeJSON(w http.ResponseWriter, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
	return nil
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}
