package dialect_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// A call that is read from the beginning of a text without saying that it was not closed has all arguments of the whole call, whatever marks its
// values hold: a mark in a value is where the text may be cut.
func TestCutValues(t *testing.T) {
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		marks := []string{"</tool_call>", "</parameter>", "<tool_call|>", "<|call|>", "}", "]", ")", `"`, "'", "\n"}
		for _, m := range f.Marks {
			marks = append(marks, m.Open, m.Close)
		}
		t.Run(f.Name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				value := rapid.Custom(func(r *rapid.T) string {
					parts := rapid.SliceOfN(rapid.SampledFrom(append([]string{"a", "b c", " ", "1"}, marks...)), 1, 5).Draw(r, "parts")
					return strings.Join(parts, "")
				})
				whole := map[string]string{"from": value.Draw(r, "from"), "to": value.Draw(r, "to"), "class": value.Draw(r, "class")}
				text := f.RenderCalls([]dialect.RenderedCall{{Name: "book", Arguments: objectOf(whole)}})
				read := argsFound(scan(dialect.Options{Tools: book, Hint: f.Name}, text))
				for cut := range len(text) {
					for _, it := range scan(dialect.Options{Tools: book, Hint: f.Name}, text[:cut]) {
						if it.Kind != dialect.CallFound || it.Call.Unclosed {
							continue
						}
						got := argsOf(it.Call)
						if strings.HasPrefix(withoutSpace(text[:cut]), wholeCall(&f, got)) {
							continue // the text begins with a whole call
						}
						if !maps.Equal(got, whole) && !maps.Equal(got, read) {
							r.Errorf("%q gives %q, want %q", text[:cut], got, whole)
						}
					}
				}
			})
		})
	}
}

// wholeCall is a call of book in a format without white space, up to the mark that closes the call itself.
func wholeCall(f *dialect.Format, args map[string]string) string {
	text := withoutSpace(f.RenderCalls([]dialect.RenderedCall{{Name: "book", Arguments: objectOf(args)}}))
	if empty := f.RenderCalls([]dialect.RenderedCall{{Name: "ping"}}); strings.Count(empty, "</")+strings.Count(empty, "<|close|>") > 1 {
		text = text[:max(strings.LastIndex(text, "</"), strings.LastIndex(text, "<|close|>"))] // what closes the wrapper
	}
	return text
}

// withoutSpace is a text without white space.
func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

// objectOf is the JSON object of arguments of book.
func objectOf(args map[string]string) []byte {
	out := []byte{'{'}
	for _, key := range []string{"from", "to", "class"} {
		if text, ok := args[key]; ok {
			out = jsonx.AppendQuote(append(out, `, "`+key+`": `...), text)
		}
	}
	return append(bytes.Replace(out, []byte(", "), nil, 1), '}')
}
