package repair_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"pgregory.net/rapid"
)

// A node is a value of a random document.
type node struct {
	kind    jsonx.Kind
	text    string // of a string or a number; the literal
	keys    []string
	members []node
}

var words = []string{
	"", "a", "city", "Zürich", "it's", `say "hi"`, "line\nbreak\ttab", `back\slash`, "{", "}]", "a, b: c", "/* no */", "// no", "# no", "日本",
	"<b>", "</b>", "&amp;", "'quoted'", "x = {\"k\": [1]}", "null", "007", `\n`, "“smart”", "`tick`", "end\\", "🙂", "a:1,", "...",
}

var names = []string{"a", "b2", "city_name", "x-y", "$ref", "with space", "ключ", "quo\"te", "true", ""}

func drawNode(t *rapid.T, depth int) node {
	kinds := []jsonx.Kind{jsonx.Null, jsonx.Bool, jsonx.Number, jsonx.Text, jsonx.Text, jsonx.Array, jsonx.Object}
	if depth == 0 {
		kinds = kinds[:5]
	}
	n := node{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	switch n.kind {
	case jsonx.Null:
		n.text = "null"
	case jsonx.Bool:
		n.text = rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool")
	case jsonx.Number:
		n.text = rapid.SampledFrom([]string{"0", "7", "-12", "0.5", "3.0", "1e5", "9223372036854775807", "0.1"}).Draw(t, "number")
	case jsonx.Text:
		n.text = strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 3).Draw(t, "words"), " ")
	default:
		fill(t, &n, depth)
	}
	return n
}

func fill(t *rapid.T, n *node, depth int) {
	for range rapid.IntRange(0, 3).Draw(t, "size") {
		n.members = append(n.members, drawNode(t, depth-1))
	}
	if n.kind == jsonx.Object {
		n.keys = rapid.SliceOfNDistinct(rapid.SampledFrom(names), len(n.members), len(n.members), rapid.ID).Draw(t, "keys")
	}
}

func drawObject(t *rapid.T) node {
	n := node{kind: jsonx.Object}
	for range rapid.IntRange(0, 2).Draw(t, "more") {
		n.keys = append(n.keys, "more"+strconv.Itoa(len(n.keys)))
		n.members = append(n.members, drawNode(t, 3))
	}
	rest := node{kind: jsonx.Object}
	fill(t, &rest, 3)
	n.keys, n.members = append(n.keys, rest.keys...), append(n.members, rest.members...)
	return n
}

// A style is the ways in which a document is written wrongly.
type style struct {
	quote    string // "" is JSON's own; else the opening quote
	bareKeys bool
	halfKeys bool // keys without their opening quote
	trailing bool // commas before closing brackets
	gaps     bool // no commas between members and elements
	comments bool
	python   bool // None, True, False
	raw      bool // control characters in strings as they are
	escapes  bool // \' and \_ in strings
	numbers  bool // +7, .5, 007
}

type writer struct {
	strings.Builder
	style
}

func (w *writer) blank() {
	if w.comments {
		w.WriteString(" /* it's a \"note\", } */ // and, more: ]\n# and \"more\n")
		return
	}
	w.WriteByte(' ')
}

func (w *writer) node(n node) {
	switch n.kind {
	case jsonx.Text:
		w.text(n.text)
	case jsonx.Object, jsonx.Array:
		w.container(n)
	case jsonx.Number:
		w.number(n.text)
	default:
		if w.python {
			n.text = map[string]string{"null": "None", "true": "True", "false": "False"}[n.text]
		}
		w.WriteString(n.text)
	}
}

func (w *writer) container(n node) {
	brackets := "[]"
	if n.kind == jsonx.Object {
		brackets = "{}"
	}
	w.WriteByte(brackets[0])
	for i, m := range n.members {
		if i > 0 {
			if w.gaps {
				w.WriteByte('\n')
			} else {
				w.WriteByte(',')
			}
			w.blank()
		}
		if n.kind == jsonx.Object {
			w.key(n.keys[i])
			w.WriteByte(':')
			w.blank()
		}
		w.node(m)
	}
	if w.trailing && len(n.members) > 0 {
		w.WriteString(",")
	}
	if w.comments {
		w.blank()
	}
	w.WriteByte(brackets[1])
}

