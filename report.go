package callwright

import (
	"time"

	"github.com/callwright/callwright/caps"
)

// A Report describes the processing of one request: every attempt, every note, and the rejected calls.
type Report struct {
	ID       string        `json:"id"`
	Model    ModelID       `json:"model"` // as asked for
	Attempts []Attempt     `json:"attempts"`
	Notes    []Note        `json:"notes"`
	Invalid  []InvalidCall `json:"invalid,omitempty"`
	Mode     caps.Mode     `json:"mode"` // of the attempt that answered
	// Untouched says that neither the request but for the model's name nor the answer was changed.
	Untouched  bool    `json:"untouched"`
	Confidence float64 `json:"confidence"`
	// Fingerprint identifies the inputs of the decisions about a request and its answer: model, policy, modes, tool
	// choice, tools, parameters, the form of the answer and the instructions. Requests that agree in these have equal
	// fingerprints.
	Fingerprint string `json:"fingerprint"`
	// CachedTokens counts the tokens of the attempts' input that providers had in their prompt caches.
	CachedTokens int `json:"cached_tokens,omitempty"`
	// CacheHits counts the attempts for which there were any.
	CacheHits int `json:"cache_hits,omitempty"`
}

// Why an attempt is made, as Attempt.Why has it. Readers of reports go by these words, in JSON too.
const (
	AttemptFirst      = "first"
	AttemptFallback   = "fallback"   // of another model
	AttemptOtherMode  = "other mode" // of the same model
	AttemptCorrection = "correction" // the model was told what was wrong with its calls
	AttemptPause      = "after a pause"
	AttemptSearch     = "after a search for tools"
)

// An Attempt is one request to one provider.
type Attempt struct {
	Model    ModelID       `json:"model"`
	Mode     caps.Mode     `json:"mode"`
	Dialect  string        `json:"dialect,omitempty"`
	Why      string        `json:"why,omitempty"` // AttemptFirst and the others
	Duration time.Duration `json:"duration_ns"`
	Tries    int           `json:"tries,omitempty"` // HTTP requests, more than 1 after transport retries
	Error    string        `json:"error,omitempty"`
	Kind     Kind          `json:"kind,omitempty"`
	Key      string        `json:"key,omitempty"`  // the name of the key that was used last, of a provider with several
	Host     string        `json:"host,omitempty"` // the host that was asked last, of a provider with several
	Usage    Usage         `json:"-"`
	Began    time.Time     `json:"-"`
}

// An InvalidCall is a call that was found and rejected. Why decides how it is handled; the Violations describe the
// reason in words.
type InvalidCall struct {
	Name       string        `json:"name"`
	ID         string        `json:"id,omitempty"`
	Why        InvalidReason `json:"why,omitempty"`
	Raw        string        `json:"raw"` // bounded
	Type       ToolType      `json:"-"`   // CustomTool where Raw is the free text of a call that came as one
	Violations []Violation   `json:"violations"`
}

// An InvalidReason is the reason why a call was rejected. The list is closed, but for "refused" by a call rule of a
// configuration.
type InvalidReason string

// The reasons.
const (
	InvalidUndeclared   InvalidReason = "undeclared"    // it names no declared tool
	InvalidTruncated    InvalidReason = "truncated"     // the answer ended inside it
	InvalidMalformed    InvalidReason = "malformed"     // its arguments cannot be read
	InvalidArguments    InvalidReason = "invalid"       // its arguments break the tool's schema
	InvalidBesideNative InvalidReason = "beside_native" // it stands in the text of an answer that has native calls
)

// A Violation is one way in which a call breaks its contract. Path is a JSON pointer into the arguments.
type Violation struct {
	Path    string `json:"path"`
	Keyword string `json:"keyword"`
	Message string `json:"message"`
}

// A Verdict is the judgement of one call. It does not change once it was given. A call that is not OK is in Invalid,
// with every violation; a call that is OK is in Call, ready to be run.
type Verdict struct {
	OK      bool
	Call    Call
	Invalid InvalidCall
	Notes   []Note
}
