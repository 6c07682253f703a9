package repair_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

func TestFinder(t *testing.T) {
	for _, c := range []struct {
		text string
		end  int // -1: it does not end
	}{
		{`{"a":"}"} rest}`, 9},
		{`{"a":[1,{"b":"]\"}"}]} and {more}`, 22},
		{`[{"a":1},{"b":"x"}];`, 19},
		{`{'a':'it's }','b':1}}`, 20},
		{"{`a`:`}`, “b”: ‘}’} x", len("{`a`:`}`, “b”: ‘}’}")},
		{`{"a":"say "hi}" now"} x`, 21},
		{`{"a":"{"k":"v"}"} x`, 17},
		{`{"a":"x",b":"}"}`, 16},
		{"{/* } */\"a\":1 // }\n # }\n} x", 25},
		{`{"a":"""}"""} x`, 13},
		{`{\"a\":\"}\\\"}\"} x`, 18},
		{`{&quot;a&quot;:&quot;}&quot;} x`, 29},
		{`{"a":[1,{"b":2} x`, -1},
		{`{"a":{"b":[1,2},"c":"]"} x`, 24},
		{`{"a":1]} x`, 8},
		{`{"a":"</tool_call>"}</tool_call>`, 20},
		{`{"a":{"b":"c"}</tool_call>`, 14},
		{`{"a":1<|call|>`, 6},
		{`{"a":"x</tool_call>`, -1},
		{`[f(a='])', b="x)]"), g(c=r'\')')] x`, 33},
		{`(a='it's )', b=[")"]) x`, 21},
		{`{{"a":"}}"}} x`, 12},
	} {
		for size := 1; size <= len(c.text); size++ {
			if end, done := ends(c.text, size); done != (c.end >= 0) || done && end != c.end {
				t.Errorf("%s in pieces of %d: got %d %v, want %d", c.text, size, end, done, c.end)
				break
			}
		}
	}
}

// A value whose strings are sound ends with its last byte: nothing after it is waited for.
func TestFinderDoesNotWait(t *testing.T) {
	var f repair.Finder
	text := `{"a":["b",{"c":"d"}],"e":"f"}`
	for i := range len(text) - 1 {
		if _, done := f.Feed(text[i : i+1]); done {
			t.Fatalf("ended at %d", i)
		}
	}
	if end, done := f.Feed("}"); !done || end != len(text) {
		t.Errorf("got %d %v", end, done)
	}
	if end, done := f.Feed("}}"); !done || end != len(text) {
		t.Errorf("then %d %v", end, done)
	}
}

func TestFinderSaysWhereItStands(t *testing.T) {
	var f repair.Finder
	for _, c := range []struct {
		piece  string
		depth  int
		inside bool
	}{{`{"a": [`, 2, false}, {`"x`, 2, true}, {` y", 1, `, 2, false}, {`], "k`, 1, true}} {
		f.Feed(c.piece)
		if f.Depth() != c.depth || f.InString() != c.inside {
			t.Errorf("after %s: depth %d, in a string: %v", c.piece, f.Depth(), f.InString())
		}
	}
}

func TestValue(t *testing.T) {
	deep := strings.Repeat("[", jsonx.MaxDepth+1)
	for _, c := range []struct {
		text string
		n    int
		want error
	}{
		{` {"a":1} x`, 8, nil},
		{`[1, 'x]'] y`, 9, nil},
		{`"a\"b" c`, 6, nil},
		{`'a' c`, 3, nil},
		{`-1.5e+3, 2`, 7, nil},
		{`None, 2`, 4, nil},
		{`{"a":1`, -1, repair.ErrTruncated},
		{`"a`, -1, repair.ErrTruncated},
		{`, 1`, -1, repair.ErrUnreadable},
		{`  `, -1, repair.ErrUnreadable},
		{deep + strings.Repeat("]", len(deep)), -1, repair.ErrDepth},
	} {
		if n, err := repair.Value(c.text); n != c.n || !errors.Is(err, c.want) {
			t.Errorf("%.40s: got %d, %v, want %d, %v", c.text, n, err, c.n, c.want)
		}
	}
}
