package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
)

// presentations are texts that show the call in place of %s: by what stands before it, after it, or both.
var presentations = []string{
	"example: %s", "Example: %s", "For example: %s", "For example:\n%s", "For example:\n\n%s", "For instance, %s", "You can call it with %s.", "You could write %s.", "It is written as %s.", "The syntax is %s.",
	"The format is %s so I could use it.", "The format is %s.", "A call looks like %s", "Such as %s.", "e.g. %s", "Zum Beispiel: %s", "例如：%s", "Never send this: %s",
	"The docs show: %s", "Here is an example:\n%s\nThat is all.", "For example: %s and %s", "For example:\n%s\n%s", "For example: %s, or\n%s",
}

// meetings are texts that make the call in place of %s.
var meetings = []string{
	"%s", "I look.\n%s", "Let me look: %s", "I'll call it now: %s", "Here is the call:\n%s", "Now:\n%s", "I look for the train.\n\n%s\n",
}

// meetingsOfMarked are such texts for calls between marks, which count among words, too.
var meetingsOfMarked = []string{
	"I look. %s", "Text before %s text after", "Hi %s tail end", "Some words %s More words.", "I look for it %s and wait.", "Let me see %s and then decide.", "One moment, %s please.",
}

// isMarked reports whether calls of a format begin with a mark.
func isMarked(f dialect.Format) bool {
	text := sample(f)
	return text[0] == '<' || strings.HasPrefix(text, "]<]") || strings.HasPrefix(text, "[TOOL_CALLS]")
}

// sample is a call of a tool, written in a format.
func sample(f dialect.Format) string {
	return f.RenderCalls([]dialect.RenderedCall{{Name: "find_train", ID: "call_1", Arguments: []byte(`{"from": "Bonn", "seats": 2}`)}})
}

// scanned is what a text holds: the visible text, the reasoning, and how many calls.
func scanned(items []dialect.Item) (text, thought string, calls int) {
	for _, it := range items {
		switch it.Kind {
		case dialect.Text:
			text += it.Text
		case dialect.Reasoning:
			thought += it.Text
		case dialect.CallFound, dialect.CallRejected:
			calls++
		}
	}
	return text, thought, calls
}

// A call that the words around it show is text as it is, in every format, visible and in reasoning, whole and in pieces.
func TestPresentedCallsAreText(t *testing.T) {
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		o := dialect.Options{Tools: tools, Hint: f.Name}
		for _, p := range presentations {
			text := strings.TrimRight(strings.ReplaceAll(p, "%s", sample(f)), " \n")
			for _, end := range [...]string{"<|im_end|>", "<|eom|>"} { // ends of a turn leave the text, wherever they stand
				text = strings.ReplaceAll(text, end, "")
			}
			for _, n := range []int{len(text), 1, 3, 7} {
				got, thought, calls := scanned(scan(o, every(n, text)...))
				if calls > 0 || thought != "" || got != text {
					t.Errorf("%s, pieces of %d: %d calls, thought %q:\n%s", f.Name, n, calls, thought, cmp.Diff(text, got))
					break
				}
				got, thought, calls = scanned(scan(o, every(n, "<think>"+text+"</think>")...))
				if calls > 0 || thought != text || got != "" {
					t.Errorf("%s, in reasoning, pieces of %d: %d calls, text %q:\n%s", f.Name, n, calls, got, cmp.Diff(text, thought))
					break
				}
			}
		}
	}
}

// The same call is one where the words around it make it.
func TestMadeCallsAreCalls(t *testing.T) {
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		o := dialect.Options{Tools: tools, Hint: f.Name}
		phrases := meetings
		if isMarked(f) {
			phrases = slices.Concat(meetings, meetingsOfMarked)
		}
		for _, p := range phrases {
			text := strings.ReplaceAll(p, "%s", sample(f))
			for _, n := range []int{len(text), 1, 3} {
				got, _, calls := scanned(scan(o, every(n, text)...))
				if calls != 1 || isMarked(f) && strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(strings.ReplaceAll(p, "%s", "")), " ") {
					t.Errorf("%s, pieces of %d: %d calls in %q, text %q", f.Name, n, calls, text, got)
					break
				}
			}
		}
	}
}
