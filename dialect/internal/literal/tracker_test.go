package literal_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect/internal/literal"
)

// A value is followed to its end, in one run and byte by byte, whatever its strings hold; it is open until then.
func TestTracker(t *testing.T) {
	values := []string{
		`{"a": "x"}`, `{"a": "] } )", 'b': ['it''s', "say "hi" now"]}`, `[f(a="x", b='y'), g()]`, `("\"", '\'')`, `{"a": 1, /* } */ "b": 2}`, "{\"a\": 1, // }\n\"b\": 2}",
		`{"a": true "b": "}"}`, `{r"x": f'}'}`, "{tool => \"f\", args => {\n  --a \"}\"\n  --b \"it's\"\n}}",
	}
	for c := 'a'; c <= 'z'; c++ {
		for _, word := range []string{"}", "x", "true", "7"} {
			values = append(values, "{tool => \"get_"+string(c)+"\", args => {\n  --key_"+string(c)+" \""+word+string(c)+"\"\n  --b \"}\"\n}}")
		}
	}
	for _, v := range values {
		var whole, steps literal.Tracker
		if end, why := whole.Run(v+" }]) more", 0, ""); end != len(v) || why != literal.Closed {
			t.Errorf("%s ends at %d of %d (%d)", v, end, len(v), why)
		}
		for i := range len(v) {
			if closed := steps.Step(v[i]); closed != (i == len(v)-1) {
				t.Errorf("%s: closed %t behind %q", v, closed, v[:i+1])
				break
			}
			if i < len(v)-1 && len(steps.Open) == 0 {
				t.Errorf("%s: nothing is open behind %q", v, v[:i+1])
			}
		}
	}
}

// A byte of marks stops a run, in strings too, and a string is told from what stands around it.
func TestTrackerStops(t *testing.T) {
	const v = `{"a": "b<c", d: <e>}`
	var k literal.Tracker
	var inString []bool
	for i := 0; ; i++ {
		end, why := k.Run(v, i, "<")
		if why != literal.AtMark {
			if why != literal.Closed || end != len(v) {
				t.Errorf("ends at %d (%d)", end, why)
			}
			break
		}
		inString = append(inString, k.InString())
		k.Step(v[end])
		i = end
	}
	if len(inString) != 2 || !inString[0] || inString[1] {
		t.Errorf("marks in strings: %v", inString)
	}
}

// Literals that are no JSON are read as their parameters' types say, and give the same JSON with any delimiter.
func TestRead(t *testing.T) {
	types := func(name string) ([]string, bool) {
		typ, ok := map[string]string{"city": "string", "days": "integer", "stops": "array"}[name]
		return []string{typ}, ok
	}
	for _, d := range append(literal.Delimiters[:len(literal.Delimiters):len(literal.Delimiters)], `"`) {
		text := "{city:" + d + "Bonn, \"West\" {x}" + d + ",days:3,stops:[" + d + "Köln" + d + "," + d + "Ulm" + d + "]}"
		if d == `"` {
			text = strings.ReplaceAll(text, `, "West" {x}`, "")
		}
		got, _, ok := literal.Read(text, types)
		want := `{"city":"Bonn, \"West\" {x}","days":3,"stops":["Köln","Ulm"]}`
		if d == `"` {
			want = strings.ReplaceAll(want, `, \"West\" {x}`, "")
		}
		if !ok || got != want {
			t.Errorf("%s gives %s (%t), want %s", text, got, ok, want)
		}
	}
}

// Nothing panics or hangs, and what is read is JSON.
func FuzzRead(f *testing.F) {
	f.Add(`{city:<|"|>Bonn<|"|>,stops:[1, 2}`)
	f.Fuzz(func(t *testing.T, text string) {
		var k literal.Tracker
		if end, _ := k.Run(text, 0, ""); end > len(text) {
			t.Fatalf("%q ends at %d", text, end)
		}
		literal.Read(text, nil)
	})
}
