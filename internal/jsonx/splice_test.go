package jsonx_test

import (
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
)

func TestSpan(t *testing.T) {
	whole := []byte(`{"a":[10,20],"b":3}`)
	a, _ := jsonx.Find(whole, "a")
	for _, c := range []struct {
		name        string
		whole, part []byte
		start, end  int
	}{
		{"inside", whole, a, 5, 12},
		{"all", whole, whole, 0, len(whole)},
		{"empty", whole, whole[3:3], 3, 3},
		{"nil", whole, nil, -1, -1},
		{"empty, without room", whole, whole[3:3:3], -1, -1},
		{"elsewhere", whole, []byte(`[10,20]`), -1, -1},
		{"longer", a, whole, -1, -1},
		{"before", a, whole[:3], -1, -1},
		{"overlapping the end", whole[:8], a, -1, -1},
	} {
		if start, end := jsonx.Span(c.whole, c.part); start != c.start || end != c.end {
			t.Errorf("%s: got %d, %d, want %d, %d", c.name, start, end, c.start, c.end)
		}
	}
}

func TestSplice(t *testing.T) {
	whole := `{"a":1,"b":2}`
	for _, c := range []struct {
		edits []jsonx.Edit
		want  string
	}{
		{nil, whole},
		{[]jsonx.Edit{{5, 6, []byte("100")}}, `{"a":100,"b":2}`},
		{[]jsonx.Edit{{5, 6, []byte("null")}, {11, 12, []byte(`"x"`)}}, `{"a":null,"b":"x"}`},
		{[]jsonx.Edit{{1, 1, []byte(`"z":0,`)}, {6, 12, nil}}, `{"z":0,"a":1}`},
		{[]jsonx.Edit{{0, 0, []byte("[")}, {0, 13, []byte("1")}, {13, 13, []byte("]")}}, `[1]`},
	} {
		if got := string(jsonx.Splice([]byte("> "), []byte(whole), c.edits...)); got != "> "+c.want {
			t.Errorf("%v: got %s, want %s", c.edits, got, c.want)
		}
	}
}

func TestCompact(t *testing.T) {
	for in, want := range map[string]string{
		" { \"a b\" : [ 1 ,\n 2.50 ] ,\t\"c\" : \" \\\" \" } \r\n": `{"a b":[1,2.50],"c":" \" "}`,
		`1`:  `1`,
		` `:  ``,
		`[]`: `[]`,
	} {
		if got := string(jsonx.Compact([]byte("> "), []byte(in))); got != "> "+want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
