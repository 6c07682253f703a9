package callwright

import (
	"time"

	"github.com/callwright/callwright/caps"
)

// A Report describes the processing of one request: the attempts at providers, the changes and findings (notes), and
// the rejected calls.
type Report struct {
	ID       string        `json:"id"`
	Model    ModelID       `json:"model"` // the model that the client requested
	Attempts []Attempt     `json:"attempts"`
	Notes    []Note        `json:"notes"`
	Invalid  []InvalidCall `json:"invalid,omitempty"`
	Mode     caps.Mode     `json:"mode"` // mode of the attempt whose response was used
	// Untouched reports that the response was not changed and that the request was not changed apart from the model's
	// name.
	Untouched  bool    `json:"untouched"`
	Confidence float64 `json:"confidence"`
	// Fingerprint is a hash of everything that determines the processing: model, policy, modes, tool choice, tools,
	// parameters, response format and instructions. Requests that agree in these have equal fingerprints.
	Fingerprint string `json:"fingerprint"`
	// CachedTokens is the number of input tokens that providers read from their prompt caches, over all attempts.
	CachedTokens int `json:"cached_tokens,omitempty"`
	// CacheHits is the number of attempts with cached input tokens.
	CacheHits int `json:"cache_hits,omitempty"`
}

// The values of Attempt.Why, the reason for an attempt. They are part of the JSON format of reports.
const (
	AttemptFirst      = "first"
	AttemptFallback   = "fallback"   // with another model of the fallback chain
	AttemptOtherMode  = "other mode" // with the same model in another mode
	AttemptCorrection = "correction" // self-correction: the model was sent the violations of its calls
	AttemptPause      = "after a pause"
	AttemptSearch     = "after a search for tools"
)

// An Attempt is one request to one provider. It may need several HTTP requests.
type Attempt struct {
	Model    ModelID       `json:"model"`
	Mode     caps.Mode     `json:"mode"`
	Dialect  string        `json:"dialect,omitempty"`
	Why      string        `json:"why,omitempty"` // AttemptFirst or another Attempt constant
	Duration time.Duration `json:"duration_ns"`
	Tries    int           `json:"tries,omitempty"` // number of HTTP requests, above 1 after transport retries
	Error    string        `json:"error,omitempty"`
	Kind     Kind          `json:"kind,omitempty"`
	Key      string        `json:"key,omitempty"`  // name of the last key used, for a provider with several keys
	Host     string        `json:"host,omitempty"` // the last host used, for a provider with several hosts
	Usage    Usage         `json:"-"`
	Began    time.Time     `json:"-"`
}

// An InvalidCall is a call in a response that was rejected. Why is the reason for programs, Violations are the details
// for people.
type InvalidCall struct {
	Name       string        `json:"name"`
	ID         string        `json:"id,omitempty"`
	Why        InvalidReason `json:"why,omitempty"`
	Raw        string        `json:"raw"` // the arguments or text of the call, at most 4 KiB
	Type       ToolType      `json:"-"`   // CustomTool if Raw is the free-text input of a custom tool's call
	Violations []Violation   `json:"violations"`
}

// An InvalidReason is the reason why a call was rejected. Besides the constants it may be "refused": a configured call
// rule rejected the call.
type InvalidReason string

// Reasons why a call is invalid.
const (
	InvalidUndeclared InvalidReason = "undeclared" // the call names no declared tool
	InvalidTruncated  InvalidReason = "truncated"  // the response ended inside the call
	InvalidMalformed  InvalidReason = "malformed"  // the arguments are not JSON and could not be repaired
	InvalidArguments  InvalidReason = "invalid"    // the arguments violate the tool's schema
	// InvalidBesideNative: the call is written in the text of a response that also has native calls.
	InvalidBesideNative InvalidReason = "beside_native"
)

// A Violation is one violation of a tool's schema by the arguments of a call. Path is a JSON pointer into the
// arguments. Keyword is the schema keyword, such as "required".
type Violation struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Message string `json:"message"`
}

// A Verdict is the final result of the validation of one call. If OK is true, Call is the validated call. Otherwise
// Invalid is the rejected call with all violations.
type Verdict struct {
	OK      bool
	Call    Call
	Invalid InvalidCall
	Notes   []Note
}
