package repair_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"github.com/google/go-cmp/cmp"
)

var mended = []struct {
	name, text, want string
	rules            string // in the order of their places
}{
	{"trailing comma", `{"a":[1,2,],}`, `{"a":[1,2]}`, "trailing_comma trailing_comma"},
	{"doubled comma", `{"a":1,,"b":2}`, `{"a":1,"b":2}`, "trailing_comma"},
	{"comma, comment, bracket", "{\"a\":1, // one\n}", `{"a":1}`, "trailing_comma comment"},
	{"comma after the value", `{"a":1},`, `{"a":1}`, "trailing_comma"},
	{"missing comma of members", `{"a":1 "b":"x" "c":2}`, `{"a":1,"b":"x","c":2}`, "missing_comma missing_comma"},
	{"missing comma before a bare key", "{a: 'x'\nb: 2}", `{"a":"x","b":2}`, "unquoted_key single_quotes missing_comma unquoted_key"},
	{"missing comma of elements", "[\"a\" \"b\"\n1 [2] {\"c\":3}]", `["a","b",1,[2],{"c":3}]`, "missing_comma missing_comma missing_comma missing_comma"},
	{"single quotes", `{'a':'b "c" d'}`, `{"a":"b \"c\" d"}`, "single_quotes single_quotes"},
	{"apostrophe in single quotes", `{'a':'it's, well, 5 o'clock','b':1}`, `{"a":"it's, well, 5 o'clock","b":1}`, "single_quotes single_quotes inner_quote single_quotes"},
	{"backquotes", "{\"a\":`b \"c\"\nd`}", `{"a":"b \"c\"\nd"}`, "single_quotes raw_control"},
	{"triple quotes", `{"a":"""b "c" d"""}`, `{"a":"b \"c\" d"}`, "python_literal"},
	{"smart quotes", `{“a”:‘b’,"c":„d“}`, `{"a":"b","c":"d"}`, "smart_quotes smart_quotes smart_quotes"},
	{"bare keys", `{a:1,$b-2.c:2,ключ:3,4:5}`, `{"a":1,"$b-2.c":2,"ключ":3,"4":5}`, "unquoted_key unquoted_key unquoted_key unquoted_key"},
	{"half quoted key", `{"a":"x",b":"y"}`, `{"a":"x","b":"y"}`, "unquoted_key"},
	{"words of Python", `{"a":None,"b":True,"c":False}`, `{"a":null,"b":true,"c":false}`, "python_literal python_literal python_literal"},
	{"words of JavaScript", `[undefined,NaN,-Infinity]`, `[null,null,null]`, "js_literal js_literal js_literal"},
	{"a plus in quotes that are not escaped", `{"a":"print("b" + "c")","d":1}`, `{"a":"print(\"b\" + \"c\")","d":1}`, "inner_quote"},
	{"words for null", `{"a":NULL,"b":nil}`, `{"a":null,"b":null}`, "python_literal python_literal"},
	{"tuples, sets and prefixes", `{'a':(1,2),'b':{3},'c':r'\d'}`, `{"a":[1,2],"b":[3],"c":"\\d"}`, "python_literal"},
	{"comments", "// head\n{/* a } */\"a\":1 // \"b\n} // tail", `{"a":1}`, "comment comment comment comment"},
	{"raw newlines and tabs", "{\"a\":\"x\n\ty\r\x00\"}", `{"a":"x\n\ty\r\u0000"}`, "raw_control"},
	{"missing closers", `{"a":[{"b":"c"`, `{"a":[{"b":"c"}]}`, "missing_closer"},
	{"missing closer behind a number and white space", "{\"a\":1\n", `{"a":1}`, "missing_closer"},
	{"missing closer before a control token", `{"a":[1<|call|>`, `{"a":[1]}`, "missing_closer special_token"},
	{"trailing comma before a closing tag", `{"a":1,</tool_call>`, `{"a":1}`, "trailing_comma missing_closer special_token"},
	{"missing closer in the middle", `{"a":[{"b":1},{"c":2],"d":3}`, `{"a":[{"b":1},{"c":2}],"d":3}`, "missing_closer"},
	{"wrong closer", `{"a":"b"]}`, `{"a":"b"}`, "extra_closer"},
	{"wrong last closer", `{"a":"b"]`, `{"a":"b"}`, "extra_closer missing_closer"},
	{"extra closers", `{"a":1}}]`, `{"a":1}`, "extra_closer extra_closer"},
	{"missing opener", `"a":1,"b":{}}`, `{"a":1,"b":{}}`, "missing_opener"},
	{"missing opener and quote", `a":1}`, `{"a":1}`, "missing_opener unquoted_key"},
	{"doubled braces", `{{"a":{"b":1}}}`, `{"a":{"b":1}}`, "extra_opener extra_opener"},
	{"inner quotes", `{"a":"say "hi" now"}`, `{"a":"say \"hi\" now"}`, "inner_quote"},
	{"inner quotes at the end", `{"a":"say "hi"","b":1}`, `{"a":"say \"hi\"","b":1}`, "inner_quote"},
	{"inner quotes at the start", `{"a":""hi" she said"}`, `{"a":"\"hi\" she said"}`, "inner_quote"},
	{"inner quotes before a comma", `{"a":"he said "yes", and left","b":1}`, `{"a":"he said \"yes\", and left","b":1}`, "inner_quote"},
	{"inner attributes", `{"a":"<a href="x" id="y">z</a>"}`, `{"a":"<a href=\"x\" id=\"y\">z</a>"}`, "inner_quote"},
	{"inner object", `{"a":"d = {"k": ["v"]}\nprint(d)"}`, `{"a":"d = {\"k\": [\"v\"]}\nprint(d)"}`, "inner_quote"},
	{"inner object at the end", `{"a":"echo {"k":"v"}"}`, `{"a":"echo {\"k\":\"v\"}"}`, "inner_quote"},
	{"inner call", `{"a":"print("x", "y")"}`, `{"a":"print(\"x\", \"y\")"}`, "inner_quote"},
	{"inner quotes in a list", `["say "a", b" now","c"]`, `["say \"a\", b\" now","c"]`, "inner_quote"},
	{"inner quotes around brackets", `{"a":{"b":"with "]" and "}" and "}}" in it"}}`, `{"a":{"b":"with \"]\" and \"}\" and \"}}\" in it"}}`, "inner_quote"},
	{"missing comma behind a bracket", `{"a":{"b":"c"}"d":["e"]"f":1}`, `{"a":{"b":"c"},"d":["e"],"f":1}`, "missing_comma missing_comma"},
	{"unknown escapes", `{"a":"\d+ \_x \'q\' \x41 C:\users \u{1F600}"}`, `{"a":"\\d+ _x 'q' A C:\\users 😀"}`, "invalid_escape"},
	{"a path that was never escaped", `{"a":"rmdir C:\data\new","b":"x\ny"}`, `{"a":"rmdir C:\\data\\new","b":"x\ny"}`, "invalid_escape"},
	{"an expression that was never escaped", `{"a":"\bword\d+\b \"q\" it's"}`, `{"a":"\\bword\\d+\\b \"q\" it's"}`, "invalid_escape"},
	{"code with an expression", `{"a":"import re\nre.match('\d+')\n"}`, `{"a":"import re\nre.match('\\d+')\n"}`, "invalid_escape"},
	{"inner quotes in a path that was never escaped", `{"a":"dir "C:\data\new" /s","b":1}`, `{"a":"dir \"C:\\data\\new\" /s","b":1}`, "inner_quote invalid_escape"},
	{"a path that was never escaped in escaped quotes", `{\"a\":\"C:\data\new\"}`, `{"a":"C:\\data\\new"}`, "double_encoded invalid_escape"},
	{"a path that was escaped once in a text encoded twice", `"{\"a\":\"C:\\data\\new\"}"`, `{"a":"C:\\data\\new"}`, "double_encoded invalid_escape"},
	{"escaped line end", "{\"a\":\"x \\\ny\"}", `{"a":"x \\\ny"}`, "invalid_escape raw_control"},
	{"escaped white space between values", `{\n  "a": "b",\n  "c": 1\n}`, `{"a":"b","c":1}`, "invalid_escape invalid_escape invalid_escape"},
	{"no UTF-8", "{\"a\":\"\xff\xc3\"}", `{"a":"��"}`, "invalid_utf8"},
	{"control tokens", `<|message|>{"a":1}</s><|endoftext|>`, `{"a":1}`, "special_token special_token special_token"},
	{"forms of numbers", `[.5,-.5,+1,1.,007,1_000,0x1F,-0b11,1.e5]`, `[0.5,-0.5,1,1.0,7,1000,31,-3,1.0e5]`, strings.Repeat("number_form ", 9)},
	{"large numbers keep their digits", `[9223372036854775807,0.10,00123456789012345678901234567890,]`, `[9223372036854775807,0.10,123456789012345678901234567890]`, "number_form trailing_comma"},
	{"entities", `{&quot;a&quot;:&quot;x &amp;lt; y&quot;}`, `{"a":"x &lt; y"}`, "html_entity"},
	{"entities of single quotes", `{&#39;a&#39;:1}`, `{"a":1}`, "html_entity single_quotes"},
	{"entities inside stay", `{"a":"&quot;",}`, `{"a":"&quot;"}`, "trailing_comma"},
	{"double encoding", `"{\"a\":\"b \\\"c\\\"\"}"`, `{"a":"b \"c\""}`, "double_encoded"},
	{"double encoding with damage", `"{\"a\":None,}"`, `{"a":null}`, "double_encoded python_literal trailing_comma"},
	{"double encoding without escapes", `"{"a":1}"`, `{"a":1}`, "double_encoded inner_quote"},
	{"escaped quotes without the outer ones", `{\"a\": \"b\\nc\"}`, `{"a":"b\nc"}`, "double_encoded"},
	{"seed before the value", `{}{"a":1}`, `{"a":1}`, "concatenated"},
	{"seeds before the value", `{} {} {"a":1}`, `{"a":1}`, "concatenated concatenated"},
	{"fence", "```json\n{\"a\":1}\n```\n", `{"a":1}`, "code_fence code_fence"},
	{"text before", "Here you are: {\"a\":1,}", `{"a":1}`, "leading_text trailing_comma"},
	{"byte order mark", "\uFEFF{\"a\":1}", `{"a":1}`, "leading_text"},
	{"text after", `{"a":1} as asked`, `{"a":1}`, "trailing_text"},
	{"value after", `{"a":1}{"b":2}`, `{"a":1}`, "trailing_value"},
	{"single word", `None`, `null`, "python_literal"},
	{"single string", `'a'`, `"a"`, "single_quotes"},
}

