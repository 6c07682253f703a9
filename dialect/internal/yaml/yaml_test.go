package yaml_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	goyaml "github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect/internal/yaml"
	"github.com/callwright/callwright/internal/jsonx"
)

// A mapping is read with the text of each value and the way it was written.
func TestRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"title: Hi\n", `title plain "Hi"`},
		{"\n  title: Hi\n  level: 3\n", `title plain "Hi"; level plain "3"`},
		{"title: Hi\r\nbody: |\r\n  a\r\n  b\r\n", `title plain "Hi"; body quoted "a\nb\n"`},
		{"a: \"10\"\nb: 'it''s'\n", `a quoted "10"; b quoted "it's"`},
		{"a: \"x\\u00e9\\n\\ud83d\\ude00\\d\"\n", `a quoted "xé\n😀\\d"`},
		{"a: |-\n  x\n\n  y\nb: |+\n  z\n\nc: 1\n", `a quoted "x\n\ny"; b quoted "z\n\n"; c plain "1"`},
		{"a: |2\n    x\n  y\n", `a quoted "  x\ny\n"`},
		{"a: >\n  one\n  two\n\n  three\n    deep\n  four\n", `a quoted "one two\nthree\n  deep\nfour\n"`},
		{"a: |\n write <b/> here\n </note>\n", `a quoted "write <b/> here\n</note>\n"`},
		{"a: one\n  two\n\n  three\nb: 2\n", `a plain "one two\nthree"; b plain "2"`},
		{"a: \"one\n  two\"\n", `a quoted "one two"`},
		{"a:\n  - x\n  - 'y z'\n  - 3\n", `a node ["x","y z",3]`},
		{"a:\n- x\n-   k: 1\n    l: two\n- - 1\n  - 2\nb: x\n", `a node ["x",{"k":1,"l":"two"},[1,2]]; b plain "x"`},
		{"a:\n  k: v # comment\n  l:\n    m: true\n  n: ~\n", `a node {"k":"v","l":{"m":true},"n":null}`},
		{"a: [x, \"y, z\", 3, {k: v}]\nb: {c: 1, \"d\": [true, null]}\n", `a node ["x","y, z",3,{"k":"v"}]; b node {"c":1,"d":[true,null]}`},
		{"a: [\n  1,\n  2,\n]\nb: 3\n", `a node [1,2]; b plain "3"`},
		{"a:\nb: \n", `a plain ""; b plain ""`},
		{"# comment\na: x # more\nb: x#y\nurl: http://x/#y\n", `a plain "x"; b plain "x#y"; url plain "http://x/#y"`},
		{"a: Re: lunch\nb: \"Hi\" she said\nc: *bold*\nd: [draft] x\n", `a plain "Re: lunch"; b plain "\"Hi\" she said"; c plain "*bold*"; d plain "[draft] x"`},
		{"a: 007\nb: 1e400\n", `a plain "007"; b plain "1e400"`},
		{"---\na: x\n", `a plain "x"`},
		{"a: x\na: y\n", ""},
		{"a: &anchor\nb: *anchor\n", ""},
		{"a: !!str 10\n", ""},
		{"just text\n", ""},
		{"a: x\nand then a sentence.\n", ""},
		{"a: x\n   b: y\n c: z\n", ""},
		{"- a\n- b\n", ""},
		{"", ""},
	} {
		members, _, ok := yaml.Read(c.text, false)
		if got := say(members); ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%q\n got %s (%t)\nwant %s", c.text, got, ok, c.want)
		}
	}
}

func say(members []yaml.Member) string {
	var parts []string
	for _, m := range members {
		switch m.Kind {
		case yaml.Node:
			parts = append(parts, m.Key+" node "+m.Text)
		default:
			parts = append(parts, fmt.Sprintf("%s %s %q", m.Key, [...]string{"plain", "quoted"}[m.Kind], m.Text))
		}
	}
	return strings.Join(parts, "; ")
}

