package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

// unescaped are texts whose backslashes a model may leave as they are. Each has an escape that neither JSON nor Python knows.
var unescaped = []string{
	`rmdir /s /q C:\data\new`,
	`C:\bin\data\temp\readme.txt`,
	`copy C:\data\new.txt D:\temp`,
	`\\server\share\new\temp\data`,
	`C:\Program Files (x86)\new\data`,
	`src\data\new\temp`,
	`^\bword\d+\b$`,
	`\w+\.\d+\/\s`,
	`$\frac{\lambda}{\theta} \times \rho$`,
	`\e[1mbold\e[0m`,
}

// asUnescaped is a call of find_train in a format whose first argument is a text without escapes.
func asUnescaped(f dialect.Format, text string) string {
	call := f.RenderCalls([]dialect.RenderedCall{{Name: "find_train", Arguments: []byte(`{"from": "qqfrom", "seats": 2}`)}})
	if !strings.Contains(call, "qqfrom") {
		return ""
	}
	return strings.Replace(call, "qqfrom", text, 1)
}

// firstArgument is the text of the argument "from" of a call.
func firstArgument(c *dialect.Call) (text string, ok bool) {
	for _, a := range c.Args {
		switch {
		case a.Key != "from":
		case a.Kind == dialect.Literal:
			return a.Text, true
		default:
			return jsonx.String([]byte(a.Text))
		}
	}
	r, err := repair.JSON(c.JSON)
	if err != nil {
		return "", false
	}
	value, _ := jsonx.Find(r.JSON, "from")
	return jsonx.String(value)
}

// A text that was never escaped is an argument as it is, in every format, whole and in pieces.
func TestUnescapedTextStays(t *testing.T) {
	for _, f := range dialect.Formats() {
		found := 0
		for _, text := range unescaped {
			call := asUnescaped(f, text)
			for at := range len(call) {
				s := dialect.NewScanner(dialect.Options{Tools: tools, Hint: f.Name})
				for _, it := range s.Close(s.Feed(call[at:], s.Feed(call[:at], nil))) {
					if it.Kind != dialect.CallFound {
						continue
					}
					found++
					if got, ok := firstArgument(it.Call); !ok || got != text {
						t.Fatalf("%s, cut at %d:\n%s\ngives  %q\nwanted %q", f.Name, at, call, got, text)
					}
				}
			}
		}
		if call := asUnescaped(f, unescaped[0]); call != "" && found == 0 {
			t.Errorf("%s: no call is read: %s", f.Name, call)
		}
	}
}
