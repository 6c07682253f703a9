package health

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright"
)

// A Severity says how bad a problem is.
type Severity string

// The severities, the worst first.
const (
	Broken   Severity = "broken"   // requests fail
	Degraded Severity = "degraded" // requests are answered, though not as they should be
)

// A Topic is the subject of a problem, for programs that read problems.
type Topic string

// The topics.
const (
	TopicBreaker       Topic = "breaker"       // the circuit breaker of a model is open
	TopicHealing       Topic = "healing"       // more answers of a model are healed than before
	TopicConfiguration Topic = "configuration" // a configuration was refused
	TopicState         Topic = "state"         // the store of the state is away, or fails
)

// A Problem is one thing that is wrong. Subject and Cause make a line for people, see [Problem.String].
type Problem struct {
	Severity Severity `json:"severity"`
	// Subject is the model as provider/name, or the part of the gateway, such as "state" or "configuration".
	Subject string `json:"subject"`
	Cause   string `json:"cause"`
	Remedy  string `json:"remedy"`
	// Count is how many of Total requests to a model failed in the last 15 minutes, and CountSinceStart the same since
	// the start. All are 0 for problems that are not of requests.
	Count           int64 `json:"count,omitempty"`
	Total           int64 `json:"total,omitempty"`
	CountSinceStart int64 `json:"count_since_start,omitempty"`
	TotalSinceStart int64 `json:"total_since_start,omitempty"`

	Model callwright.ModelID `json:"model,omitempty"` // provider/name of a model's problem
	Kind  callwright.Kind    `json:"kind,omitempty"`  // of the failures of a model
	Topic Topic              `json:"topic,omitempty"`
	// AnsweredBy is the fallback that answers in place of a model that answers nothing.
	AnsweredBy callwright.ModelID `json:"answered_by,omitempty"`
}

// String returns "subject: cause".
func (p Problem) String() string { return p.Subject + ": " + p.Cause }

// Lines returns the lines of problems.
func Lines(list []Problem) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].String()
	}
	return out
}

// Worst sorts problems, the worst first: broken before degraded, parts of the gateway before models, many failures
// before few.
func Worst(list []Problem) {
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.Count, a.Count), cmp.Compare(a.String(), b.String()))
	})
}

func rank(p Problem) int {
	n := 0
	if p.Severity != Broken {
		n += 2
	}
	if p.Model != "" {
		n++
	}
	return n
}
