package markup_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/markup"
)

// Elements are read as JSON, and as the items of a list where their names say so.
func TestParse(t *testing.T) {
	for _, c := range []struct{ text, object, items string }{
		{"<a>1</a><b>x</b>", `{"a":1,"b":"x"}`, ""},
		{"<a>1</a><a>x</a>", `{"a":[1,"x"]}`, `[1,"x"]`},
		{"<stop>x</stop>", `{"stop":"x"}`, `["x"]`},
		{"<title>x</title>", `{"title":"x"}`, ""},
		{"<item>x</item>", `["x"]`, `["x"]`},
		{`<item n="1">x</item> <item n="2">y</item>`, `["x","y"]`, `["x","y"]`},
		{"<0>250</0><1>120</1>", `{"0":250,"1":120}`, `[250,120]`},
		{"<1>a</1><2>b</2>", `{"1":"a","2":"b"}`, `["a","b"]`},
		{"<1>a</1><3>b</3>", `{"1":"a","3":"b"}`, ""},
		{"<a><b/></a>", `{"a":{"b":""}}`, ""},
		{"<a>x</a></b><c>y</c>", `{"a":"x","c":"y"}`, ""},
		{`<a href="x">y</a>`, "", ""},
		{"<a>x</a> text", "", ""},
		{"<a>x", "", ""},
		{"text", "", ""},
	} {
		root, ok := markup.Parse(c.text)
		if ok != (c.object != "") {
			t.Errorf("%s: read %t", c.text, ok)
		}
		if !ok {
			continue
		}
		if got := string(root.Append(nil)); got != c.object {
			t.Errorf("%s: %s, want %s", c.text, got, c.object)
		}
		got := ""
		if list, ok := root.Items("stops"); ok {
			got = string(markup.AppendList(nil, list))
		}
		if got != c.items {
			t.Errorf("%s: items %s, want %s", c.text, got, c.items)
		}
	}
}

// Nothing panics, and what is read is written as one JSON value.
func FuzzParse(f *testing.F) {
	f.Add("<a><b n='1'>x</b></a>")
	f.Fuzz(func(_ *testing.T, text string) {
		if root, ok := markup.Parse(text); ok {
			root.Append(nil)
		}
	})
}

// A token has one name however its bars and joints are spelled, and another where its last bar is missing.
func TestTokenName(t *testing.T) {
	for inside, want := range map[string]string{
		"|tool_calls_begin|": "tool_calls_begin", "｜tool▁calls▁begin｜": "tool_calls_begin", "‖tool_calls_begin‖": "tool_calls_begin", " | tool_calls_begin | ": "tool_calls_begin>",
		"|tool_call": "tool_call>", "tool_call|": "tool_call", "": "",
	} {
		if got := markup.TokenName(inside); got != want {
			t.Errorf("%q: %q, want %q", inside, got, want)
		}
	}
}

// White space as tokenizers spell it is read where there is no other, and never joins words.
func TestRespaced(t *testing.T) {
	for text, want := range map[string]string{
		"aĠb▁cĊd": "a b c\nd", "<x>Ġa▁b</x>": "<x> a b</x>", "<x>Ċa▁b cĠ</x>": "<x>a▁b c</x>", "plain": "plain",
	} {
		if got := markup.RestoreSpaces(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]int{"Ġa": 2, "▁": 3, "\xc4": -1, "\xe2\x96": -1, "": -1, "a": 0, "é": 0, "Ä": 0} {
		if got := markup.SpaceMark(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

// Entities are read once, and not beside raw brackets.
func TestUnescaped(t *testing.T) {
	for text, want := range map[string]string{"a &amp;lt; b": "a &lt; b", "&lt;b&gt; &quot;x&apos;&#39;": `<b> "x''`, "a < b &amp; c": "a < b &amp; c", "&copy; ?a=1&lt=2": "&copy; ?a=1&lt=2"} {
		if got := markup.UnescapeEntities(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestIsAttribute(t *testing.T) {
	for text, want := range map[string]bool{`name="x">`: true, `a-b=1`: true, `>`: true, `="x"`: true, `name x`: false, `<a>`: false, ``: false} {
		if markup.IsAttribute(text) != want {
			t.Errorf("%q: %t", text, !want)
		}
	}
}
