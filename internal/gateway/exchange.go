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

// An exchange is one HTTP request and its outcome. ServeHTTP creates it and passes it on as the http.ResponseWriter.
type exchange struct {
	http.ResponseWriter
	began        time.Time
	body         *pool.Loan // memory of the request body that returns to the pool at the end; nil for none
	request      []byte     // the request body; nil if it was not read
	settings     *settings  // the settings in force when the request began
	id           string     // the value of {id} in the path of the route
	wire         callwright.WireName
	caller       *access.Caller // nil until the key is accepted
	admitted     bool           // a POST request that the caller may make; an error then gets a report
	streamed     bool           // the response is a stream
	streaming    bool           // the request counts as an open stream of the caller
	use          access.Use
	metered      *meteredRequest     // nil if no limit counts tokens
	status       int                 // HTTP status of the response; 0 until it is written
	asked        callwright.ModelID  // the model named by the client
	reportID     string              // report id of a request for a model; "" before it is assigned
	conversation *bound.Conversation // conversation whose use is counted; nil if no limit is configured
	calls        int                 // number of tool calls in the response
	called       []string            // names of the called tools, without duplicates, at most archive.MostTools
	passed       callwright.ModelID  // the model to which the request was forwarded unchanged
	report       *callwright.Report
	failed       *callwright.Error
	left         bool           // the client left during its stream: the report has no attempts
	ending       outcome.Ending // decided when the report is stored, otherwise at the end
	observed     *observed      // nil without observers
	running      progress.Request
}

// key returns the name of the caller's key, "" if it has none.
func (x *exchange) key() string {
	if x.caller == nil {
		return ""
	}
	return x.caller.Name
}

// group returns the name of the group of the caller's key, "" for none.
func (x *exchange) group() string {
	if x.caller == nil {
		return ""
	}
	return x.caller.Group()
}

// decide determines the outcome of a request for a model, unless it is already determined. Other requests have no
// outcome. aborted means that the connection was reset.
func (x *exchange) decide(aborted bool) {
	if x.report != nil || x.asked != "" {
		x.ending.Decide(x.report, aborted || x.failed != nil || x.status >= http.StatusBadRequest)
	}
}

// noteCall counts the tool call that ev begins, if ev is a CallBegin.
func (x *exchange) noteCall(ev callwright.Event) {
	if c, ok := ev.(callwright.CallBegin); ok {
		x.call(c.Name)
	}
}

// call counts a call of the tool name in the response.
func (x *exchange) call(name string) {
	x.calls++
	if len(x.called) < archive.MostTools && !slices.Contains(x.called, name) {
		x.called = append(x.called, strings.Clone(name)) // cloned because it outlives the response
	}
}

// Unwrap returns the underlying writer, for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// WriteHeader sends the HTTP status and records it.
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
