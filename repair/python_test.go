package repair_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pythonCases are those of TestPython.
var pythonCases = []struct{ text, want, rules string }{
	{`None`, `null`, ""},
	{`True`, `true`, ""},
	{`false`, `false`, ""},
	{`undefined`, `null`, "js_literal"},
	{`float`, ``, ""},
	{`-1_000`, `-1000`, ""},
	{`0x1F`, `31`, ""},
	{`0o17`, `15`, ""},
	{`0b101`, `5`, ""},
	{`007`, `7`, "number_form"},
	{`.5`, `0.5`, ""},
	{`1.`, `1.0`, ""},
	{`+2.50e-3`, `2.50e-3`, ""},
	{`9223372036854775807123`, `9223372036854775807123`, ""},
	{`'a"b'`, `"a\"b"`, ""},
	{`"it's"`, `"it's"`, ""},
	{`'it\'s'`, `"it's"`, ""},
	{`'it's here'`, `"it's here"`, "inner_quote"},
	{`"""a "b"` + "\n" + `c"""`, `"a \"b\"\nc"`, ""},
	{`'''it's'''`, `"it's"`, ""},
	{`'a' + "b"+'c' 'd'`, `"abcd"`, ""},
	{`['a' + 'b', "c"+"d"]`, `["ab","cd"]`, ""},
	{`['a' + b]`, ``, ""},
	{`r'\d\'x'`, `"\\d\\'x"`, ""},
	{`b'abc'`, `"abc"`, ""},
	{`u"é"`, `"é"`, ""},
	{`f'plain {{x}}'`, `"plain {x}}"`, ""},
	{`f'{x}'`, ``, ""},
	{`'a' "b" r'\c'`, `"ab\\c"`, ""},
	{"('a'\n 'b')", `"ab"`, ""},
	{`'\x41\u00e9\U0001F600\101\0\a\v\q\ud83d\ude00'`, `"Aé😀A\u0000\u0007\u000b\\q😀"`, ""},
	{"'a\\\nb'", `"ab"`, ""},
	{"'a\nb'", `"a\nb"`, "raw_control"},
	{`(1, 'a')`, `[1,"a"]`, ""},
	{`(1,)`, `[1]`, ""},
	{`((1))`, `1`, ""},
	{`()`, `[]`, ""},
	{`{1, 2}`, `[1,2]`, ""},
	{`{}`, `{}`, ""},
	{`[1, [2, (3, {4})],]`, `[1,[2,[3,[4]]]]`, ""},
	{`{'a': {"b": None}, 1: [True], None: 2.5, c: '',}`, `{"a":{"b":null},"1":[true],"None":2.5,"c":""}`, ""},
	{"{ # one\n 'a': 1, // two\n}", `{"a":1}`, ""},
	{`{'sed': 'sed -n '1,2p' f', 'n': 1}`, `{"sed":"sed -n '1,2p' f","n":1}`, "inner_quote"},
	{`[1, 2`, ``, ""},
	{`f(1)`, ``, ""},
	{`1 + 2`, `1`, ""},
	{`{'a': 1, 2}`, ``, ""},
	{`{1, 'a': 2}`, ``, ""},
	{`{[1]: 2}`, ``, ""},
}

func TestPython(t *testing.T) {
	for _, c := range pythonCases {
		r, err := repair.Python(c.text)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s: got %s, want an error", c.text, r.JSON)
			}
			continue
		}
		if err != nil || jsonx.Valid(r.JSON) != nil || !jsonx.Equal(r.JSON, []byte(c.want)) {
			t.Errorf("%s: got %s, %v, want %s", c.text, r.JSON, err, c.want)
		}
		var rules []string
		for _, f := range r.Fixes {
			rules = append(rules, f.Rule)
		}
		if got := strings.Join(rules, " "); got != c.rules {
			t.Errorf("%s: fixes %q, want %q", c.text, got, c.rules)
		}
	}
	if r, err := repair.Python(`1 + 2`); err != nil || r.Rest != "+ 2" {
		t.Errorf("rest %q, %v", r.Rest, err)
	}
}