func TestJSONMends(t *testing.T) {
	for _, c := range mended {
		t.Run(c.name, func(t *testing.T) {
			r, err := repair.JSON(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if !jsonx.Equal(r.JSON, []byte(c.want)) || jsonx.Valid(r.JSON) != nil {
				t.Errorf("got %s, want %s", r.JSON, c.want)
			}
			var rules []string
			for _, f := range r.Fixes {
				rules = append(rules, f.Rule)
			}
			if diff := cmp.Diff(strings.Fields(c.rules), rules); diff != "" {
				t.Errorf("fixes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryRuleHasACase(t *testing.T) {
	names := map[string]bool{}
	for _, r := range repair.Rules() {
		if names[r.Name] {
			t.Errorf("%s stands twice in the table", r.Name)
		}
		names[r.Name] = true
		if r.Doc == "" || repair.RiskOf(r.Name) != r.Risk {
			t.Errorf("%s: documentation %q, risk %s", r.Name, r.Doc, repair.RiskOf(r.Name))
		}
		if !slices.ContainsFunc(mended, func(c struct{ name, text, want, rules string }) bool {
			return slices.Contains(strings.Fields(c.rules), r.Name)
		}) {
			t.Errorf("no case for %s", r.Name)
		}
	}
	if repair.RiskOf("no such rule") != repair.Heuristic {
		t.Error("an unknown rule is trusted")
	}
}

func TestFixesSayWhereAndWhat(t *testing.T) {
	r, err := repair.JSON(`{'a': .5, b: [1,]}`)
	want := []repair.Fix{
		{Rule: "single_quotes", Offset: 1, Was: "'", Now: `"`},
		{Rule: "number_form", Offset: 6, Was: ".5", Now: "0.5"},
		{Rule: "unquoted_key", Offset: 10, Was: "b", Now: `"b"`},
		{Rule: "trailing_comma", Offset: 15, Was: ",", Now: ""},
	}
	if diff := cmp.Diff(want, r.Fixes); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got, want := string(r.JSON), `{"a": 0.5, "b": [1]}`; got != want {
		t.Errorf("got %s, want %s: white space and order stay", got, want)
	}
}

func TestFixesAreBounded(t *testing.T) {
	r, err := repair.JSON("[" + strings.Repeat("+1,", 100_000) + "None]")
	if err != nil || len(r.Fixes) > 2000 {
		t.Fatal(len(r.Fixes), err)
	}
	if last := r.Fixes[len(r.Fixes)-1]; last.Rule != "python_literal" {
		t.Errorf("the last rule was not noted, but %v", last)
	}
}

func TestJSONRefuses(t *testing.T) {
	deep := strings.Repeat("[", jsonx.MaxDepth+1)
	for _, c := range []struct {
		text string
		want error
	}{
		{`{"a":"x`, repair.ErrTruncated},
		{`{"a":"x\`, repair.ErrTruncated},
		{`{"a":"x\u00`, repair.ErrTruncated},
		{`{"a":1`, repair.ErrTruncated},
		{`{"a":-`, repair.ErrTruncated},
		{`{"a":tr`, repair.ErrTruncated},
		{`{"a":Non`, repair.ErrTruncated},
		{`{"a":`, repair.ErrTruncated},
		{`{"a"`, repair.ErrTruncated},
		{`{"a":1,`, repair.ErrTruncated},
		{`{a`, repair.ErrTruncated},
		{`{`, repair.ErrTruncated},
		{`{"a":[`, repair.ErrTruncated},
		{`{'a':'it's`, repair.ErrTruncated},
		{`"{\"a\": \"x`, repair.ErrTruncated},
		{`{\"a\": \"x`, repair.ErrTruncated},
		{`{&quot;a&quot;: &quot;x`, repair.ErrTruncated},
		{"```json\n{\"a\":\"x", repair.ErrTruncated},
		{`{}{"a":"x`, repair.ErrTruncated},
		{`{'a':(1,'x`, repair.ErrTruncated},
		{`{"a": "b, "c": 1}`, repair.ErrTruncated},
		{``, repair.ErrUnreadable},
		{" \n", repair.ErrUnreadable},
		{`hello there`, repair.ErrUnreadable},
		{`{"a":}`, repair.ErrUnreadable},
		{`{"a":,"b":1}`, repair.ErrUnreadable},
		{`{"a"}`, repair.ErrUnreadable},
		{`[1,,2]`, repair.ErrUnreadable},
		{`{"a":[}`, repair.ErrUnreadable},
		{`{"a":Paris}`, repair.ErrUnreadable},
		{`{"a":15:30}`, repair.ErrUnreadable},
		{`{"a":2024-01-01}`, repair.ErrUnreadable},
		{`{"a":f(1)}`, repair.ErrUnreadable},
		{`{"a":f'{x}'}`, repair.ErrUnreadable},
		{`[{"a":1}{"b":2}]`, repair.ErrUnreadable},
		{`{"a":[1,2}],"b":3}`, repair.ErrUnreadable},
		{`{"a":1},"b":2}`, repair.ErrUnreadable},
		{`{{"a":1},"b":2}`, repair.ErrUnreadable},
		{`{"a":1<|x|>,"b":2}`, repair.ErrUnreadable},
		{`{"a":1 ... }`, repair.ErrUnreadable},
		{deep, repair.ErrDepth},
		{`{'a':` + deep, repair.ErrDepth},
	} {
		r, err := repair.JSON(c.text)
		if !errors.Is(err, c.want) || r.JSON != nil {
			t.Errorf("%.60s: got %s, %v, want %v", c.text, r.JSON, err, c.want)
		}
	}
}

func TestRestAndUnclosed(t *testing.T) {
	for _, c := range []struct {
		text, rest string
		unclosed   int
	}{
		{`{"a":1}`, "", 0},
		{`{"a":1} and more `, "and more", 0},
		{`{"a":1}</s> tail`, "tail", 0},
		{`{"a":1}{"a":2}`, `{"a":2}`, 0},
		{`{"a":{"b":["c"`, "", 3},
		{`{{"a":"b"`, "", 1},
		{`{"a":{"b":true}<|call|>`, "", 1},
	} {
		r, err := repair.JSON(c.text)
		if err != nil || r.Rest != c.rest || r.Unclosed != c.unclosed {
			t.Errorf("%s: rest %q, unclosed %d, %v", c.text, r.Rest, r.Unclosed, err)
		}
	}
}

func TestValidTextIsCopiedOnce(t *testing.T) {
	text := ` {"a" : [1, "\u00e9", 1e400, 9223372036854775808], "a": "{"} `
	var r repair.Result
	if n := testing.AllocsPerRun(20, func() { r, _ = repair.JSON(text) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
	if string(r.JSON) != text || r.Fixes != nil {
		t.Errorf("got %s, %v", r.JSON, r.Fixes)
	}
}

// An expression of strings is no value that can be mended, and no text with quotes in it.
func TestJSONRefusesExpressions(t *testing.T) {
	for _, text := range []string{
		`{"a":"b\n" + "c\n"}`, `{"a":"b"+"c","d":1}`, `{"a":"b" "c"}`, `{"d":1,"a":"=" * 80}`, `{"a":"=" * 80 + "\n","d":1}`, `{"a":{"b":"c" + "d" + "e"}}`,
	} {
		if r, err := repair.JSON(text); err != repair.ErrUnreadable {
			t.Errorf("%s: %s %v", text, r.JSON, err)
		}
	}
}
