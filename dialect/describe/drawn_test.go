package describe_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/dialect/describe"
	"github.com/callwright/callwright/dialect/internal/dialecttest"
	"github.com/callwright/callwright/internal/longtest"
)

// word draws a word that is none of the words of known formats.
var word = rapid.Custom(func(t *rapid.T) string {
	return "z" + rapid.StringOfN(rapid.RuneFrom([]rune("abdegklmqrstuvwxz")), 2, 6, -1).Draw(t, "word")
})

// mark draws a pair of marks.
var mark = rapid.Custom(func(t *rapid.T) [2]string {
	w := word.Draw(t, "name")
	return rapid.SampledFrom([][2]string{
		{"<" + w + ">", "</" + w + ">"}, {"<|" + w + "|>", "<|/" + w + "|>"}, {"<|" + w + "|>", "<|end_" + w + "|>"}, {"[" + strings.ToUpper(w) + "]", "[/" + strings.ToUpper(w) + "]"},
		{"[[" + w + "]]", "[[/" + w + "]]"}, {"<|" + w + "|>", ""}, {"[" + w + "]", ""}, {"<" + w + ">\n", "\n</" + w + ">"}, {"<｜" + w + "｜>", "<｜/" + w + "｜>"},
	}).Draw(t, "mark")
})

// drawn draws an example of a call of some family, with marks of its own.
var drawn = rapid.Custom(func(t *rapid.T) describe.Description {
	m := mark.Draw(t, "mark")
	a, b, c := word.Draw(t, "a"), word.Draw(t, "b")+"y", word.Draw(t, "c")+"j"
	nl := rapid.SampledFrom([]string{"", "\n", "\n  "}).Draw(t, "gap")
	keys := [2]string{"name", "arguments"}
	if rapid.Bool().Draw(t, "keys") {
		keys = [2]string{b, c}
	}
	object := fmt.Sprintf(`{"%s": "look_up", "%s": {"word": "x", "most": 3}}`, keys[0], keys[1])
	const args = `{"word": "x", "most": 3}`
	param := func(open, shut string) string {
		out := ""
		for _, p := range [][2]string{{"word", "x"}, {"most", "3"}} {
			out += nl + fmt.Sprintf(open, p[0]) + p[1] + strings.ReplaceAll(shut, "%s", p[0])
		}
		return out + strings.TrimRight(nl, " ")
	}
	line := strings.ToUpper(a)
	return rapid.SampledFrom([]describe.Description{
		{Format: describe.JSON, Example: m[0] + object + m[1]},
		{Format: describe.JSON, Example: object},
		{Format: describe.JSON, Example: m[0] + "[" + object + "]" + m[1]},
		{Format: describe.JSON, Example: m[0] + "look_up\n" + args + m[1]},
		{Format: describe.JSON, Example: "[[" + a + " look_up]]" + args + "[[/" + a + "]]"},
		{Format: describe.JSON, Example: "<|" + a + "|>look_up<|" + b + "|>" + args + "<|" + c + "|>"},
		{Format: describe.JSON, Example: "<" + a + ` tool="look_up">` + nl + args + nl + "</" + a + ">"},
		{Format: describe.XML, Example: "<" + a + ` name="look_up">` + param("<"+b+` name="%s">`, "</"+b+">") + "</" + a + ">"},
		{Format: describe.XML, Example: "<" + a + "=look_up>" + param("<"+b+"=%s>", "</"+b+">") + "</" + a + ">"},
		{Format: describe.XML, Example: "<" + c + ">\n<" + a + ` name="look_up">` + param("<"+b+` key="%s">`, "</"+b+">") + "</" + a + ">\n</" + c + ">"},
		{Format: describe.XML, Example: "<look_up>" + param("<%s>", "</%s>") + "</look_up>"},
		{Format: describe.XML, Example: "<" + a + ">\n<name>look_up</name>" + param("<%s>", "</%s>") + "</" + a + ">"},
		{Format: describe.XML, Parser: describe.Pairs, Example: "<" + a + ">look_up\n" + param("<"+b+">%s</"+b+"><"+c+">", "</"+c+">") + "</" + a + ">"},
		{Format: describe.Custom, Example: line + ": look_up\n" + strings.ToUpper(b) + ": " + args},
		{Format: describe.Custom, Example: line + " look_up " + args},
		{Format: describe.Custom, Example: "@" + line + " look_up " + args},
		{Format: describe.Custom, Example: m[0] + `look_up(word="x", most=3)` + m[1]},
		{Format: describe.Custom, Example: m[0] + "[" + `look_up(word="x", most=3)` + "]" + m[1]},
	}).Draw(t, "description")
})

