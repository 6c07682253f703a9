package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// Text flows at once: at most the possible beginning of a mark is held back.
func TestTextFlows(t *testing.T) {
	text := strings.Repeat(paragraph, 3) + "A < b and b > a, if (a) { x[1] = 2 } else: see <b>this</b>, `code`, note the price. "
	s := dialect.NewScanner(dialect.Options{Tools: tools})
	fed, said := 0, 0
	for _, p := range every(3, text) {
		fed += len(p)
		for _, it := range s.Feed(p, nil) {
			said += len(it.Text)
		}
		if fed-said > 24 {
			t.Fatalf("%d bytes are held back at %q", fed-said, text[:fed])
		}
	}
}

// A call is given out as soon as its arguments are closed, which the byte after a string and its brackets says; text after
// it flows.
func TestCallsAreEarly(t *testing.T) {
	s := dialect.NewScanner(dialect.Options{Tools: tools})
	items := s.Feed(`<function_calls><invoke name="ping"></invoke>`, nil)
	if len(items) != 1 || items[0].Kind != dialect.CallFound {
		t.Fatalf("the first call of an open block is held: %v", joined(items))
	}
	items = s.Feed(`<tool_call>{"name": "note", "arguments": {"text": "x"}}`+"\n", nil)
	if len(items) != 1 || items[0].Kind != dialect.CallFound {
		t.Fatalf("a closed object is held: %v", joined(items))
	}
	items = s.Feed("</tool_call></function_calls>\nThat was it.\nx", nil)
	if len(items) != 1 || !strings.HasSuffix(items[0].Text, "That was it.\nx") {
		t.Fatalf("text behind calls is held: %v", joined(items))
	}
}

// White space between reasoning and answer belongs to neither.
func TestReasoningIsSplit(t *testing.T) {
	for text, want := range map[string]string{
		"<think>\nWell.\n</think>\n\nYes.":                "reasoning: \nWell.|text: Yes.",
		"<think></think>Yes.":                             "note: mark.reasoning 0 \"<think>\" |text: Yes.",
		"[THINK]Well.[/THINK]Yes.":                        "reasoning: Well.|text: Yes.",
		"The tag is `<think>`, closed by `</think>`.":     "text: The tag is `<think>`, closed by `</think>`.",
		"<|START_THINKING|>Well.<|END_THINKING|>Yes.":     "reasoning: Well.|text: Yes.",
		"Yes.</think>No.":                                 "text: Yes.|note: mark.unopened 4 \"</think>\" |text: \nNo.",
		"Write the </think> tag here.":                    "text: Write the </think> tag here.",
		"<think>never closed, <b>not</b> `</think>` here": "reasoning: never closed, <b>not</b> `</think>` here",
	} {
		if got := strings.Join(joined(scan(dialect.Options{Tools: tools}, text)), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
