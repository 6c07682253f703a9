package inbound

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// SayRefused adds a line for each call that call rules rejected to the response, after its text and before calls that
// were parsed from text.
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
	if a.Outcome.HasText() { // text after that of an earlier attempt begins on a new line anyway
		text = "\n" + text
	}
	a.Outcome.Visible.WriteString(text)
	a.beforeEnd = slices.Insert(a.beforeEnd, a.textsBeforeEnd(), callwright.Event(callwright.TextDelta{Text: text}))
}

// textsBeforeEnd returns the number of events in beforeEnd that precede the first call.
func (a *Answer) textsBeforeEnd() int {
	if i := slices.IndexFunc(a.beforeEnd, ofCall); i >= 0 {
		return i
	}
	return len(a.beforeEnd)
}
