package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// thoughtMarks are the marks around reasoning of all formats.
func thoughtMarks() []dialect.Mark {
	marks := []dialect.Mark{{Open: "<think>", Close: "</think>"}}
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			if m.Role == dialect.Think && m.Close != "" && !slices.Contains(marks, m) {
				marks = append(marks, m)
			}
		}
	}
	return marks
}

// Whatever is open in reasoning, its closing mark ends it, and the answer behind it is visible: a call of any format that is cut at any byte,
// whole and in pieces.
func TestReasoningEnds(t *testing.T) {
	marks := thoughtMarks()
	for _, f := range dialect.Formats() {
		if !f.Renders() || f.Name == "harmony" || f.Name == "muse_glimmer" { // a header ends the reasoning before
			continue
		}
		o := dialect.Options{Tools: tools}
		call := sample(f)
		failed := 0
		for cut := 1; cut <= len(call) && failed < 3; cut++ {
			m := marks[0]
			if cut%4 == 0 {
				m = marks[cut/4%len(marks)]
			}
			for _, words := range [][2]string{{"The marker ", " opens a call there."}, {"Let me call.\n", "\n"}} {
				text := m.Open + words[0] + call[:cut] + words[1] + m.Close + "The answer is 42."
				for _, n := range []int{len(text), 1} {
					got, _, calls := scanned(scan(o, every(n, text)...))
					if calls > 0 || strings.TrimSpace(got) != "The answer is 42." {
						failed++
						t.Errorf("%s, pieces of %d: %d calls, text %q in %q", f.Name, n, calls, got, text)
						break
					}
				}
			}
		}
	}
}

// A call that is cut in reasoning does not keep the one behind it from being made.
func TestCallBehindReasoning(t *testing.T) {
	for _, f := range dialect.Formats() {
		if !f.Renders() || !isMarked(f) || f.Name == "harmony" {
			continue
		}
		call := sample(f)
		for cut := 1; cut < len(call); cut++ {
			text := "<think>The marker " + call[:cut] + " opens a call there.</think>\n" + call
			for _, n := range []int{len(text), 1} {
				got, _, calls := scanned(scan(dialect.Options{Tools: tools}, every(n, text)...))
				if calls != 1 || strings.TrimSpace(got) != "" {
					t.Errorf("%s, pieces of %d: %d calls, text %q in %q", f.Name, n, calls, got, text)
				}
			}
		}
	}
}

// A mark that ends reasoning is a part of a value that is closed behind it.
func TestReasoningMarkInValue(t *testing.T) {
	const value = "the mark </think> and [/THINK] end it"
	for _, f := range dialect.Formats() {
		if !f.Renders() || !isMarked(f) || f.Name == "harmony" {
			continue
		}
		text := "<think>I write it down.\n" + f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: []byte(`{"text": "` + value + `"}`)}}) + "\n</think>"
		for _, n := range []int{len(text), 1, 5} {
			found := false
			for _, it := range scan(dialect.Options{Tools: tools}, every(n, text)...) {
				if it.Kind == dialect.CallFound {
					found = strings.Contains(it.Call.JSON, value) || len(it.Call.Args) == 1 && strings.Contains(it.Call.Args[0].Text, value)
				}
			}
			if !found {
				t.Errorf("%s, pieces of %d: the call is not found in %q", f.Name, n, text)
			}
		}
	}
}
