package hash_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/hash"
	"github.com/callwright/callwright/internal/jsonx"
)

// A call is read whole, with strings that hold quotes, lines and braces, and values that are JSON.
func TestRead(t *testing.T) {
	for _, c := range []struct{ text, name, args string }{
		{"{tool => \"f\", args => {\n  --a \"x\"\n  --b 3\n}}", "f", `{"a":"x","b":3}`},
		{"{tool => \"f\", args => {}}", "f", `{}`},
		{"{tool => \"f\", args => { --a \"say \"hi\" {now}\" }}", "f", `{"a":"say \"hi\" {now}"}`},
		{"{tool => \"f\", args => {\n --a \"two\nlines\\n\"\n --l [1, 2]\n}}", "f", `{"a":"two\nlines\\n","l":[1, 2]}`},
		{"{tool => \"f\", args => {\n --a \"x\"\n", "", ""},
		{"{tool => \"f\", args => {\n --a \"x", "", ""},
		{"{tool => \"f\"}", "", ""},
		{"{\"tool\": \"f\"}", "", ""},
	} {
		name, args, ok := hash.Read(c.text)
		if ok != (c.name != "") || ok && (name != c.name || string(args) != c.args) {
			t.Errorf("%s\ngives %s %s (%t)", c.text, name, args, ok)
		}
	}
}

// Nothing panics, and arguments are JSON.
func FuzzRead(f *testing.F) {
	f.Add("{tool => \"f\", args => {\n  --a \"x\"\n  --b 3\n}}")
	f.Fuzz(func(t *testing.T, text string) {
		if _, args, ok := hash.Read(text); ok && jsonx.Valid(args) != nil {
			t.Errorf("%q: %s", text, args)
		}
	})
}