func TestPythonArgs(t *testing.T) {
	lit := func(key, json, text string) repair.Arg { return repair.Arg{Key: key, JSON: []byte(json), Text: text} }
	for _, c := range []struct {
		text string
		n    int
		want []repair.Arg
	}{
		{`()`, 2, nil},
		{`( )rest`, 3, nil},
		{`(1, 'b', c=None)`, 16, []repair.Arg{lit("", "1", "1"), lit("", `"b"`, "'b'"), lit("c", "null", "None")}},
		{`(a = [1, 2], b: {"c": 3},) more)`, 26, []repair.Arg{lit("a", "[1, 2]", "[1, 2]"), lit("b", `{"c": 3}`, `{"c": 3}`)}},
		{`("a"=1, 'b-c': 2)`, 17, []repair.Arg{lit("a", "1", "1"), lit("b-c", "2", "2")}},
		{`(**{'a': 1, 'b': 'x'}, c=2)`, 27, []repair.Arg{lit("a", "1", "1"), lit("b", `"x"`, `"x"`), lit("c", "2", "2")}},
		{`(city=New York, n=3)`, 20, []repair.Arg{{Key: "city", Text: "New York"}, lit("n", "3", "3")}},
		{`(x=1 + 2)`, 9, []repair.Arg{{Key: "x", Text: "1 + 2"}}},
		{`(from='a', class=True)`, 22, []repair.Arg{lit("from", `"a"`, "'a'"), lit("class", "true", "True")}},
		{`(s='a, b) c', t=")")`, 20, []repair.Arg{lit("s", `"a, b) c"`, "'a, b) c'"), lit("t", `")"`, `")"`)}},
		{`(s='x']`, 6, []repair.Arg{lit("s", `"x"`, "'x'")}},
		{`(s='x'<|end|>`, 6, []repair.Arg{lit("s", `"x"`, "'x'")}},
	} {
		args, n, err := repair.PythonArgs(c.text)
		if diff := cmp.Diff(c.want, args); diff != "" || n != c.n || err != nil {
			t.Errorf("%s: read %d of %d, %v\n%s", c.text, n, c.n, err, diff)
		}
	}
}

func TestPythonArgsMends(t *testing.T) {
	args, n, err := repair.PythonArgs(`(code="print("a", 'b')", cmd='sed -n '1,2p' f', n=007)`)
	if err != nil || n != 54 || len(args) != 3 {
		t.Fatal(args, n, err)
	}
	want := []string{`"print(\"a\", 'b')"`, `"sed -n '1,2p' f"`, "7"}
	for i, a := range args {
		if string(a.JSON) != want[i] || len(a.Fixes) != 1 {
			t.Errorf("%s: got %s, want %s, fixes %v", a.Key, a.JSON, want[i], a.Fixes)
		}
	}
}

func TestPythonArgsRefuses(t *testing.T) {
	for text, want := range map[string]error{
		`(a=f(1))`:      repair.ErrUnreadable,
		`(a=g(b='c'))`:  repair.ErrUnreadable,
		`(a='x' + y)`:   repair.ErrUnreadable,
		`(a=)`:          repair.ErrUnreadable,
		`(*a)`:          repair.ErrUnreadable,
		`(**a)`:         repair.ErrUnreadable,
		`a=1)`:          repair.ErrUnreadable,
		``:              repair.ErrUnreadable,
		`(a='x'`:        repair.ErrTruncated,
		`(a='x`:         repair.ErrTruncated,
		`(a=[1, 2`:      repair.ErrTruncated,
		`(a=1, `:        repair.ErrTruncated,
		`(a=1, b=`:      repair.ErrTruncated,
		`(city=New Yor`: repair.ErrTruncated,
		`(`:             repair.ErrTruncated,
	} {
		args, n, err := repair.PythonArgs(text)
		if !errors.Is(err, want) || err != nil && n != -1 {
			t.Errorf("%s: got %v, %d, %v, want %v", text, args, n, err, want)
		}
	}
}

// pythonText writes a value as Python would.
func pythonText(n node) string {
	var b strings.Builder
	switch n.kind {
	case jsonx.Null:
		return "None"
	case jsonx.Bool:
		return strings.ToUpper(n.text[:1]) + n.text[1:]
	case jsonx.Number:
		return n.text
	case jsonx.Text:
		s := strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`).Replace(n.text)
		return "'" + s + "'"
	case jsonx.Array:
		for _, m := range n.members {
			b.WriteString(pythonText(m) + ", ")
		}
		return "(" + b.String() + ")"
	}
	for i, m := range n.members {
		b.WriteString(pythonText(node{kind: jsonx.Text, text: n.keys[i]}) + ": " + pythonText(m) + ", ")
	}
	return "{" + b.String() + "}"
}

func TestPythonReadsWhatPythonWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawObject(t)
		text, want := pythonText(n), write(n, style{})
		r, err := repair.Python(text)
		if err != nil || len(r.Fixes) != 0 || !jsonx.Equal(r.JSON, []byte(want)) {
			t.Fatalf("%s\ngives  %s\nwanted %s\n%v %v", text, r.JSON, want, err, r.Fixes)
		}
		call := "(" + text + ", "
		for i, m := range n.members {
			call += "k" + strconv.Itoa(i) + "=" + pythonText(m) + ", "
		}
		call += ")"
		args, read, err := repair.PythonArgs(call + " + more('x')")
		if err != nil || read != len(call) || len(args) != len(n.members)+1 {
			t.Fatalf("%s\n%d arguments, %d bytes, %v", call, len(args), read, err)
		}
		for i, m := range n.members {
			if a := args[i+1]; a.Key != "k"+strconv.Itoa(i) || !jsonx.Equal(a.JSON, []byte(write(m, style{}))) {
				t.Fatalf("%s\n%s is %s", call, a.Key, a.JSON)
			}
		}
		if end, done := ends(call, 3); !done || end != len(call) {
			t.Fatalf("%s\nends at %d of %d", call, end, len(call))
		}
	})
}