// A text that does not end with a finished line was cut.
func TestCut(t *testing.T) {
	for text, want := range map[string]yaml.End{"a: x\n": yaml.Whole, "a: x": yaml.Cut, "a: |\n  x\n": yaml.Whole, "a: |\n  x": yaml.Cut} {
		if _, end, ok := yaml.Read(text, true); end != want || !ok {
			t.Errorf("%q: %v %t", text, end, ok)
		}
	}
}

// What is read is what a full reader of YAML reads: over keys, values and layouts.
func TestAgainstLibrary(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4000 {
		text := mapping(rng, 0, 3)
		var want map[string]any
		if goyaml.Unmarshal([]byte(text), &want) != nil {
			continue
		}
		members, _, ok := yaml.Read(text, false)
		if !ok {
			t.Fatalf("not read:\n%s", text)
		}
		for _, m := range members {
			if d := cmp.Diff(fmt.Sprint(want[m.Key]), fmt.Sprint(value(t, m))); d != "" {
				t.Fatalf("%s of\n%s\nlibrary (-) here (+):\n%s", m.Key, text, d)
			}
		}
	}
}

func value(t *testing.T, m yaml.Member) any {
	t.Helper()
	text := m.Text
	switch m.Kind {
	case yaml.Quoted:
		return text
	case yaml.Plain:
		text = "[" + text + "]"
		var v []any
		if goyaml.Unmarshal([]byte(text), &v) != nil || len(v) != 1 {
			return m.Text
		}
		return v[0]
	}
	if err := jsonx.Valid([]byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var v any
	if err := goyaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }

// mapping is a mapping at a depth, with at most so many further levels.
func mapping(rng *rand.Rand, indent, levels int) string {
	var b strings.Builder
	for i := range 1 + rng.IntN(3) {
		b.WriteString(strings.Repeat(" ", indent) + fmt.Sprintf("key%d:", i) + node(rng, indent, levels))
	}
	return b.String()
}

// node is a value after a key, with its line end.
func node(rng *rand.Rand, indent, levels int) string {
	deep := indent + 1 + rng.IntN(3)
	pad := strings.Repeat(" ", deep)
	switch n := rng.IntN(9); {
	case n == 0 && levels > 0:
		return "\n" + mapping(rng, deep, levels-1)
	case n == 1 && levels > 0:
		var b strings.Builder
		for range 1 + rng.IntN(3) {
			b.WriteString("\n" + pad + "-" + pick(rng, " one", " 'two'", " 3", " a b", " \"c\"", " true"))
		}
		return b.String() + "\n"
	case n == 2:
		return pick(rng, " |", " |-", " |+", " >", " >-") + "\n" + pad + "one\n" + pick(rng, "", "\n", pad+" deeper\n", pad+"two <b/>\n") + pad + "three: # no\n" + pick(rng, "", "\n")
	case n == 3:
		return " " + pick(rng, "[a, b]", "[1, 'x, y']", "{a: 1, b: [c]}", "[]", "{}") + "\n"
	case n == 4:
		return " first\n" + pad + "second\n"
	}
	return " " + pick(rng, "text", "two words", "'quoted'", "\"a\\tb \\u00e9\"", "12", "-1.5", "true", "it's", "http://x/y", "x # comment", "a, b") + "\n"
}

// Nothing panics, and what is read is valid.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"a: x\n", "a: |\n  b\n", "a:\n  - b: [c, {d: 'e'}]\n", "a: \"\\u00e9\n  b\"\n", "a: >+2\n   b\n\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		members, _, ok := yaml.Read(text, true)
		for _, m := range members {
			if ok && m.Kind == yaml.Node {
				if err := jsonx.Valid([]byte(m.Text)); err != nil {
					t.Errorf("%q: %s: %v", text, m.Text, err)
				}
			}
		}
	})
}
