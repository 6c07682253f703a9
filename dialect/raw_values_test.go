package dialect_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// rawTools have a tool whose text may hold anything, and two that may be called in that text.
var rawTools = []dialect.Tool{
	{Name: "write", Params: []dialect.Param{{Name: "path", Types: []string{"string"}, Required: true}, {Name: "content", Types: []string{"string"}, Required: true}}},
	{Name: "note", Params: []dialect.Param{{Name: "text", Types: []string{"string"}, Required: true}}},
	{Name: "ping"},
}

// A rawFormat is a format that writes values as they are, between marks.
type rawFormat struct {
	dialect.Format
	pieces []string // what a value may hold: marks around calls and values, whole calls, words
	whole  []string // those of them that are whole calls
	opens  string   // how the mark begins that opens a value
	closes string   // the mark that closes a value
}

// renderedWrite is a call of write in a format.
func renderedWrite(f *dialect.Format, content string) string {
	args := jsonx.AppendQuote([]byte(`{"path":"a.md","content":`), content)
	return f.RenderCalls([]dialect.RenderedCall{{Name: "write", Arguments: append(args, '}')}})
}

// rawFormats are the formats that write values as they are.
func rawFormats() []rawFormat {
	var out []rawFormat
	for _, f := range dialect.Formats() {
		if !f.Renders() || quotesStrings(&f) || !strings.Contains(renderedWrite(&f, "a < b</x>"), "a < b</x>") {
			continue
		}
		call := renderedWrite(&f, "@")
		head, end, _ := strings.Cut(call, "@")
		r := rawFormat{Format: f, whole: []string{
			f.RenderCalls([]dialect.RenderedCall{{Name: "ping", Arguments: []byte(`{}`)}}),
			f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: []byte(`{"text":"x"}`)}}),
		}}
		ends, heads := aMark.FindAllString(end, -1), aMark.FindAllString(head, -1)
		r.closes, r.opens = ends[0], cutAttributes(heads[len(heads)-1])
		r.pieces = append(append(r.pieces, r.whole...), strings.TrimSpace(end), strings.Join(ends, " "), head, strings.Join(heads[len(heads)-1:], ""))
		r.pieces = append(append(r.pieces, ends...), heads...)
		out = append(out, r)
	}
	return out
}

// cutAttributes is how a mark begins.
func cutAttributes(mark string) string {
	if n := strings.IndexAny(mark, " ="); n > 0 {
		return mark[:n]
	}
	return mark
}

// isOtherCalls reports whether a value closes the value that it stands in and opens another one, which the end of its call closes: then
// the text can be that of other calls, and nobody can tell.
func (f *rawFormat) isOtherCalls(content string) bool {
	open, closed := 0, false
	for i := range content {
		switch {
		case strings.HasPrefix(content[i:], f.opens):
			open++
		case strings.HasPrefix(content[i:], f.closes) && open > 0:
			open--
		case strings.HasPrefix(content[i:], f.closes):
			closed = true
		}
	}
	return closed && open > 0
}

// aMark is a tag or a token; some have two parts.
var aMark = regexp.MustCompile(`(\]<\]minimax\[>\[)?<(\|(open|close)\|>[^<]*<)?[^>]*>`)

// readWrite says what became of a call of write that holds content, in a text after which nothing but tail stands. It is empty where the
// call arrived whole, or was refused, and no other call was found.
func readWrite(f *rawFormat, content, tail string) string {
	text := renderedWrite(&f.Format, content) + tail
	items := scan(dialect.Options{Tools: rawTools}, text)
	for _, it := range items {
		if it.Kind != dialect.CallFound || it.Call.Offset >= len(text)-len(tail) {
			continue
		}
		if it.Call.Name != "write" {
			return fmt.Sprintf("%q gives a call of %s: %q", text, it.Call.Name, joined(items))
		}
		for _, a := range it.Call.Args {
			if a.Key == "content" && strings.Trim(a.Text, "\n") != strings.Trim(content, "\n") {
				return fmt.Sprintf("%q gives %q: %q", text, a.Text, joined(items))
			}
		}
	}
	return ""
}

// A value that holds marks of its own format, alone or as whole calls, arrives whole, or its call is refused: it is never cut, and no call is found in it.
func TestRawValues(t *testing.T) {
	formats := rawFormats()
	if len(formats) < 15 {
		t.Fatalf("%d formats write values as they are", len(formats))
	}
	for _, f := range formats {
		whole := 0
		for _, content := range append(wholeContents(&f), looseContents(&f)...) {
			for _, tail := range []string{"", "\nThat is all.", "\n" + f.whole[0], "\n" + f.whole[1]} {
				if wrong := readWrite(&f, content, tail); wrong != "" {
					t.Errorf("%s: %s", f.Name, wrong)
				}
				if arrives(&f, content, tail) {
					whole++
				}
			}
		}
		if whole < 20 {
			t.Errorf("%s: %d values arrive", f.Name, whole)
		}
	}
}

// wholeContents are values that can be read in one way alone.
func wholeContents(f *rawFormat) []string {
	out := []string{"# Format\n" + f.whole[0] + "\nEnd.", "# Format\n" + f.whole[1] + "\nEnd.", f.whole[1], "Two:\n" + f.whole[1] + "\n" + f.whole[0] + "\n."}
	for _, p := range f.pieces {
		out = append(out, "a literal "+p+" inside")
	}
	return out
}

// looseContents are values of which some can be read in two ways.
func looseContents(f *rawFormat) (out []string) {
	end := f.pieces[len(f.whole)]
	for _, p := range f.pieces {
		for _, q := range f.pieces {
			out = append(out, "a "+p+" b "+q+" c", p+"\n"+q)
		}
		out = append(out, "a "+end+"\n"+p+" b", "a "+p, p)
	}
	return slices.DeleteFunc(out, f.isOtherCalls)
}

// arrives reports whether a call arrives whole.
func arrives(f *rawFormat, content, tail string) bool {
	for _, it := range scan(dialect.Options{Tools: rawTools}, renderedWrite(&f.Format, content)+tail) {
		if it.Kind == dialect.CallFound && it.Call.Name == "write" {
			return true
		}
	}
	return false
}

// The same for longer values of words, marks and calls, whole and in pieces, at the end of the answer.
func TestDrawnRawValues(t *testing.T) {
	formats := rawFormats()
	rapid.Check(t, func(t *rapid.T) {
		f := &formats[rapid.IntRange(0, len(formats)-1).Draw(t, "format")]
		parts := rapid.SliceOfN(rapid.SampledFrom(append([]string{"word", "\n", " ", "two words"}, f.pieces...)), 1, 8).Draw(t, "parts")
		content := strings.Join(parts, "")
		text := renderedWrite(&f.Format, content)
		if f.isOtherCalls(content) {
			t.Skip("it is the text of other calls, too")
		}
		if wrong := readWrite(f, content, ""); wrong != "" {
			t.Fatalf("%s: %s", f.Name, wrong)
		}
		want := joined(scan(dialect.Options{Tools: rawTools}, text))
		for _, size := range []int{1, 5} {
			if got := joined(scan(dialect.Options{Tools: rawTools}, every(size, text)...)); !slices.Equal(got, want) {
				t.Fatalf("%q in pieces of %d: %q, want %q", text, size, got, want)
			}
		}
	})
}
