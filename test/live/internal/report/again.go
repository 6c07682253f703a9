package report

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/arm"
	"github.com/callwright/callwright/test/live/internal/question"
)

// againTable counts the questions of a model for which the gateway asked more than once, by arm: in how many the second
// answer says another thing than the first, how many end right, and the tokens of the requests after the first. Arms
// without such a question are left out; without any arm it is empty.
func againTable(trials []arm.Trial, answers *answer.Store, name string) string {
	var b strings.Builder
	for _, s := range scores(trials, name) {
		asked, other, right, tokens := 0, 0, 0, 0
		for _, t := range trials {
			if t.Model != name || t.Arm != s.arm || len(t.Answers) < 2 {
				continue
			}
			asked++
			first, second := answers.Get(t.Answers[0]), answers.Get(t.Answers[1])
			if first == nil || second == nil || first.Said() != second.Said() {
				other++
			}
			if t.Verdict == question.Right {
				right++
			}
			for _, key := range t.Answers[1:] {
				if a := answers.Get(key); a != nil {
					c := a.Cost()
					tokens += c.Input + c.Output
				}
			}
		}
		if asked > 0 {
			fmt.Fprintf(&b, "| %s | %d of %d | %d | %d | %d |\n", s.arm, asked, s.all, other, right, tokens/asked)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "Questions that were asked more than once:\n\n| arm | asked again | second answer differs | right in the end | further tokens per question |\n|---|---|---|---|---|\n" + b.String() + "\n"
}
