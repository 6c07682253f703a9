package agent

import (
	"encoding/json"

	"github.com/callwright/callwright"
)

// An Event reports one step of a run. Which fields are set depends on Kind. Run is empty only in an EventError of a run
// that could not start. The pointed-to values must not be changed.
type Event struct {
	Kind EventKind `json:"event"`
	Run  RunID     `json:"run"`
	Step int       `json:"step,omitempty"` // the number of the model's response, from 1
	Call string    `json:"call,omitempty"` // the id of the call

	Text      string           `json:"text,omitempty"`      // delta of EventText, answer of EventFinal, error of EventError
	Name      string           `json:"name,omitempty"`      // the tool's name, for events of a call
	Arguments json.RawMessage  `json:"arguments,omitempty"` // of the call
	Result    *Envelope        `json:"result,omitempty"`    // EventResult
	MS        float64          `json:"ms,omitempty"`        // EventResult: duration of the call in milliseconds
	Progress  *Progress        `json:"progress,omitempty"`  // EventProgress
	Note      *callwright.Note `json:"note,omitempty"`
	Stop      Stop             `json:"stop,omitempty"`  // EventFinal and EventError
	Usage     *Usage           `json:"usage,omitempty"` // EventFinal and EventError: usage of the whole run

	// Suggested equals Result.Suggested, in EventFinal and EventError.
	Suggested callwright.ModelID `json:"suggested,omitempty"`
	// Final is the result of the run, in EventFinal; nil in other events.
	Final *Result `json:"-"`
}

// An EventKind is the type of an Event, such as "call" for the start of a tool call.
type EventKind string

// The event kinds. EventFinal or EventError is the last event of a run.
const (
	EventRun      EventKind = "run"      // the run was started or resumed
	EventText     EventKind = "text"     // a delta of the model's text
	EventCall     EventKind = "call"     // a call starts
	EventProgress EventKind = "progress" // a tool reported progress with NotifyProgress
	EventResult   EventKind = "result"   // a call has ended
	EventNote     EventKind = "note"     // a change or finding of the loop or the model's client
	EventApproval EventKind = "approval" // a call waits for a person's approval
	EventFinal    EventKind = "final"    // last event: the run has an answer, or is parked (Stop)
	EventError    EventKind = "error"    // last event: the run failed
)

// A Stop is the reason why a run ended or was parked.
type Stop string

// The stop reasons. A parked run has not ended: it waits for a person, and Resume continues it.
const (
	StopAnswered   Stop = "answered"
	StopParked     Stop = "parked"
	StopSteps      Stop = "steps" // StopSteps to StopCost: the limit of WithMaxSteps etc. is reached
	StopTokens     Stop = "tokens"
	StopTime       Stop = "time"
	StopCost       Stop = "cost"
	StopLoop       Stop = "loop"        // the model repeats equal calls with equal results
	StopToolFailed Stop = "tool_failed" // a tool failed, see FailurePolicy
	StopNoCall     Stop = "no_call"     // ModeEnforced: the model answered without a call
	StopModel      Stop = "model"       // the model failed, or its answer was empty
)

// A Usage is the resource consumption of a run so far.
type Usage struct {
	Requests int     `json:"requests"`
	Calls    int     `json:"calls"` // calls whose tools were run
	Input    int     `json:"input_tokens"`
	Output   int     `json:"output_tokens"`
	Cost     float64 `json:"cost,omitempty"` // as computed by the function of WithMaxCost
}

// A Result is the state of a run when Run or Resume returns. The caller may change it.
type Result struct {
	ID       RunID
	Stop     Stop // empty if an error interrupted the run and Resume can continue it
	Text     string
	Response *callwright.Response // the model's last response; nil before the first
	Messages []callwright.Message // the whole conversation with the answer
	Steps    int
	Usage    Usage
	Waiting  []Question // the calls for which a parked run waits
	// Notes are the changes and findings of the loop, and the notes in the reports of the model's responses, since this
	// process started or resumed the run. A note that repeats for each request, such as a renamed tool, occurs once.
	Notes []callwright.Note
	// Suggested is the next model of WithStrongerModels if the current one made too many bad calls in a row; empty
	// otherwise.
	Suggested callwright.ModelID
}

// A Question describes a call that needs a person's approval. Call is the id of the call, Name the tool, and Why the
// reason.
type Question struct {
	Run       RunID           `json:"run"`
	Call      string          `json:"call"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Why       string          `json:"why"`
}

// A StopError is the error of a failed run. If the model failed, Err is the model's error; that run has not ended, and
// Resume sends the request again.
type StopError struct {
	Run     RunID
	Stop    Stop
	Message string
	Err     error
}

// Error returns Message, or the text of Err if Message is empty.
func (e *StopError) Error() string {
	if e.Err != nil && e.Message == "" {
		return e.Err.Error()
	}
	return e.Message
}

// Unwrap returns Err, the error of the model; nil if the model did not fail.
func (e *StopError) Unwrap() error { return e.Err }
