package agent

import (
	"encoding/json"

	"github.com/callwright/callwright"
)

// An Event reports one step of a run to its observers. Its members depend on Kind; Run is missing only in an EventError
// of a run that did not begin. The values behind its pointers must not be changed.
type Event struct {
	Kind EventKind `json:"event"`
	Run  RunID     `json:"run"`
	Step int       `json:"step,omitempty"` // counts the answers of the model from 1
	Call string    `json:"call,omitempty"` // the id of a call

	Text      string           `json:"text,omitempty"`      // of EventText a piece, of EventFinal the answer, of EventError the error
	Name      string           `json:"name,omitempty"`      // the tool of a call
	Arguments json.RawMessage  `json:"arguments,omitempty"` // of a call
	Result    *Envelope        `json:"result,omitempty"`    // of EventResult
	MS        float64          `json:"ms,omitempty"`        // how long the call took
	Progress  *Progress        `json:"progress,omitempty"`  // of EventProgress
	Note      *callwright.Note `json:"note,omitempty"`
	Stop      Stop             `json:"stop,omitempty"`  // of EventFinal and EventError
	Usage     *Usage           `json:"usage,omitempty"` // of EventFinal and EventError, of the whole run

	// Suggested is that of the Result, of EventFinal and EventError.
	Suggested callwright.ModelID `json:"suggested,omitempty"`
	// Final is the outcome, in the last event of a run that did not fail.
	Final *Result `json:"-"`
}

// An EventKind is the kind of an Event.
type EventKind string

// The kinds of events.
const (
	EventRun      EventKind = "run"      // a run began, or goes on
	EventText     EventKind = "text"     // a piece of the model's text
	EventCall     EventKind = "call"     // a call starts
	EventProgress EventKind = "progress" // a call says how far it is
	EventResult   EventKind = "result"   // a call has ended
	EventNote     EventKind = "note"     // something was changed, or is worth to know
	EventApproval EventKind = "approval" // a person is asked
	EventFinal    EventKind = "final"    // the run has ended with an answer, or waits (Stop)
	EventError    EventKind = "error"    // the run has failed
)

// A Stop says why a run ended.
type Stop string

// The stops. StopParked is no end: the run waits for a person and continues with Resume.
const (
	StopAnswered   Stop = "answered"
	StopParked     Stop = "parked"
	StopSteps      Stop = "steps" // a budget is spent
	StopTokens     Stop = "tokens"
	StopTime       Stop = "time"
	StopCost       Stop = "cost"
	StopLoop       Stop = "loop"        // the same calls again and again
	StopToolFailed Stop = "tool_failed" // under FailuresFatal, or none succeeded under FailuresTolerated
	StopNoCall     Stop = "no_call"     // under ModeEnforced
	StopModel      Stop = "model"       // the model failed, or ended with an empty answer
)

// A Usage is the cost of a run so far.
type Usage struct {
	Requests int     `json:"requests"`
	Calls    int     `json:"calls"` // that were run
	Input    int     `json:"input_tokens"`
	Output   int     `json:"output_tokens"`
	Cost     float64 `json:"cost,omitempty"` // by the function of WithMaxCost
}

// A Result is the outcome of a run. It is the caller's.
type Result struct {
	ID       RunID
	Stop     Stop // empty beside an error after which the run can go on
	Text     string
	Response *callwright.Response // the last answer; nil where there is none yet
	Messages []callwright.Message // the whole conversation, the answer included
	Steps    int
	Usage    Usage
	Waiting  []Question // what a parked run waits for
	// Notes are the changes and findings of the loop, and those in the reports of the model's answers, since this
	// process started or resumed the run. A change that repeats in each request, such as the name of a tool, is listed
	// once.
	Notes []callwright.Note
	// Suggested is the model that would be tried next, where the run's own kept failing; empty otherwise.
	Suggested callwright.ModelID
}

// A Question is a call that a person is asked about.
type Question struct {
	Run       RunID           `json:"run"`
	Call      string          `json:"call"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Why       string          `json:"why"`
}

// A StopError is the error of a run that failed. It wraps the error of the model where there is one; such a run has not
// ended, and Resume asks the model again.
type StopError struct {
	Run     RunID
	Stop    Stop
	Message string
	Err     error
}

// Error returns the reason why the run stopped.
func (e *StopError) Error() string {
	if e.Err != nil && e.Message == "" {
		return e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the error of the model, if there is one.
func (e *StopError) Unwrap() error { return e.Err }
