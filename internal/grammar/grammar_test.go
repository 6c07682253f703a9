package grammar_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/grammar"
)

// edits is a grammar of file edits in the manner of a patch tool.
const edits = `// a comment
start: open edit+ close
open: "*** Begin Patch" LF
close: "*** End Patch" LF?
edit: create | remove | change
create: "*** Add File: " path LF added+
remove: "*** Delete File: " path LF
change: "*** Update File: " path LF moved? (context | line)+ last?
moved: "*** Move to: " path LF
path: /(.+)/
added: "+" /(.*)/ LF -> line
context: ("@@" | "@@ " /(.+)/) LF
line: ("+" | "-" | " ") /(.*)/ LF
last: "*** End of File" LF
%import common.LF
`

const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-old\n+new\n*** End Patch"

var checks = []struct {
	name, kind, grammar string
	good, bad           []string
}{
	{"edits", "lark", edits,
		[]string{patch, patch + "\n", "*** Begin Patch\n*** Add File: a\n+x\n+\n*** Delete File: b\n*** End Patch"},
		[]string{"", "*** Begin Patch ***\n*** End Patch", patch + "\n\n", "x" + patch, strings.TrimSuffix(patch, "*** End Patch"), `{"input":"x"}`}},
	{"greedy terminals leave room", "lark", "start: a b+ c\na: \"<\" LF\nb: /.+/s\nc: \">\" LF?\n%import common.LF", []string{"<\nx>", "<\nx\ny>\n"}, []string{"<\n>", "<x>"}},
	{"operators", "lark", "start: \"a\"? \"b\"* \"c\"+ [\"d\" \"e\"] (\"f\"|\"g\")~2 \"h\"~1..3", []string{"cfgh", "abbccdeffhhh"}, []string{"fgh", "cfh", "cdfgh", "cfghhhh"}},
	{"alternatives on lines", "lark", "start: one\n  | two -> other\n\none: \"1\"\n?two.2: \"2\"\n", []string{"1", "2"}, []string{"12"}},
	{"brackets over lines", "lark", "start: (\n  \"1\"\n  | \"2\"\n)+\n", []string{"1221"}, []string{"3"}},
	{"an empty alternative", "lark", "start: \"a\" rest\nrest: | \"b\"", []string{"a", "ab"}, []string{"b"}},
	{"case", "lark", `start: "abc"i /x[yz]/i`, []string{"ABCxY", "abcXz"}, []string{"abx"}},
	{"ranges", "lark", `start: ("a".."f" | "\u00e0".."\u00ff")+`, []string{"abé"}, []string{"g"}},
	{"escapes", "lark", `start: "\t\"\\\x41\n" /\/\u0042\d/`, []string{"\t\"\\A\n/B7", "\t\"\\A\n/B٣"}, []string{"\t\"\\A\n/Bx"}},
	{"ignored text stands between terminals", "lark", "start: NAME \"=\" INT\nNAME: LETTER (LETTER | DIGIT)*\n%import common (LETTER, DIGIT, INT, WS)\n%ignore WS\n%ignore /;[^\\n]*/",
		[]string{"a1=2", " a1 = 2\n", "a = 2 ; note"}, []string{"a 1 = 2", "a=2x"}},
	{"repetition at the end", "lark", "start: list\nlist: ITEM | ITEM \",\" list\nITEM: /[a-z]+/", []string{"a", "a,b,c"}, []string{"a,", ",a"}},
	{"repetition at the beginning", "lark", "start: sum\nsum: INT | sum (\"+\"|\"-\") INT\n%import common.INT", []string{"1", "1+2-3"}, []string{"1+", "+1"}},
	{"a terminal under another name", "lark", "start: N\n%import common.SIGNED_NUMBER -> N", []string{"-1.5e3", "7"}, []string{"1.5.2"}},
	{"a string with escapes", "lark", "start: ESCAPED_STRING\n%import common.ESCAPED_STRING", []string{`"a\"b"`}, []string{`"a`, `"a\"`}},
	{"a pattern", "regex", `^[\w-]+\s(?P<n>\d{2})(?P<m>x)?$`, []string{"é-1 42", "a\u00a042x"}, []string{"a 4", "a 42 ", "\na 42"}},
	{"a pattern matches all of the text", "regex", `a|ab`, []string{"a", "ab"}, []string{"abc", "ba"}},
	{"any text", "regex", `[\s\S]+`, []string{"a\nb", "é"}, []string{""}},
}

func TestCheck(t *testing.T) {
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			g, err := grammar.Compile(c.kind, c.grammar)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range c.good {
				if err := g.Check(text, &grammar.Budget{Steps: grammar.DefaultSteps}); err != nil {
					t.Errorf("%q: %v", text, err)
				}
			}
			for _, text := range c.bad {
				if err := g.Check(text, &grammar.Budget{Steps: grammar.DefaultSteps}); err == nil {
					t.Errorf("%q satisfies the grammar", text)
				}
			}
		})
	}
}

