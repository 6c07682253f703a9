package factlist_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/factlist"
)

var toolName = rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_.:@-]{0,12}`)

// A tool is found by its name and by its mark. With another schema only the name finds it.
func TestHasTool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, other := toolName.Draw(t, "name"), toolName.Draw(t, "other")
		schema, changed := []byte(rapid.String().Draw(t, "schema")), []byte(rapid.String().Draw(t, "changed"))
		mark := factlist.ToolMark(name, schema)
		if !factlist.HasTool(factlist.WithTool(other, mark), name, schema) || !factlist.HasTool("x,"+name, name, changed) {
			t.Fatalf("%q is not found", mark)
		}
		if string(schema) != string(changed) && factlist.HasTool(mark, name, changed) {
			t.Fatalf("%q is found for another schema", mark)
		}
	})
}

// The latest entry of a tool counts, alone.
func TestLevel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(toolName, 1, 8, rapid.ID).Draw(t, "names")
		want, list := map[string]string{}, ""
		for i := range rapid.IntRange(1, 20).Draw(t, "entries") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			want[name] = fmt.Sprint("level", i)
			list = factlist.WithTool(list, factlist.ToolMark(name, []byte("{}"))+"="+want[name])
		}
		for _, name := range names {
			if strings.ContainsAny(name, "@") { // a name may be written like a mark
				continue
			}
			if got := factlist.Level(list, name, []byte("{}")); got != want[name] {
				t.Fatalf("%s is %q in %q, want %q", name, got, list, want[name])
			}
		}
		if got := strings.Count(list, ","); got >= len(names) {
			t.Fatalf("%d tools have %d entries: %q", len(names), got+1, list)
		}
	})
}

// A list does not grow without end.
func TestWithToolBound(t *testing.T) {
	list := ""
	for i := range 1000 {
		list = factlist.WithTool(list, factlist.ToolMark(fmt.Sprint("t", i), nil)+"=out")
	}
	if n := strings.Count(list, ",") + 1; n != 256 || factlist.Level(list, "t999", nil) != "out" || factlist.Level(list, "t0", nil) != "" {
		t.Errorf("%d entries", n)
	}
}

// A list cannot hold every name.
func TestToolMarkOfOtherNames(t *testing.T) {
	for _, name := range []string{"", "a,b", "a=b"} {
		if mark := factlist.ToolMark(name, nil); mark != "" {
			t.Errorf("%q has the mark %q", name, mark)
		}
	}
}
