package health

import (
	"fmt"

	"github.com/callwright/callwright"
)

// Thresholds of the problem that the share of repaired answers of a model has grown.
const (
	// leastAnswers is the minimum number of answers in the last 15 minutes, and the minimum number before them.
	leastAnswers = 20
	// healedShare is the divisor of the minimum share of answers with the outcome healed: one in five.
	healedShare = 5
	// healedTimes is the minimum ratio of the share in the last 15 minutes to the share before.
	healedTimes = 4
)

// appendHealing appends a problem to out if the share of answers with the outcome healed has grown to at least a fifth
// and to four times the share before. The problem ends when the share falls, or when the share before has grown.
func (is *model) appendHealing(out []Problem, id callwright.ModelID, minute int64) []Problem {
	healed, answered := is.healed.in(minute), is.answered.in(minute)
	healedBefore, answeredBefore := is.healed.all-healed, is.answered.all-answered
	switch {
	case answered < leastAnswers || answeredBefore < leastAnswers, healed*healedShare < answered,
		healed*answeredBefore < healedTimes*healedBefore*answered:
		return out
	}
	return append(out, Problem{Severity: Degraded, Subject: callwright.Excerpt(string(id)), Model: id, Topic: TopicHealing,
		Cause: fmt.Sprintf("the healing rate jumped: %d of the last %d answers were healed, %d of %d before", healed, answered,
			healedBefore, answeredBefore),
		Remedy: "check whether the provider has changed the model or its chat template; " + seeTraces,
		Count:  healed, Total: answered, CountSinceStart: is.healed.all, TotalSinceStart: is.answered.all})
}
