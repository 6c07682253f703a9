package dialect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
)

// routeTool takes texts alone, so that nothing but the marks tells where a value ends.
var routeTool = []dialect.Tool{{Name: "route", Params: []dialect.Param{
	{Name: "city", Types: []string{"string"}, Required: true}, {Name: "goal", Types: []string{"string"}, Required: true}, {Name: "via", Types: []string{"string"}},
}}}

var route = map[string]string{"city": "Oslo", "goal": "Rome"}

// closerAt is where the mark that closes a value stands in a rendered call, and the mark; empty where the format has none.
func closerAt(call, value string) (int, string) {
	at := strings.Index(call, value)
	if at < 0 {
		return 0, ""
	}
	at += len(value)
	rest := strings.TrimLeft(call[at:], "\n")
	at = len(call) - len(rest)
	end := strings.IndexByte(rest, '>')
	if !strings.HasPrefix(rest, "<") || end < 0 || !strings.ContainsAny(rest[:end+1], "/") && !strings.Contains(rest, "<|") {
		return 0, ""
	}
	return at, rest[:end+1]
}

// plainClosers can be meant to close the argument and nothing else.
var plainClosers = []string{"</city>", "</goal>", "</route>", "</parameter>", "</invoke>", "</arg_value>", "</>", "</city", "</city>>", "</ city>"}

// otherClosers may be a part of the value.
var otherClosers = []string{
	"</string>", "</param>", "</parameters>", "</paramete>", "</parameter", "<\\/parameter>", "</PARAMETER>", "</parameter]>", "<parameter>", "<parameter/>", "</", ">", "", "</function>", "</tool_call>",
	"</function_calls>", "</arg_key>", "</argument>", "</" + "antml:parameter>", "</antml>", "</parameter_city>", "</parameter=city>", "</parameter name=\"city\">", "</div>", "<city>",
	"[/parameter]", "<|end|>", "</parameter>\n</city>", "</city>\n</parameter>", "</city>\n<parameter name=\"more\">3</parameter>", "</div>\n<via>Bonn</via>",
}

// A value that is closed by a wrong tag ends before it, or its call is refused: the tag is never a part of the value.
func TestWrongClosers(t *testing.T) {
	for _, f := range dialect.Formats() {
		call := f.RenderCalls([]dialect.RenderedCall{{Name: "route", Arguments: []byte(`{"city":"Oslo","goal":"Rome"}`)}})
		for _, value := range route {
			at, closer := closerAt(call, value)
			for i, wrong := range append(plainClosers, otherClosers...) {
				if closer == "" {
					continue // it has no tags
				}
				for _, after := range []string{"", "\nThat is all."} {
					text := call[:at] + wrong + call[at+len(closer):] + after
					found := routed(t, f.Name, text)
					if i < len(plainClosers) && !found && after == "" && strings.HasPrefix(closer, "</") {
						t.Errorf("%s: no call in %q", f.Name, text)
					}
				}
			}
		}
	}
}

// routed reports whether the call is found in a text, and holds its arguments against those that were meant.
func routed(t *testing.T, format, text string) (found bool) {
	t.Helper()
	o := dialect.Options{Tools: routeTool}
	items := scan(o, text)
	if d := cmp.Diff(joined(items), joined(scan(o, every(1, text)...))); d != "" {
		t.Errorf("%s: %q in pieces: want (-) got (+):\n%s", format, text, d)
	}
	for _, it := range items {
		if it.Kind != dialect.CallFound {
			continue
		}
		found = true
		for _, a := range it.Call.Args {
			if strings.TrimSpace(a.Text) != route[a.Key] {
				t.Errorf("%s: %q: %s is %q", format, text, a.Key, a.Text)
			}
		}
	}
	return found
}

// The same in elements that are named after the arguments.
func TestWrongClosersOfElements(t *testing.T) {
	const m = "]<]minimax[>["
	for text, want := range map[string]bool{
		"<route><city>Oslo</city><goal>Rome</goal></route>":                        true,
		"<route><city>Oslo</town><goal>Rome</goal></route>":                        false,
		"<route>\n<goal>Rome</goal>\n<city>Oslo</city>\n</route>":                  true,
		"<route>\n<goal>Rome</goal>\n<city>Oslo</via>\n</route>":                   true,
		"<route>\n<goal>Rome</goal>\n<city>Oslo</town>\n<via>Bonn</via>\n</route>": false,
		"<route>\n<goal>Rome</goal>\n<city>Oslo\n<via>Bonn</via>\n</route>":        false,
		m + "<tool_call>" + m + `<invoke name="route">` + m + "<goal>Rome" + m + "</goal>" + m + "<city>Oslo" + m + "</city>" + m + "</invoke>" + m + "</tool_call>": true,
		m + "<tool_call>" + m + `<invoke name="route">` + m + "<goal>Rome" + m + "</goal>" + m + "<city>Oslo</city>" + m + "</invoke>" + m + "</tool_call>":          false,
		m + "<tool_call>" + m + `<invoke name="route">` + m + "<city>Oslo" + m + "</town>" + m + "<goal>Rome" + m + "</goal>" + m + "</invoke>" + m + "</tool_call>": false,
	} {
		if got := routed(t, "elements", text); got != want {
			t.Errorf("%q: found %t, want %t", text, got, want)
		}
	}
}
