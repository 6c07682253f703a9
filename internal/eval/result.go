package eval

import (
	"time"

	"github.com/callwright/callwright"
)

// An Outcome is the outcome of a trial.
type Outcome string

const (
	OK      Outcome = "ok"      // all assertions held
	Failed  Outcome = "failed"  // the model, or what was made of its answers, did not do what the scenario asks for
	Refused Outcome = "refused" // the provider did not let the request through: permission, safety, quota, a model that is not there
	Broken  Outcome = "broken"  // the harness or the network, not the model: no connection, a time limit before the first byte
	Skipped Outcome = "skipped" // the combination makes no sense, such as a profile that is not for the model
)

// A Result is the result of a cell. It is written as one JSON line. Only Started, Duration and Latency differ between
// two runs of one offline plan with one seed.
type Result struct {
	Cell
	Outcome  Outcome         `json:"outcome"`
	Reason   string          `json:"reason,omitempty"` // of any outcome but OK: one sentence
	Class    string          `json:"class,omitempty"`  // of the reason, such as wrong_arguments; ranked in reports
	Kind     callwright.Kind `json:"kind,omitempty"`   // of the error that ended the run
	Status   int             `json:"status,omitempty"` // of the provider's refusal
	Checks   []Check         `json:"checks,omitempty"` // the assertions that did not hold
	Started  time.Time       `json:"started"`
	Duration time.Duration   `json:"duration_ns"`
	// Latency is the time of each request to the provider, in order.
	Latency []time.Duration `json:"latency_ns,omitempty"`

	Steps       int `json:"steps"`
	Requests    int `json:"requests"`    // sent to providers: first ones, corrections, other modes, fallbacks
	Corrections int `json:"corrections"` // of these, those that asked the model to mend its answer
	OtherMode   int `json:"other_mode"`  // of these, those in another mode than the first
	Fallback    int `json:"fallback"`    // of these, those to another model
	Transport   int `json:"transport"`   // HTTP requests that were made again, beyond Requests
	Calls       int `json:"calls"`       // that reached a tool

	// Causes of calls that did not reach a tool as the model wrote them.
	InvalidJSON    int `json:"invalid_json"`
	UnknownName    int `json:"unknown_name"`
	SchemaMismatch int `json:"schema_mismatch"`

	Faults map[string]int `json:"faults,omitempty"` // notes by class of failure, F01 to F60
	Rules  map[string]int `json:"rules,omitempty"`  // notes by rule
	Usage  Tokens         `json:"usage"`
	// Healing are the tokens that requests took which had to be made beside the first of each step.
	Healing Tokens `json:"healing"`
	Text    string `json:"text,omitempty"`  // the final text, at most 2,000 bytes of it
	Trace   string `json:"trace,omitempty"` // the file with what was sent and received, relative to the state's folder
}

// A Check is an assertion that did not hold.
type Check struct {
	Assertion string `json:"assertion"` // its place in the scenario, as a JSON pointer
	Want      string `json:"want"`
	Got       string `json:"got"`
}

// Tokens are counts as providers reported them.
type Tokens struct {
	Known     bool `json:"known"`
	Input     int  `json:"input"`
	CacheRead int  `json:"cache_read,omitempty"`
	Output    int  `json:"output"`
}