// Whatever the marks are, a format of a family that can be described is read from its example, and obeys the laws.
func TestDrawn(t *testing.T) {
	n := 150
	if !longtest.IsEnabled() {
		n = 30
	}
	for i := range n {
		d := drawn.Example(i)
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f, err := d.Compile()
			if err != nil {
				t.Fatalf("%s\n%v", d.Example, err)
			}
			if f.Tool != "look_up" || compact(f.Arguments) != `{"word":"x","most":3}` {
				t.Fatalf("%s\n%s %s", d.Example, f.Tool, f.Arguments)
			}
			dialecttest.Walk(t, f.Format, f.Marks, f.ExampleTool())
			if t.Failed() {
				t.Log(d.Example)
			}
		})
	}
}

func compact(b []byte) string { return strings.ReplaceAll(string(b), " ", "") }

// Examples of any text give a format that holds, or an error, and no panic.
func TestAnyExample(t *testing.T) {
	parts := []string{"<", ">", "</", "/>", "=", "\"", "'", "{", "}", "[", "]", "(", ")", ":", ",", "\n", " ", "|", "<|", "|>", "｜", "name", "look_up", "arguments", `{"q": "x"}`, `"name": "f"`,
		"<a>", "</a>", "<b>", "</b>", "[[A", "]]", "[/A]", "x", "1", "```json\n", "```", "null", "\\", "%s", "${A}", "é"}
	rapid.Check(t, func(t *rapid.T) {
		d := describe.Description{Example: strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 16).Draw(t, "parts"), "")}
		f, err := d.Compile()
		if err != nil {
			return
		}
		got := dialect.ScanAll(dialect.Options{Tools: []dialect.Tool{f.ExampleTool()}, Marks: f.Marks, Hint: f.Name}, f.Example)
		n := 0
		for _, it := range got {
			if it.Kind == dialect.CallFound && it.Call.Name == f.Tool {
				n++
			}
		}
		if n != 1 {
			t.Fatalf("%q was taken, and is read as %+v", d.Example, got)
		}
	})
}

// What is repeated without an end costs no more than time in proportion: work that grew with the square would take minutes.
func TestLinear(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("it looks at the clock, if far from its bound")
	}
	const length, bound = 256 << 10, 20 * time.Second
	for _, c := range examples {
		f, err := (&describe.Description{Example: c.example}).Compile()
		if err != nil {
			t.Fatal(err)
		}
		half, began := c.example[:len(c.example)/2], time.Now()
		for _, unit := range []string{half, c.example, c.example[:4], "RUN: search\n", half + "\n"} {
			s := dialect.NewScanner(dialect.Options{Tools: []dialect.Tool{f.ExampleTool()}, Marks: f.Marks})
			text := strings.Repeat(unit, length/len(unit))
			var items []dialect.Item
			for i := 0; i < len(text); i += 64 {
				items = s.Feed(text[i:min(len(text), i+64)], items[:0])
			}
			s.Close(items[:0])
		}
		if took := time.Since(began); took > bound {
			t.Errorf("%s: %s", c.about, took)
		}
	}
}
