package eval

import (
	"time"

	"github.com/callwright/callwright"
)

// An Outcome is the outcome of a trial.
type Outcome string

const (
	OK      Outcome = "ok"      // all assertions held
	Failed  Outcome = "failed"  // the model did not do what the scenario expects
	Refused Outcome = "refused" // the provider rejected the request: permission, safety, quota, unknown model
	Broken  Outcome = "broken"  // failure of the evaluation or the network, such as no connection
	Skipped Outcome = "skipped" // meaningless combination, such as a profile for another model
)

// A Result is the result of a cell, stored as one line of JSON. Two runs of one offline plan with one seed differ only
// in Started, Duration and Latency.
type Result struct {
	Cell
	Outcome  Outcome         `json:"outcome"`
	Reason   string          `json:"reason,omitempty"` // one sentence, for any outcome except OK
	Class    string          `json:"class,omitempty"`  // failure class, such as wrong_arguments
	Kind     callwright.Kind `json:"kind,omitempty"`   // kind of the error that ended the run
	Status   int             `json:"status,omitempty"` // HTTP status of the provider's rejection
	Checks   []Check         `json:"checks,omitempty"` // assertions that did not hold
	Started  time.Time       `json:"started"`
	Duration time.Duration   `json:"duration_ns"`
	// Latency has the time of each request to the provider, in order.
	Latency []time.Duration `json:"latency_ns,omitempty"`

	Steps       int `json:"steps"`
	Requests    int `json:"requests"`    // to providers: first ones, corrections, other modes, fallbacks
	Corrections int `json:"corrections"` // of Requests: those that asked the model to correct its answer
	OtherMode   int `json:"other_mode"`  // of Requests: those in another mode than the first
	Fallback    int `json:"fallback"`    // of Requests: those to another model
	Transport   int `json:"transport"`   // HTTP retries, which are not in Requests
	Calls       int `json:"calls"`       // calls that reached a tool

	// Numbers of calls that did not reach a tool as the model wrote them, by cause.
	InvalidJSON    int `json:"invalid_json"`
	UnknownName    int `json:"unknown_name"`
	SchemaMismatch int `json:"schema_mismatch"`

	Faults map[string]int `json:"faults,omitempty"` // notes by failure class, F01 to F60
	Rules  map[string]int `json:"rules,omitempty"`  // notes by rule
	Usage  Tokens         `json:"usage"`
	// Healing counts the tokens of all requests except the first of each step.
	Healing Tokens `json:"healing"`
	Text    string `json:"text,omitempty"`  // the final text, at most 2,000 bytes
	Trace   string `json:"trace,omitempty"` // trace file, relative to the state directory
}

// A Check is an assertion that did not hold.
type Check struct {
	Assertion string `json:"assertion"` // JSON pointer into the scenario
	Want      string `json:"want"`
	Got       string `json:"got"`
}

// Tokens are token counts as reported by providers. Known is false if there was no report.
type Tokens struct {
	Known     bool `json:"known"`
	Input     int  `json:"input"`
	CacheRead int  `json:"cache_read,omitempty"`
	Output    int  `json:"output"`
}
