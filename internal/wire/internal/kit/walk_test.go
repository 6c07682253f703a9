package kit_test

import (
	"fmt"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/google/go-cmp/cmp"
)

// The shapes of a test: messages with parts, and calls with a function inside.
const (
	ofMessage kit.ShapeKind = iota
	ofPart
)

var (
	walkedPart    = kit.NewShape(ofPart, "type", "call|function_call").Inner(1, "name")
	walkedMessage = kit.NewShape(ofMessage, "role", "content", "parts").List(1, walkedPart).ListOrOne(2, walkedPart)
)

// visits writes down what a walk shows.
type visits struct {
	list []string
	skip bool
}

func (v *visits) Enter(of *kit.Shape, n int) bool {
	v.list = append(v.list, fmt.Sprintf("enter %d %d", of.Kind, n))
	return !v.skip || of.Kind == ofMessage
}

func (v *visits) Leave(o *kit.Object) {
	values := []string{}
	for slot := range 3 {
		values = append(values, string(o.Get(slot)))
	}
	v.list = append(v.list, fmt.Sprintf("leave %d %d %q %s", o.Shape.Kind, o.N, values, o.Raw()))
}

// TestWalk shows the same objects of text that is checked and of text that is known to be valid.
func TestWalk(t *testing.T) {
	for _, c := range []struct {
		about, text string
		skip        bool
		want        []string
	}{
		{"no list", `{"role":"a"}`, false, nil},
		{"other elements", `[1, "a"]`, false, []string{"enter 0 0", `leave 0 0 ["" "" ""] 1`, "enter 0 1", `leave 0 1 ["" "" ""] "a"`}},
		{"a name with an escape", `[{"r\u006fle":"a","x":1}]`, false,
			[]string{"enter 0 0", `leave 0 0 ["\"a\"" "" ""] {"r\u006fle":"a","x":1}`}},
		{"a list inside, which is left first", `[{"content":[{"type":"t"}],"role":"a"}]`, false,
			[]string{"enter 0 0", "enter 1 0", `leave 1 0 ["\"t\"" "" ""] {"type":"t"}`,
				`leave 0 0 ["\"a\"" "[{\"type\":\"t\"}]" ""] {"content":[{"type":"t"}],"role":"a"}`}},
		{"parts that nobody wants", `[{"content":[{"type":"t"}]}]`, true,
			[]string{"enter 0 0", "enter 1 0", `leave 0 0 ["" "[{\"type\":\"t\"}]" ""] {"content":[{"type":"t"}]}`}},
		{"one object in place of a list, with members inside", `[{"parts":{"function_call":{"name":"f","x":1}}}]`, false,
			[]string{"enter 0 0", "enter 1 0", `leave 1 0 ["" "{\"name\":\"f\",\"x\":1}" "\"f\""] {"function_call":{"name":"f","x":1}}`,
				`leave 0 0 ["" "" "{\"function_call\":{\"name\":\"f\",\"x\":1}}"] {"parts":{"function_call":{"name":"f","x":1}}}`}},
		{"text in place of a list", `[{"content":"a"}]`, false, []string{"enter 0 0", `leave 0 0 ["" "\"a\"" ""] {"content":"a"}`}},
	} {
		in := &kit.Document{Raw: []byte(c.text + " ")}
		checked, known := &visits{skip: c.skip}, &visits{skip: c.skip}
		for end := range map[int]bool{
			kit.NewCheckedWalk(in, jsonx.NewWalker(in.Raw), checked).List(0, walkedMessage): true,
			kit.NewWalk(in, known).List(0, walkedMessage):                                   true,
		} {
			if end != len(c.text) {
				t.Errorf("%s: ends at %d", c.about, end)
			}
		}
		for _, got := range []*visits{checked, known} {
			if d := cmp.Diff(c.want, got.list); d != "" {
				t.Errorf("%s (-want +got)\n%s", c.about, d)
			}
		}
	}
}

// TestWalkOfBrokenText leaves no element that is broken.
func TestWalkOfBrokenText(t *testing.T) {
	for _, text := range []string{`[{"role":"a"`, `[{"content":[{"type":]}]`, `[{"parts":{"call":{"name"}}}]`, `[`, `[{"role":"a"},`} {
		in, v := &kit.Document{Raw: []byte(text)}, &visits{}
		check := jsonx.NewWalker(in.Raw)
		kit.NewCheckedWalk(in, check, v).List(0, walkedMessage)
		if check.Sound() {
			t.Errorf("%s: is taken for valid", text)
		}
		for _, said := range v.list {
			if text != `[{"role":"a"},` && said[:5] == "leave" {
				t.Errorf("%s: %s", text, said)
			}
		}
	}
}

// TestObjectRest gives the members that no slot was taken of, and the wire alone without any.
func TestObjectRest(t *testing.T) {
	in, rest := &kit.Document{Raw: []byte(`[{"type":"t","x":1,"call":{"name":"f"}},{"type":"t"}]`)}, []string{}
	kit.NewWalk(in, leaves(func(o *kit.Object) {
		x := o.Rest("w", 0)
		rest = append(rest, string(x.Wire)+string(x.JSON))
	})).List(0, walkedPart)
	if d := cmp.Diff([]string{`w{"x":1,"call":{"name":"f"}}`, "w"}, rest); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// leaves is a visitor that takes every element.
type leaves func(*kit.Object)

func (l leaves) Enter(*kit.Shape, int) bool { return true }
func (l leaves) Leave(o *kit.Object)        { l(o) }
