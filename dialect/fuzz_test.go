package dialect_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
)

func seed(f *testing.F) {
	f.Helper()
	for i := range allFragments {
		f.Add(strings.Join(allFragments[i:min(i+5, len(allFragments))], ""), uint8(i))
	}
}

// No text panics or loses its text, what is given out as a call is whole, and pieces change nothing.
func FuzzScan(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		o := dialect.Options{Tools: tools, ReasoningPrimed: size%2 == 1}
		items := scan(o, text)
		if d := cmp.Diff(joined(items), joined(scan(o, every(int(size%9)+1, text)...))); d != "" {
			t.Fatal(d)
		}
		said := 0
		for _, it := range items {
			said += len(it.Text)
			if it.Kind != dialect.CallFound {
				continue
			}
			c := it.Call
			if c.Name == "" || c.Truncated || c.JSON != "" && jsonx.Valid([]byte(c.JSON)) != nil {
				t.Fatalf("given out: %+v", c)
			}
			for _, a := range c.Args {
				if a.Kind == dialect.JSON && jsonx.Valid([]byte(a.Text)) != nil {
					t.Fatalf("argument %+v", a)
				}
			}
		}
		if said > len(text) {
			t.Fatalf("%d bytes came out of %d", said, len(text))
		}
	})
}

// hangs are texts on which a reader once read nothing and went on.
var hangs = []string{
	"<|tool_call>call:note{stops:[1, 2}<tool_call|>", "note{text:[<|\"|>}<tool_call>", "<|tool_call>call:find_train{from:[[,]}<tool_call|>", "<tool_call>``````````{", "['ping(", "((((((((((ping(", "{\"name\": [", "<|tool_call>call:note{text:)}",
}

// maxTime is how long a text of at most maxFuzzed bytes may take, under a fuzzer on a busy machine.
const (
	maxTime   = 2 * time.Second
	maxFuzzed = 64 << 10
)

// Every text ends soon, costs steps in proportion to its length, and is accounted for word by word where it has no entities.
func FuzzEnds(f *testing.F) {
	seed(f)
	for _, text := range hangs {
		f.Add(text, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		if len(text) > maxFuzzed {
			return
		}
		done := make(chan struct{})
		late := time.AfterFunc(maxTime, func() {
			select {
			case <-done:
			default:
				panic("no end of " + strconv.Quote(text))
			}
		})
		defer late.Stop()
		s := dialect.NewScanner(dialect.Options{Tools: tools, ReasoningPrimed: size%2 == 1})
		var items []dialect.Item
		for _, p := range every(int(size%9)+1, text) {
			items = s.Feed(p, items)
		}
		s.Close(items)
		close(done)
		if s.Stalled() || s.Work() > mostWork*(len(text)+64) {
			t.Fatalf("%d steps for %d bytes, stalled: %t", s.Work(), len(text), s.Stalled())
		}
		repair.JSON(text)
		repair.PythonArgs(text)
	})
}

// Without declared tools nothing is called; text without marks comes out as it is.
func FuzzNoTools(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string, _ uint8) {
		for _, it := range scan(dialect.Options{}, text) {
			if it.Kind == dialect.CallFound {
				t.Fatalf("called %+v", it.Call)
			}
		}
		if strings.ContainsAny(text, "<[{(`~&") {
			return
		}
		if got := joined(scan(dialect.Options{Tools: tools}, text)); text != "" && (len(got) != 1 || got[0] != "text: "+text) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// What is quoted, or was said before, is silent.
func FuzzQuoted(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, text string, _ uint8) {
		if strings.Contains(text, "~~~") {
			return
		}
		quoted := "For example:\n\n~~~\n" + text + "\n~~~\n"
		if !strings.ContainsAny(text, "`\n") {
			quoted += "\nor `" + text + "` on one line"
		}
		for _, it := range scan(dialect.Options{Tools: tools}, quoted) {
			if it.Kind == dialect.CallFound {
				t.Fatalf("%q called %+v", quoted, it.Call)
			}
		}
	})
}
