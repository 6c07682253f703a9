package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// misquoted are texts whose inner quotes a model forgets to escape, around what also stands after strings.
var misquoted = func() []string {
	var out []string
	for _, sign := range []string{"]", "}", "[", "{", ")", "(", "}}", "]}", "x", "<", ";", "yes", "a b"} {
		for _, around := range []string{"close with \"@\" here", "\"@\" first", "both \"@\" and \"@\" there", "at the end \"@\" ."} {
			out = append(out, strings.ReplaceAll(around, "@", sign))
		}
	}
	return out
}()

// A string with quotes that are not escaped is read as it was meant, or its call is not run, in every format whose strings
// stand in quotes.
func TestMisquotedStrings(t *testing.T) {
	for _, f := range dialect.Formats() {
		for _, want := range misquoted {
			args := jsonx.AppendQuote([]byte(`{"text": `), want)
			text := f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: append(args, '}')}})
			if !strings.Contains(text, `\"`) {
				continue
			}
			text = strings.ReplaceAll(text, `\"`, `"`)
			items := scan(dialect.Options{Tools: tools}, text)
			samePieces(t, text, items)
			for _, it := range items {
				if it.Kind == dialect.CallFound && textOf(it.Call) != want {
					t.Errorf("%s: %q became %q", f.Name, text, textOf(it.Call))
				}
			}
		}
	}
}

// textOf is the argument called text of a call.
func textOf(c *dialect.Call) string {
	for _, a := range c.Args {
		if a.Key == "text" && a.Kind == dialect.Literal {
			return a.Text
		} else if a.Key == "text" {
			s, _ := jsonx.String([]byte(a.Text))
			return s
		}
	}
	v, _ := jsonx.Find([]byte(c.JSON), "text")
	s, _ := jsonx.String(v)
	return s
}

// Quotes around brackets are read, not only refused.
func TestQuotedBracketsAreRead(t *testing.T) {
	for _, want := range []string{`close with "]" here`, `close with "}" here`, `"}}" first`, `open with "{" and "[" here`} {
		for _, shape := range []string{"<tool_call>\n{\"name\": \"note\", \"arguments\": {\"text\": \"@\"}}\n</tool_call>", `{"name": "note", "arguments": {"text": "@"}}`} {
			text := strings.ReplaceAll(shape, "@", want)
			if calls := callsIn(scan(dialect.Options{Tools: tools}, text)); len(calls) != 1 || textOf(calls[0]) != want {
				t.Errorf("%q: %v", text, calls)
			}
		}
	}
}

// A comma that is missing after a bracket is no quote around it.
func TestMissingCommaAfterBracket(t *testing.T) {
	text := `<tool_call>{"arguments": {"text": "x"}"name": "note"}</tool_call>`
	if calls := callsIn(scan(dialect.Options{Tools: tools}, text)); len(calls) != 1 || textOf(calls[0]) != "x" {
		t.Errorf("%q: %v", text, calls)
	}
}

func callsIn(items []dialect.Item) []*dialect.Call {
	var out []*dialect.Call
	for _, it := range items {
		if it.Kind == dialect.CallFound {
			out = append(out, it.Call)
		}
	}
	return out
}
