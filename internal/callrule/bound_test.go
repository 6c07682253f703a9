package callrule_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/callrule"
)

// TestMatchBounds: matches and split answer up to their bounds, and fail beyond them before they run.
func TestMatchBounds(t *testing.T) {
	many := make([]string, 200)
	for i := range many {
		many[i] = fmt.Sprintf("%d(abcdefgh){90}", i)
	}
	for _, c := range []struct {
		when string
		size int
		want string // a part of the message of the failure, "" for an answer
	}{
		{`args.s.matches("a+b")`, 1 << 20, ""},
		{`args.s.matches("a+b")`, 8 << 20, "cost limit exceeded: matches looks at texts of at most"},
		{`matches(args.s, "(a|b|c)*d")`, 8 << 20, "cost limit exceeded"},
		{`args.s.matches(args.pattern)`, 1000, ""},
		{`args.s.matches(args.pattern)`, 8 << 20, "cost limit exceeded: matches looks at texts of at most"},
		{`args.s.matches(args.large)`, 10, "expected a regular expression of at most 1000 instructions"},
		{`args.s.matches(args.s)`, 8 << 20, "exceeded"},
		{`args.s.matches(args.s)`, 5000, "expected a regular expression of at most 4096 bytes"},
		{`args.many.exists(x, args.s.matches(x))`, 10, "cost limit exceeded: the regular expressions of one evaluation have more than 50000 instructions"},
		{`args.many.exists(x, args.s.matches(args.many[0])) || true`, 10, ""},
		{`args.s.matches(args.wrong)`, 10, "missing closing"},
		{`args.s.split("").size() == 1`, 1 << 12, ""},
		{`args.s.split("").size() == 1`, 8 << 20, "memory limit exceeded: split would make"},
		{`args.s.split("a").size() == 1`, 8 << 20, "memory limit exceeded: split would make"},
		{`args.s.split("a", 3).size() == 1`, 8 << 20, ""},
		{`args.s.split("a", 3000000).size() == 1`, 8 << 20, "memory limit exceeded: split would make"},
		{`args.s.split("b").size() == 2`, 8 << 20, ""},
	} {
		arguments, err := json.Marshal(map[string]any{"s": strings.Repeat("a", c.size), "pattern": "a+b", "large": "(abcdefgh){200}", "wrong": "(", "many": many})
		if err != nil {
			t.Fatal(err)
		}
		f := one(t, callrule.Rule{When: c.when}).For(callcheck.Caller{}).Find(call("f", string(arguments)))
		if f.Failed != (c.want != "") || !strings.Contains(f.Message, c.want) {
			t.Errorf("%s over %d bytes: got %+v", c.when, c.size, f)
		}
	}
}

// TestSplit holds split against the definition of the extension for strings.
func TestSplit(t *testing.T) {
	for _, when := range []string{
		`"a b c".split(" ") == ["a", "b", "c"]`, `"a b c".split(" ", 0) == []`, `"a b c".split(" ", 1) == ["a b c"]`, `"a b c".split(" ", 2) == ["a", "b c"]`,
		`"a b c".split(" ", -1) == ["a", "b", "c"]`, `"éb".split("") == ["é", "b"]`, `"".split("") == []`, `"".split(",") == [""]`,
	} {
		if f := one(t, callrule.Rule{When: when}).For(callcheck.Caller{}).Find(call("f", `{}`)); f.Rule == "" || f.Failed {
			t.Errorf("%s: got %+v", when, f)
		}
	}
}

// The memory that an evaluation takes: a multiple of the arguments, which are read into values, beside what expressions may make of them.
const (
	mostPerByte = 48
	mostBeside  = 160 << 20
)

// TestAnyEvaluation: whatever an expression does with arguments of up to 8 MB, it ends, and all that it allocates is bounded.
func TestAnyEvaluation(t *testing.T) {
	texts := []string{
		`args.s.%s`, `args.l.exists(x, x.%s)`, `args.s.split(",").exists(x, x.%s)`, `args.l.all(x, args.l.all(y, (x + y).%s))`, `(args.s + args.s).%s`, `args.s.replace("a", "bb").%s`,
		`args.s.lowerAscii().%s`, `args.s.reverse().%s`, `args.l.exists(x, args.s.matches(x)) || args.s.%s`,
		`args.l.exists(x, args.l.exists(y, args.s.matches(x + y))) || args.s.%s`,
	}
	ends := []string{
		`matches("(a|b)*c")`, `matches("^a.*z$")`, `matches(args.p)`, `split("").size() > 3`, `split(",").size() > 3`, `contains(args.p)`, `indexOf(args.p) > 3`, `lastIndexOf(args.p) > 3`,
		`replace("a", args.p).size() > 3`, `substring(1).size() > 3`, `upperAscii() == ""`, `trim() == ""`, `size() > 3`, `startsWith(args.p)`,
	}
	rapid.Check(t, func(rt *rapid.T) {
		when := fmt.Sprintf(rapid.SampledFrom(texts).Draw(rt, "text"), rapid.SampledFrom(ends).Draw(rt, "end"))
		unit := rapid.SampledFrom([]string{"a", "ab", "a,", "\u00e9", ",", "abcdefgh"}).Draw(rt, "unit")
		size := rapid.SampledFrom([]int{10, 1000, 100_000, 1 << 20, 4 << 20}).Draw(rt, "size")
		list := make([]string, rapid.SampledFrom([]int{0, 3, 2000, 100_000}).Draw(rt, "members"))
		differ := rapid.SampledFrom([]string{"", "%d", "%d(a|bc){900}", "%d((ab?){30}){30}"}).Draw(rt, "differ")
		for i := range list {
			if list[i] = unit; differ != "" {
				list[i] += fmt.Sprintf(differ, i)
			}
		}
		arguments, err := json.Marshal(map[string]any{"s": strings.Repeat(unit, size/len(unit)), "l": list, "p": strings.Repeat(unit, rapid.IntRange(0, 400).Draw(rt, "pattern"))})
		if err != nil {
			rt.Fatal(err)
		}
		check := one(t, callrule.Rule{When: when}).For(callcheck.Caller{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		check.Find(call("f", string(arguments)))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > mostPerByte*uint64(len(arguments))+mostBeside {
			rt.Errorf("%s over %d bytes allocated %d", when, len(arguments), took)
		}
	})
}
