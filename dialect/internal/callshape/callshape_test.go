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
		o := callshape.Of([]byte(c.text), callshape.Keys{}, resolves)
		if o.Name != c.name || string(o.Args) != c.args || len(o.Others) != c.others {
			t.Errorf("%s: %+v", c.text, o)
		}
	}
}

// A declared parameter beside the arguments belongs to them, unless they have it too or calls have such a member.
func TestTakeBeside(t *testing.T) {
	declares := func(name string) bool { return name == "from" || name == "type" }
	for text, want := range map[string]string{
		`{"name": "ping", "arguments": {"a":1}, "from": "x"}`:              `{"a":1,"from":"x"}`,
		`{"name": "ping", "arguments": {"from": "x"}, "from": "y"}`:        `{"from": "x"}`,
		`{"name": "ping", "arguments": {}, "type": "function", "note": 1}`: `{}`,
		`{"name": "ping", "from": "x"}`:                                    ``,
	} {
		o := callshape.Of([]byte(text), callshape.Keys{}, func(string) bool { return true })
		before := string(o.Args)
		if taken := o.TakeBeside(declares); string(o.Args) != want || taken != (before != want) {
			t.Errorf("%s: %s %t", text, o.Args, taken)
		}
	}
	if o := callshape.Of([]byte(`{"name": "ping\", \"arguments\": {", "args": {}}`), callshape.Keys{}, func(string) bool { return true }); !o.IsNested() {
		t.Error("the name is no name")
	}
}

func TestWrittenName(t *testing.T) {
	for text, want := range map[string]string{
		`{"name": "ping", "arguments": {`:       "ping",
		`[{"tool": 'ping', 'args': [}]`:         "ping",
		`{"ping": {"name": "x"`:                 "ping", // its only key
		`[{'ping(name="x")}]`:                   "",     // no key, but a call in Python's way
		`{ "other" : {"name": "x"`:              "x",
		`{"other": {"a": 1, "function": "pong"`: "",
		`{`:                                     "",
		``:                                      "",
	} {
		if got := callshape.WrittenName(text, func(name string) bool { return name == "ping" }); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestContradicts(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a": 1, "b": 1}`:          false,
		`{"a": 1, "a": 1}`:          false,
		`{"a": 1, "b": 2, "a": 2}`:  true,
		`{"a": "x", "\u0061": "y"}`: true,
		`[1, 2]`:                    false,
	} {
		if callshape.Contradicts([]byte(text)) != want {
			t.Errorf("%s: %t", text, !want)
		}
	}
}
