package callshape_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/callshape"
)

func TestOf(t *testing.T) {
	resolves := func(name string) bool { return name == "ping" }
	for _, c := range []struct {
		text, name, args string
		others           int
	}{
		{`{"name": "ping", "arguments": {"a": 1}}`, "ping", `{"a": 1}`, 0},
		{`{"tool": "ping", "params": {}, "id": "1"}`, "ping", `{}`, 0},
		{`{"type": "ping", "input": {}}`, "ping", `{}`, 1},
		{`{"name": "ping", "a": 1, "b": 2}`, "ping", "", 2},
		{`[1]`, "", "", 0},
	} {
		o := callshape.Of([]byte(c.text), resolves)
		if o.Name != c.name || string(o.Args) != c.args || len(o.Others) != c.others {
			t.Errorf("%s: %+v", c.text, o)
		}
	}
}

// A declared parameter beside the arguments is lost, unless they have it too or a call has such a member.
func TestLoses(t *testing.T) {
	declares := func(name string) bool { return name == "from" || name == "type" }
	for text, want := range map[string]bool{
		`{"name": "ping", "arguments": {}, "from": "x"}`:                   true,
		`{"name": "ping", "arguments": {"from": "x"}, "from": "x"}`:        false,
		`{"name": "ping", "arguments": {}, "type": "function", "note": 1}`: false,
		`{"name": "ping\", \"arguments\": {", "args": {}}`:                 true,
		`{"name": "ping", "arguments": {}}`:                                false,
	} {
		o := callshape.Of([]byte(text), func(string) bool { return true })
		if o.Loses(declares) != want {
			t.Errorf("%s: want %t", text, want)
		}
	}
}