func isName(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzключ0123456789_-$") == ""
}

func (w *writer) key(k string) {
	switch {
	case w.bareKeys && isName(k):
		w.WriteString(k)
	case w.halfKeys && isName(k):
		w.WriteString(k + `"`)
	default:
		w.text(k)
	}
}

func (w *writer) number(s string) {
	if w.numbers {
		switch s {
		case "7":
			s = "007"
		case "0.5":
			s = ".5"
		case "3.0":
			s = "3."
		case "1e5":
			s = "+1e5"
		case "9223372036854775807":
			s = "9_223_372_036_854_775_807"
		}
	}
	w.WriteString(s)
}

func (w *writer) text(s string) {
	s = string(jsonx.AppendQuote(nil, s))
	s = s[1 : len(s)-1]
	if w.raw {
		s = strings.NewReplacer(`\\`, `\\`, `\n`, "\n", `\t`, "\t").Replace(s)
	}
	open, closing := `"`, `"`
	switch w.quote {
	case "'", "`":
		open, closing = w.quote, w.quote
		s = strings.NewReplacer(`\\`, `\\`, `\"`, `"`, w.quote, `\`+w.quote).Replace(s)
	case "“":
		open, closing = "“", "”"
		s = strings.NewReplacer("“", `\u201c`, "”", `\u201d`).Replace(s)
	}
	if w.escapes && w.quote == "" {
		s = strings.NewReplacer(`'`, `\'`, `_`, `\_`).Replace(s)
	}
	w.WriteString(open + s + closing)
}

func drawStyle(t *rapid.T) style {
	var s style
	flags := []*bool{&s.bareKeys, &s.halfKeys, &s.trailing, &s.gaps, &s.comments, &s.python, &s.raw, &s.escapes, &s.numbers}
	for range rapid.IntRange(0, 3).Draw(t, "damages") {
		*flags[rapid.IntRange(0, len(flags)-1).Draw(t, "damage")] = true
	}
	s.quote = rapid.SampledFrom([]string{"", "", "", "'", "`", "“"}).Draw(t, "quote")
	return s
}

func write(n node, s style) string {
	w := writer{style: s}
	w.node(n)
	return w.String()
}

func mends(t *rapid.T, text, want string) repair.Result {
	r, err := repair.JSON(text)
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	if err := jsonx.Valid(r.JSON); err != nil {
		t.Fatalf("%s\ngives %s\n%v", text, r.JSON, err)
	}
	if !jsonx.Equal(r.JSON, []byte(want)) {
		t.Fatalf("%s\ngives  %s\nwanted %s", text, r.JSON, want)
	}
	return r
}

func TestDamageInsideIsMended(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for range 10 {
			n, s := drawObject(t), drawStyle(t)
			want, text := write(n, style{}), write(n, s)
			mends(t, text, want)
			if end, err := repair.Value(text + " and so on"); err != nil || end != len(text) {
				t.Fatalf("%s\nends at %d of %d: %v", text, end, len(text), err)
			}
			size := rapid.IntRange(1, 7).Draw(t, "size")
			if end, done := ends(text, size); !done || end != len(text) {
				t.Fatalf("%s\nin pieces of %d ends at %d of %d", text, size, end, len(text))
			}
		}
	})
}

