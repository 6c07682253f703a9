package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect"
)

// headerWith draws the header of a message that names a tool in one place or several, with its other parts in any order.
func headerWith(t *rapid.T, tool string) (header string, isTyped, isRecipient bool) {
	named := rapid.SampledFrom([]string{tool, "functions." + tool}).Draw(t, "name")
	places := []string{"role", "channel", "word", "recipient", "twice"}
	place := rapid.SampledFrom(places).Draw(t, "place")
	channel := rapid.SampledFrom([]string{"<|channel|>commentary", "<|channel|>commentary", "<|channel|> commentary"}).Draw(t, "channel")
	self := rapid.SampledFrom([]string{"", " to=assistant"}).Draw(t, "self")
	types := rapid.SampledFrom([]string{"", " json", " <|constrain|>json", "<|constrain|>json", " code"}).Draw(t, "type")
	var tail []string
	switch place {
	case "role":
		header = named
		tail = []string{channel, self, types}
	case "channel":
		header = rapid.SampledFrom([]string{"", "<|start|>assistant"}).Draw(t, "head") + "<|channel|>" + named
		tail = []string{channel, self, types}
	case "word":
		header = channel
		tail = []string{" " + named, self, types}
	case "recipient":
		header = "<|start|>assistant to=" + named
		tail = []string{channel, " to=assistant", types}
	case "twice":
		header = "<|start|>assistant to=" + named
		tail = []string{channel, " to=" + named, types}
	}
	for _, part := range rapid.Permutation(tail).Draw(t, "order") {
		header += part
	}
	return header, types != "", place == "recipient" || place == "twice"
}

// A message whose header names a declared tool in any place is a call of it where its body is its arguments, and text where it is not: no other
// tool is called, and nothing is lost.
func TestMisplacedTools(test *testing.T) {
	rapid.Check(test, func(t *rapid.T) {
		header, isTyped, isRecipient := headerWith(t, "note")
		lead := rapid.SampledFrom([]string{"", "I look.\n", "<|channel|>analysis<|message|>Hm.<|end|>"}).Draw(t, "lead")
		bodies := []string{`{"text": "a"}`, `{"text": "<|call|> x"}`, `{"other": 1}`, "Done.", `"a"`, "[1]", ""}
		body := rapid.SampledFrom(bodies).Draw(t, "body")
		text := lead + header + "<|message|>" + body + rapid.SampledFrom([]string{"", "<|call|>", "<|end|>", "<|end|><|start|>assistant<|channel|>final<|message|>Bye."}).Draw(t, "end")
		items := scan(dialect.Options{Tools: tools}, text)
		sameSplit(test, text, items)
		calls := callsIn(items)
		for _, c := range calls {
			if c.Name != "note" {
				t.Errorf("%q calls %s", text, c.Name)
			}
		}
		switch isObject := strings.HasPrefix(body, "{"); {
		case strings.HasPrefix(body, `{"text"`):
			if len(calls) != 1 {
				t.Errorf("%q gives %q", text, joined(items))
			}
		case isObject && isTyped, isRecipient:
		case !isObject || !strings.Contains(text, "<|call|>"):
			if len(calls) > 0 || body != "" && !strings.Contains(visible(items), body) {
				t.Errorf("%q gives %q", text, joined(items))
			}
		}
	})
}

// visible is the visible text among items.
func visible(items []dialect.Item) string {
	var b strings.Builder
	for _, it := range items {
		if it.Kind == dialect.Text {
			b.WriteString(it.Text)
		}
	}
	return b.String()
}

// What names a tool in a header and is no call stays as it was.
func TestNoMisplacedTools(t *testing.T) {
	for _, text := range []string{
		`<|start|>functions.note to=assistant<|channel|>commentary<|message|>{"text": "a"}<|end|>`, // the result of a tool
		`<|start|>functions.note to=assistant<|channel|>commentary<|message|>a text<|end|>`,
		`<|channel|>final note<|message|>{"text": "a"}`, `<|channel|>analysis note<|message|>{"text": "a"}`,
		`functions.note<|channel|>final json<|message|>{"text": "a"}`, `functions.note<|channel|>commentary to=user json<|message|>{"text": "a"}`,
		`functions.nobody<|channel|>commentary to=assistant json<|message|>{"text": "a"}`,
		`<|start|>assistant to=functions.note<|channel|>commentary to=functions.ping json<|message|>{"text": "a"}`,
		`A header such as functions.note<|channel|>commentary to=assistant json<|message|>{"text": "a"} is wrong.`,
		"For example:\nfunctions.note<|channel|>commentary to=assistant json<|message|>{\"text\": \"a\"}",
		"`functions.note<|channel|>commentary to=assistant json<|message|>{\"text\": \"a\"}`",
		`functions.note<|channel|>commentary to=assistant json<|message|>{"text": "a`,
	} {
		items := scan(dialect.Options{Tools: tools}, text)
		sameSplit(t, text, items)
		if len(callsIn(items)) > 0 {
			t.Errorf("%q gives %q", text, joined(items))
		}
	}
	torn := scan(dialect.Options{Tools: tools}, `functions.note<|channel|>commentary to=assistant json<|message|>{"text": "a`)
	if !slices.ContainsFunc(torn, func(it dialect.Item) bool { return it.Kind == dialect.CallRejected && it.Why == dialect.Truncated }) {
		t.Errorf("a call that was cut gives %q", joined(torn))
	}
}

// TestLongHeader: a header that is too long ends at one place, whatever stands there and however the text is cut.
func TestLongHeader(t *testing.T) {
	o := dialect.Options{Tools: tools}
	for _, end := range []string{"<|message|>text", " to=functions.note<|message|>{\"text\":\"a\"}<|call|>", "{\"text\":\"a\"}<|call|>", " to=functions.note{\"text\":\"a\"}<|call|>", "<|end|>text", "<|start|>assistant<|channel|>final<|message|>text", "<|tool_call>call:note{}", "\xa7\x81"} {
		for length := 470; length < 530; length++ {
			text := "<|channel|>commentary" + strings.Repeat("x", length) + end
			want := joined(scan(o, text))
			for _, size := range []int{1, 7, 300} {
				if d := cmp.Diff(want, joined(scan(o, every(size, text)...))); d != "" {
					t.Fatalf("%d bytes before %s, in pieces of %d: %s", length, end, size, d)
				}
			}
		}
	}
}
