package callrule_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/callrule"
)

func one(t *testing.T, r callrule.Rule) *callrule.Set {
	t.Helper()
	if r.Name == "" {
		r.Name = "rule"
	}
	if r.Tools == nil {
		r.Tools = []string{"*"}
	}
	if r.Action == "" {
		r.Action = callcheck.Refuse
	}
	if r.OnError == "" {
		r.OnError = callcheck.Refuse
	}
	s, err := callrule.New([]callrule.Rule{r})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func call(name, arguments string) *callwright.Call {
	return &callwright.Call{Name: name, Arguments: json.RawMessage(arguments)}
}

// TestExpressions evaluates expressions over arguments: what a rule with each says of the call.
func TestExpressions(t *testing.T) {
	const fits, not, fails = "refuse", "", "fails"
	for _, c := range []struct{ when, arguments, want string }{
		{`!args.command.startsWith("git ")`, `{"command":"rm -r /"}`, fits},
		{`!args.command.startsWith("git ")`, `{"command":"git status"}`, not},
		{`args.amount > 1000.0`, `{"amount":1000.5}`, fits},
		{`args.amount > 1000.0`, `{"amount":1001}`, fits},
		{`args.amount > 1000.0`, `{"amount":999}`, not},
		{`args.amount > 1000`, `{"amount":1e3}`, not},
		{`args.amount > 1000`, `{"amount":1.0001e3}`, fits},
		{`args.n == 9223372036854775807`, `{"n":9223372036854775807}`, fits},
		{`args.n == 9223372036854775807`, `{"n":9223372036854775806}`, not},
		{`args.n == 18446744073709551615u`, `{"n":18446744073709551615}`, fits},
		{`args.n == "18446744073709551616"`, `{"n":18446744073709551616}`, fits},
		{`args.n > 5`, `{"n":18446744073709551616}`, fails},
		{`args.n == 0.1`, `{"n":0.1}`, fits},
		{`args.n == "0.10000000000000000001"`, `{"n":0.10000000000000000001}`, fits},
		{`args.n > 0.0`, `{"n":0.10000000000000000001}`, fails},
		{`args.n == "1e400"`, `{"n":1e400}`, fits},
		{`args.n == "1e-400"`, `{"n":1e-400}`, fits},
		{`args.n == 0`, `{"n":-0}`, fits},
		{`args.list.exists(p, p.endsWith(".pem"))`, `{"list":["a.txt","b.pem"]}`, fits},
		{`args.list.all(p, p.startsWith("/tmp/"))`, `{"list":["/tmp/a","/etc/b"]}`, not},
		{`size(args.list) > 2`, `{"list":[1,2,3]}`, fits},
		{`args.a.b["c d"] == null`, `{"a":{"b":{"c d":null}}}`, fits},
		{`has(args.path) && args.path.matches("^/etc(/|$)")`, `{"path":"/etc/passwd"}`, fits},
		{`has(args.path) && args.path == "x"`, `{}`, not},
		{`args.path == "x"`, `{}`, fails},
		{`args.path.startsWith("x")`, `{"path":5}`, fails},
		{`args.flag`, `{"flag":true}`, fits},
		{`args.flag`, `{"flag":"yes"}`, fails},
		{`args.path.lowerAscii().replace("\\", "/").split("/").exists(p, p == "..")`, `{"path":"A\\..\\b"}`, fits},
		{`args.path == "\u00e9"`, `{"path":"\u00e9"}`, fits},
		{`tool == "bash" && key == "ci" && group == "bots" && model == "lab/m" && client == "openai" && session == "s1"`, `{}`, fits},
		{`args.path == "x"`, `{"path":"y","path":"x"}`, fails},
		{`args.a.b == 1`, `{"a":{"b":2,"b":1}}`, fails},
		{`true`, `[1]`, fails},
		{`args.n / 0 == 1`, `{"n":1}`, fails},
		{`args.l.all(a, args.l.all(b, args.l.all(c, a + b + c >= 0)))`, `{"l":[` + strings.TrimSuffix(strings.Repeat("1,", 500), ",") + `]}`, fails},
	} {
		check := one(t, callrule.Rule{When: c.when}).For(callcheck.Caller{Key: "ci", Group: "bots", Client: "openai", Model: "lab/m", Session: func() string { return "s1" }})
		f := check.Find(call("bash", c.arguments))
		got := string(f.Action)
		if f.Failed {
			got = fails
		}
		if got != c.want {
			t.Errorf("%s over %.60s: got %+v, want %q", c.when, c.arguments, f, c.want)
		}
	}
}

// What cannot be evaluated is allowed where the rule says so, and the finding tells why.
func TestOnError(t *testing.T) {
	for action, want := range map[callcheck.Action]bool{callcheck.Refuse: true, callcheck.Allow: false} {
		f := one(t, callrule.Rule{When: `args.path == "x"`, OnError: action}).For(callcheck.Caller{}).Find(&callwright.Call{Name: "f", Arguments: json.RawMessage(`{}`)})
		if f.Blocks() != want || !f.Failed || !strings.Contains(f.Message, "no such key: path") {
			t.Errorf("%s: got %+v", action, f)
		}
	}
}

// TestTextFunctions holds the functions over texts that are bounded here against the definition of the extension for strings, in characters.
func TestTextFunctions(t *testing.T) {
	for _, when := range []string{
		`"hello mellow".indexOf("") == 0`, `"hello mellow".indexOf("ello") == 1`, `"hello mellow".indexOf("jello") == -1`, `"hello mellow".indexOf("", 2) == 2`,
		`"hello mellow".indexOf("ello", 2) == 7`, `"hello mellow".indexOf("ello", 20) == -1`, `"abc".indexOf("", 9) == 3`, `"éäü€ä".indexOf("ä") == 1`, `"éäü€ä".indexOf("ä", 2) == 4`,
		`"ab".indexOf("abc") == -1`, `"".indexOf("a") == -1`, `"".indexOf("") == 0`,
		`"hello mellow".lastIndexOf("") == 12`, `"hello mellow".lastIndexOf("ello") == 7`, `"hello mellow".lastIndexOf("jello") == -1`, `"hello mellow".lastIndexOf("ello", 6) == 1`,
		`"hello mellow".lastIndexOf("ello", 7) == 7`, `"hello mellow".lastIndexOf("ello", 20) == -1`, `"aaaa".lastIndexOf("aa") == 2`, `"aaaa".lastIndexOf("aa", 3) == 2`, `"aaaa".lastIndexOf("aa", 1) == 1`,
		`"éäü€ä".lastIndexOf("ä") == 4`, `"éäü€ä".lastIndexOf("ä", 3) == 1`, `"".lastIndexOf("a") == -1`, `"".lastIndexOf("") == 0`, `"abc".lastIndexOf("", 1) == 1`, `"a".lastIndexOf("bc") == -1`,
		`"hello hello".replace("he", "we") == "wello wello"`, `"hello hello".replace("he", "we", -1) == "wello wello"`, `"hello hello".replace("he", "we", 1) == "wello hello"`,
		`"hello hello".replace("he", "we", 0) == "hello hello"`, `"hé".replace("", "_") == "_h_é_"`, `"hello hello".replace("h", "") == "ello ello"`, `"aa".replace("a", "aaa", 9) == "aaaaaa"`,
	} {
		if f := one(t, callrule.Rule{When: when}).For(callcheck.Caller{}).Find(call("f", `{}`)); f.Rule == "" || f.Failed {
			t.Errorf("%s: got %+v", when, f)
		}
	}
	for _, when := range []string{`"a".indexOf("a", -1) == 0`, `"a".lastIndexOf("a", -1) == 0`} {
		if f := one(t, callrule.Rule{When: when}).For(callcheck.Caller{}).Find(call("f", `{}`)); !f.Failed || !strings.Contains(f.Message, "index out of range: -1") {
			t.Errorf("%s: got %+v", when, f)
		}
	}
}

// TestTextBounds has texts for which the extension for strings would take a terabyte, or hours: a model decides what arguments are.
func TestTextBounds(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	arguments := `{"s":"` + long + `","tail":"` + long[:1<<19] + `b","head":"b` + long[:1<<19] + `"}`
	for when, want := range map[string]string{
		`args.s.replace("a", args.s) == ""`:               "memory limit exceeded",
		`args.s.replace("", args.s) == ""`:                "memory limit exceeded",
		`args.s.replace("a", args.s, 1000000) == ""`:      "memory limit exceeded",
		`args.s.indexOf(args.tail) == -1`:                 "cost limit exceeded",
		`args.s.indexOf(args.tail, 5) == -1`:              "cost limit exceeded",
		`args.s.lastIndexOf(args.head) == -1`:             "cost limit exceeded",
		`args.s.lastIndexOf(args.head, 1000000) == -1`:    "cost limit exceeded",
		`args.s.replace("b", args.s) == args.s`:           "cost limit exceeded",
		`args.s.replace("a", args.s, 1).size() > 2000000`: "cost limit exceeded",
	} {
		f := one(t, callrule.Rule{When: when}).For(callcheck.Caller{}).Find(call("f", arguments))
		if !f.Blocks() || !f.Failed || !strings.Contains(f.Message, want) {
			t.Errorf("%s: got %+v", when, f)
		}
	}
}

// TestOrder has several rules say something of a call: what refuses comes first, and what nobody could evaluate last.
func TestOrder(t *testing.T) {
	park := callrule.Rule{Name: "park", Tools: []string{"pay"}, Action: callcheck.Park, OnError: callcheck.Refuse}
	refuse := callrule.Rule{Name: "refuse", Tools: []string{"p*"}, When: `args.to == "them"`, Action: callcheck.Refuse, OnError: callcheck.Refuse}
	unsure := callrule.Rule{Name: "unsure", Tools: []string{"*"}, When: `args.none`, Action: callcheck.Refuse, OnError: callcheck.Allow}
	for _, c := range []struct {
		rules     []callrule.Rule
		arguments string
		want      string
	}{
		{[]callrule.Rule{park, refuse}, `{"to":"them"}`, "refuse"},
		{[]callrule.Rule{park, refuse}, `{"to":"us"}`, "park"},
		{[]callrule.Rule{unsure, park}, `{"to":"us"}`, "park"},
		{[]callrule.Rule{park, unsure}, `{"to":"us"}`, "park"},
		{[]callrule.Rule{unsure}, `{"to":"us"}`, "unsure"},
		{[]callrule.Rule{refuse}, `{"to":"us"}`, ""},
	} {
		s, err := callrule.New(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		if f := s.For(callcheck.Caller{}).Find(call("pay", c.arguments)); f.Rule != c.want {
			t.Errorf("%v over %s: got %+v", c.rules, c.arguments, f)
		}
	}
}

// TestCovers says which rules are about a tool and a caller.
func TestCovers(t *testing.T) {
	for name, c := range map[string]struct {
		rule         callrule.Rule
		caller       callcheck.Caller
		tool         string
		covers, bars bool
	}{
		"every call":             {callrule.Rule{Tools: []string{"delete_*"}}, callcheck.Caller{}, "delete_file", true, true},
		"some calls":             {callrule.Rule{Tools: []string{"delete_*"}, When: "args.all"}, callcheck.Caller{}, "delete_file", true, false},
		"another tool":           {callrule.Rule{Tools: []string{"delete_*"}}, callcheck.Caller{}, "undelete_file", false, false},
		"one of two patterns":    {callrule.Rule{Tools: []string{"a", "fs/*"}}, callcheck.Caller{}, "fs/read", true, true},
		"the key":                {callrule.Rule{Keys: []string{"ci", "bot-*"}}, callcheck.Caller{Key: "bot-7"}, "f", true, true},
		"another key":            {callrule.Rule{Keys: []string{"ci"}}, callcheck.Caller{Key: "cid"}, "f", false, false},
		"the group":              {callrule.Rule{Groups: []string{"in*"}}, callcheck.Caller{Key: "x", Group: "interns"}, "f", true, true},
		"another group":          {callrule.Rule{Groups: []string{"interns"}}, callcheck.Caller{Key: "x", Group: "staff"}, "f", false, false},
		"no group":               {callrule.Rule{Groups: []string{"*"}}, callcheck.Caller{Key: "x"}, "f", false, false},
		"key or group, key":      {callrule.Rule{Keys: []string{"ci"}, Groups: []string{"interns"}}, callcheck.Caller{Key: "ci"}, "f", true, true},
		"key or group, group":    {callrule.Rule{Keys: []string{"ci"}, Groups: []string{"interns"}}, callcheck.Caller{Key: "x", Group: "interns"}, "f", true, true},
		"key or group, none":     {callrule.Rule{Keys: []string{"ci"}, Groups: []string{"interns"}}, callcheck.Caller{Key: "x"}, "f", false, false},
		"no key":                 {callrule.Rule{Keys: []string{"ci"}}, callcheck.Caller{}, "f", false, false},
		"parked":                 {callrule.Rule{Action: callcheck.Park}, callcheck.Caller{}, "f", true, true},
		"parked, and who asks":   {callrule.Rule{Action: callcheck.Park}, callcheck.Caller{Asks: true}, "f", false, false},
		"refused, and who asks":  {callrule.Rule{}, callcheck.Caller{Asks: true}, "f", true, true},
		"parked by expression":   {callrule.Rule{Action: callcheck.Park, When: "true"}, callcheck.Caller{}, "f", true, false},
		"the name in other case": {callrule.Rule{Tools: []string{"Bash"}}, callcheck.Caller{}, "bash", false, false},
	} {
		check := one(t, c.rule).For(c.caller)
		if check == nil {
			if c.covers || len(c.rule.Keys)+len(c.rule.Groups) == 0 {
				t.Errorf("%s: no check", name)
			}
			continue
		}
		if check.Covers(c.tool) != c.covers || check.Bars(c.tool) != c.bars {
			t.Errorf("%s: covers %t, bars %t", name, check.Covers(c.tool), check.Bars(c.tool))
		}
	}
	if s, err := callrule.New(nil); s != nil || err != nil || s.For(callcheck.Caller{}) != nil {
		t.Errorf("no rules are %v, %v", s, err)
	}
}

// The text of a tool that takes free text is its argument input.
func TestFreeText(t *testing.T) {
	c := &callwright.Call{Name: "patch", Type: callwright.CustomTool, Input: "*** Delete File: a.go"}
	if f := one(t, callrule.Rule{When: `args.input.contains("Delete File")`}).For(callcheck.Caller{}).Find(c); !f.Blocks() {
		t.Errorf("got %+v", f)
	}
}

// TestProblems says what is wrong with expressions, where, and what to do.
func TestProblems(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
		want         string
	}{
		{`args.path == `, 1, 14, "Syntax error"},
		{`argz.path == "x"`, 1, 1, "undeclared reference to 'argz' (did you mean 'args'?): the variables are tool, args, key, group, model, client and session"},
		{`tool == 5`, 1, 6, "convert a value"},
		{"tool == \"a\" ||\n  tool.startsWith(5)", 2, 18, "no matching overload"},
		{`args.path`, 0, 0, ""},
		{`tool`, 1, 1, `expected true or false, got string: compare it`},
		{`tool.matches("[")`, 1, 14, "expected a regular expression in RE2 syntax"},
		{`exec("rm")`, 1, 5, "undeclared reference to 'exec'"},
		{strings.Repeat("(", 300) + "true" + strings.Repeat(")", 300), 1, 0, ""},
		{`tool == "` + strings.Repeat("x", 5000) + `"`, 1, 1, "at most 4096 characters"},
		{"[1].all(a, [1].all(b, [1].all(c, [1].all(d, true))))", 1, 0, "comprehension"},
	} {
		p := callrule.Check(c.text)
		switch {
		case p == nil:
			if c.line != 0 {
				t.Errorf("%.60s: nothing is wrong", c.text)
			}
		case c.line == 0 || p.Line != c.line || c.column != 0 && p.Column != c.column || !strings.Contains(p.Message, c.want) || strings.Contains(p.Message, "\n"):
			t.Errorf("%.60s: got %d:%d %q", c.text, p.Line, p.Column, p.Message)
		}
	}
}

// FuzzExpression compiles any text and evaluates what compiles over any arguments: it never panics, and each evaluation is bounded.
func FuzzExpression(f *testing.F) {
	for _, seed := range [][2]string{
		{`!args.command.startsWith("git ")`, `{"command":"rm"}`}, {`args.amount > 1000.0`, `{"amount":1e999}`}, {`args.l.all(x, args.l.exists(y, x == y))`, `{"l":[1,2,3]}`},
		{`"a".matches(args.p)`, `{"p":"(a*)*"}`}, {`args.s.split("").map(c, c + args.s).join(args.s).size() > 3`, `{"s":"aaaaaaaaaaaaaaaaaaaa"}`}, {`[[[[[`, `{}`},
		{`"%d".format([args.n]) == "1"`, `{"n":1}`}, {`timestamp(args.t) < timestamp("2020-01-01T00:00:00Z")`, `{"t":"x"}`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, arguments string) {
		p := callrule.Check(text)
		s, err := callrule.New([]callrule.Rule{{Name: "rule", Tools: []string{"*"}, When: text, Action: callcheck.Refuse, OnError: callcheck.Refuse}})
		if (p == nil) != (err == nil) && text != "" {
			t.Fatalf("problem %v, error %v", p, err)
		}
		if err != nil {
			return
		}
		if found := s.For(callcheck.Caller{}).Find(call("f", arguments)); found.Rule != "" && !found.Blocks() {
			t.Fatalf("got %+v", found)
		}
	})
}
