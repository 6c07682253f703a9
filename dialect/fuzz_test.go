package dialect_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
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
