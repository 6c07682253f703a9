package health

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright"
)

// A Severity is the severity of a problem.
type Severity string

// The severities, the worst first.
const (
	Broken   Severity = "broken"   // requests fail
	Degraded Severity = "degraded" // some requests fail, or a fallback or a repair is needed
)

// A Topic identifies the type of a problem for programs.
type Topic string

// The topics.
const (
	TopicBreaker       Topic = "breaker"       // the circuit breaker of a model is open
	TopicHealing       Topic = "healing"       // the share of answers with the outcome healed has grown for a model
	TopicConfiguration Topic = "configuration" // a configuration was rejected
	TopicState         Topic = "state"         // the store of the gateway's state is unavailable or fails
)

// A Problem is a present problem of the gateway. [Problem.String] returns Subject and Cause as a line for people.
type Problem struct {
	Severity Severity `json:"severity"`
	// Subject is the model as "provider/name", or a component of the gateway, such as "state" or "configuration".
	Subject string `json:"subject"`
	Cause   string `json:"cause"`
	Remedy  string `json:"remedy"`
	// Count is the number of failed requests among Total requests to a model, in the last 15 minutes. CountSinceStart and
	// TotalSinceStart are these numbers since the start. All are 0 for a problem that is not about requests.
	Count           int64 `json:"count,omitempty"`
	Total           int64 `json:"total,omitempty"`
	CountSinceStart int64 `json:"count_since_start,omitempty"`
	TotalSinceStart int64 `json:"total_since_start,omitempty"`

	Model callwright.ModelID `json:"model,omitempty"` // model of the problem as "provider/name", "" for none
	Kind  callwright.Kind    `json:"kind,omitempty"`  // kind of the failures of a model
	Topic Topic              `json:"topic,omitempty"`
	// AnsweredBy is the fallback that answers all requests to the model, "" for none.
	AnsweredBy callwright.ModelID `json:"answered_by,omitempty"`
}

// String returns "subject: cause".
func (p Problem) String() string { return p.Subject + ": " + p.Cause }

// Lines returns String of each problem.
func Lines(list []Problem) []string {
	out := make([]string, len(list))
	for i := range list {
		out[i] = list[i].String()
	}
	return out
}

// Worst sorts problems in place, the worst first: broken before degraded, components of the gateway before models, then
// by the number of failures.
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
