package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// SayRefused has an answer say which of its calls call rules refused, a line for each, after its text and before its
// calls that were found in text.
func (a *Answer) SayRefused() {
	var lines []string
	for i := range a.Outcome.Invalid {
		c := &a.Outcome.Invalid[i]
		if !isRefused(*c) || len(c.Violations) == 0 {
			continue
		}
		if line := "The call of " + c.Name + " " + c.Violations[0].Message; !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	if lines == nil {
		return
	}
	text := strings.Join(lines, "\n")
	if a.Outcome.HasText() { // what follows the text of an earlier attempt is put on a line of its own anyway
		text = "\n" + text
	}
	a.Outcome.Visible.WriteString(text)
	a.beforeEnd = slices.Insert(a.beforeEnd, a.textsBeforeEnd(), callwright.Event(callwright.TextDelta{Text: text}))
}

// textsBeforeEnd is how many of the events before the End are no call, from the first.
func (a *Answer) textsBeforeEnd() int {
	if i := slices.IndexFunc(a.beforeEnd, ofCall); i >= 0 {
		return i
	}
	return len(a.beforeEnd)
}
