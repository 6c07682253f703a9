package health

import (
	"fmt"

	"github.com/callwright/callwright"
)

// Of the problem that more answers of a model are healed than before.
const (
	// leastAnswers is how many answers the last 15 minutes and the time before need each.
	leastAnswers = 20
	// healedShare is the part of the answers, one in so many, that is healed at least.
	healedShare = 5
	// healedTimes is how many times as large as before the part is at least.
	healedTimes = 4
)

// appendHealing appends the problem of a model of which more answers are healed than before. It is over when the part
// is as it was, or has become the usual one.
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
		Remedy: "compare the model and the template that the provider serves with those before; " + seeTraces,
		Count:  healed, Total: answered, CountSinceStart: is.healed.all, TotalSinceStart: is.answered.all})
}
