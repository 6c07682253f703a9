package mcptool_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/mcptool"
)

// lists are pages of hostile servers, the names of the tools that are left, and a part of each problem.
var lists = []struct {
	about    string
	pages    []string
	names    []string
	problems []string
}{
	{"schemas that are none", []string{`{"tools": [{"name": "a", "inputSchema": "object"}, {"name": "b"}, {"name": "c", "inputSchema": {"type": "array"}},
		{"name": "d", "inputSchema": [1]}, {"name": "e", "inputSchema": {}}]}`}, []string{"x:e"},
		[]string{`"a" is left out: expected a schema of an object, got "object"`, `"b" is left out: expected a schema of an object, got nothing`, `"c"`, `"d"`}},
	{"tools that are none", []string{`{"tools": [7, {"name": 7}, null, {"inputSchema": {}}, {"name": "a", "inputSchema": {}}]}`}, []string{"x:a"},
		[]string{"a tool is left out: 7", "a tool is left out: {", "without a name", "without a name"}},
	{"names", []string{`{"tools": [{"name": "a b", "inputSchema": {}}, {"name": "a_b", "inputSchema": {}}, {"name": "a\u0000b", "inputSchema": {}}, {"name": "a_b", "inputSchema": {}},
		{"name": "` + strings.Repeat("n", 200) + `", "inputSchema": {}}, {"name": "é:/", "inputSchema": {}}]}`},
		[]string{"x:a_b_c8687a08", "x:a_b", "x:a_b_59b271ae", "x:" + strings.Repeat("n", 117) + "_1be63cc0", "x:____1238106f"}, []string{`"a_b" is left out: an earlier tool`}},
	{"a circle of pages", []string{`{"tools": [{"name": "a", "inputSchema": {}}], "nextCursor": "1"}`, `{"tools": [{"name": "b", "inputSchema": {}}], "nextCursor": "1"}`},
		[]string{"x:a", "x:b"}, []string{"repeats a page"}},
	{"no array", []string{`{"tools": {}}`}, nil, []string{"expected an array"}},
	{"too many", []string{`{"tools": [` + strings.TrimSuffix(many(1001), ",") + `], "nextCursor": "1"}`, `{"tools": []}`}, nil, []string{"more than 1000 tools"}},
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"name": "t%d", "inputSchema": {}},`, i)
	}
	return b.String()
}

func TestHostileLists(t *testing.T) {
	each(t, func(t *testing.T, open func(fixture, mcptool.Config) *mcptool.Server) {
		for _, c := range lists {
			s := open(fixture{Pages: c.pages}, mcptool.Config{Name: "x"})
			got := names(tools(t, s))
			if c.names == nil {
				if want := strings.Count(c.pages[0], `"name"`); len(got) != min(want, 1000) {
					t.Errorf("%s: %d tools", c.about, len(got))
				}
			} else if !slices.Equal(got, c.names) {
				t.Errorf("%s: got %q", c.about, got)
			}
			problems := s.Problems()
			if len(problems) != len(c.problems) {
				t.Errorf("%s: got %q", c.about, problems)
				continue
			}
			for i, p := range problems {
				if !strings.Contains(p.Error(), c.problems[i]) {
					t.Errorf("%s: got %v, want %s", c.about, p, c.problems[i])
				}
			}
		}
	})
}