func TestDamageAroundIsMended(t *testing.T) {
	around := map[string]func(text string) string{
		"fence":      func(s string) string { return "```json\n" + s + "\n```" },
		"token":      func(s string) string { return s + "<|im_end|>" },
		"tokens":     func(s string) string { return "<|message|>" + s + "</tool_call></s>\n" },
		"closer":     func(s string) string { return s + "}" },
		"closers":    func(s string) string { return s + "\n}]" },
		"seed":       func(s string) string { return "{}" + s },
		"doubled":    func(s string) string { return "{" + s + "}" },
		"twice":      func(s string) string { return string(jsonx.AppendQuote(nil, s)) },
		"thrice":     func(s string) string { return string(jsonx.AppendQuote(nil, jsonx.AppendQuote(nil, s))) },
		"escaped":    func(s string) string { q := jsonx.AppendQuote(nil, s); return string(q[1 : len(q)-1]) },
		"entities":   func(s string) string { return strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;").Replace(s) },
		"lead":       func(s string) string { return "Here it is: " + s },
		"comma":      func(s string) string { return s + ",\n" },
		"whitespace": func(s string) string { return "\n\t" + s + " \r\n" },
	}
	for name, wrap := range around {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			n := drawObject(t)
			n.keys, n.members = append(n.keys, "last one"), append(n.members, node{kind: jsonx.Text, text: "x"})
			want := write(n, style{})
			mends(t, wrap(want), want)
		}))
	}
}

func TestMissingClosersAreAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawObject(t)
		last := &n
		depth := rapid.IntRange(1, 5).Draw(t, "depth")
		for i := 1; i < depth; i++ {
			kind := rapid.SampledFrom([]jsonx.Kind{jsonx.Array, jsonx.Object}).Draw(t, "kind")
			last.keys, last.members = append(last.keys, "last one"), append(last.members, node{kind: kind})
			last = &last.members[len(last.members)-1]
		}
		last.keys, last.members = append(last.keys, "last one"), append(last.members, node{kind: jsonx.Text, text: "x"})
		s := drawStyle(t)
		s.trailing = false
		text := write(n, s)
		cut := rapid.IntRange(1, depth).Draw(t, "cut")
		for range cut {
			text = strings.TrimRight(text, " \n")
			text = text[:len(text)-1]
			if at := strings.LastIndex(text, " /* it's"); s.comments && strings.HasSuffix(text, "# and \"more\n") {
				text = text[:at]
			}
		}
		if r := mends(t, text, write(n, style{})); r.Unclosed != cut {
			t.Fatalf("%s\n%d brackets were added, not %d", text, r.Unclosed, cut)
		}
	})
}

func TestMissingOpenerIsAdded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawObject(t)
		n.keys, n.members = append([]string{"first"}, n.keys...), append([]node{{kind: jsonx.Number, text: "1"}}, n.members...)
		s := style{halfKeys: rapid.Bool().Draw(t, "half")}
		mends(t, write(n, s)[1:], write(n, style{}))
	})
}

func TestValidIsUntouched(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := write(drawNode(t, 3), style{})
		r, err := repair.JSON(want)
		if err != nil || len(r.Fixes) > 0 && r.Fixes[0].Rule != "double_encoded" {
			t.Fatalf("%s: %v, %v", want, r.Fixes, err)
		}
		if len(r.Fixes) == 0 && string(r.JSON) != want {
			t.Fatalf("%s became %s", want, r.JSON)
		}
	})
}

// Quotes inside a text are found wherever words surround them.
func TestInnerQuotesAreEscaped(t *testing.T) {
	plain := rapid.SampledFrom([]string{"echo", "print(1)", "a b", "x-y", "say: no", "path/to", "é"})
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for range rapid.IntRange(1, 4).Draw(t, "quotes") {
			text.WriteString(plain.Draw(t, "before") + ` "` + plain.Draw(t, "inner") + `" `)
		}
		text.WriteString(plain.Draw(t, "after"))
		inner := text.String()
		n := node{kind: jsonx.Object, keys: []string{"a", "b"}, members: []node{{kind: jsonx.Text, text: inner}, {kind: jsonx.Bool, text: "true"}}}
		mends(t, `{"a": "`+inner+`", "b": true}`, write(n, style{}))
		mends(t, `{"b": true, "a": "`+inner+`"}`, write(n, style{}))
		list := `[` + strconv.Quote(inner) + `]`
		mends(t, `["`+inner+`"]`, list)
	})
}
