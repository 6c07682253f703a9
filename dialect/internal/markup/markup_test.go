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