func TestUnsupported(t *testing.T) {
	for _, c := range []struct{ name, kind, grammar string }{
		{"another syntax", "gbnf", `root ::= "a"`},
		{"lookahead", "regex", `(?!a)b`},
		{"a back-reference", "regex", `(a)\1`},
		{"a word boundary", "regex", `\ba`},
		{"a bracket that closes nothing", "regex", `a)|(b`},
		{"classes of classes", "regex", `[a-z&&[^b]]`},
		{"recursion in the middle", "lark", "start: \"(\" start \")\" | \"x\""},
		{"recursion of two", "lark", "start: a\na: \"x\" b | \"y\"\nb: \"z\" a"},
		{"a template", "lark", "start: pair{\"a\"}\npair{x}: x x"},
		{"an unknown rule", "lark", "start: a"},
		{"no start", "lark", "a: \"a\""},
		{"an attribute", "lark", "start: a\na[stop=\"x\"]: /.*/"},
		{"a declaration", "lark", "start: A\n%declare A"},
		{"a special token", "lark", "start: <|end|>"},
		{"an import of a file", "lark", "start: A\n%import .other.A"},
		{"a flag", "lark", "start: /a b/x"},
		{"a long definition", "lark", "start: \"" + strings.Repeat("a", 1<<16) + "\""},
		{"nested repetition", "lark", "start: ((\"a\"~1000)~1000)~1000"},
		{"wide ranges without case", "regex", "(?i)" + strings.Repeat("[\u0100-\U00010000]", 1000)},
		{"nested rules", "lark", "start: a1 a1\n" + doubling(1, 40)},
		{"nested brackets", "lark", "start: " + strings.Repeat("(", 5000) + `"a"` + strings.Repeat(")", 5000)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := grammar.Compile(c.kind, c.grammar)
			if _, ok := errors.AsType[*grammar.UnsupportedError](err); !ok {
				t.Errorf("error %v", err)
			}
		})
	}
}

// doubling are rules of which each uses the next one twice.
func doubling(from, to int) string {
	var b strings.Builder
	name := func(i int) string { return "a" + strings.Repeat("b", i) }
	for i := from; i < to; i++ {
		b.WriteString(name(i) + ": " + name(i+1) + " " + name(i+1) + "\n")
	}
	return strings.Replace(b.String(), name(from), "a1", 1) + name(to) + ": \"x\"\n"
}

func TestMismatch(t *testing.T) {
	for _, c := range []struct{ grammar, text, want string }{
		{edits, "*** Begin Patch ***\n", `line 1, column 16: expected "\n", found " ***"`},
		{edits, "{", `line 1, column 1: expected "*** Begin Patch\n", found "{"`},
		{edits, "*** Begin Patch\n*** Delete File: é\nx", `line 3, column 1: expected "*** Add File: " or "*** Delete File: " or "*** Update File: " or "*** End Patch", found "x"`},
		{edits, "*** Begin Patch\n", `line 2, column 1: expected "*** Add File: " or "*** Delete File: " or "*** Update File: ", found the end of the input`},
		{edits, patch + "\n\n", `line 7, column 1: expected the end of the input, found "\n"`},
		{`start: /[a-c]/ /./`, "a\n", `line 1, column 2: expected any character but a line end, found "\n"`},
		{`start: /[a-cx]/`, "d", `line 1, column 1: expected one of [a-cx], found "d"`},
	} {
		g, err := grammar.Compile("lark", c.grammar)
		if err != nil {
			t.Fatal(err)
		}
		err = g.Check(c.text, &grammar.Budget{Steps: grammar.DefaultSteps})
		if err == nil || !strings.HasSuffix(err.Error(), "at "+c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// The steps of a check are linear in the text, and a check ends with its budget.
func TestBudget(t *testing.T) {
	g, err := grammar.Compile("lark", edits)
	if err != nil {
		t.Fatal(err)
	}
	steps := func(lines int) int {
		text := "*** Begin Patch\n*** Update File: a\n" + strings.Repeat("+line\n", lines) + "*** End Patch"
		b := &grammar.Budget{Steps: grammar.DefaultSteps}
		if err := g.Check(text, b); err != nil {
			t.Fatal(err)
		}
		return grammar.DefaultSteps - b.Steps
	}
	if once, twice := steps(500), steps(1000); twice > once*22/10 {
		t.Errorf("%d steps for a text, %d for twice the text", once, twice)
	}
	if err := g.Check(patch, &grammar.Budget{Steps: 100}); !errors.Is(err, grammar.ErrBudget) {
		t.Errorf("error %v", err)
	}
}
