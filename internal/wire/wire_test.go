package wire_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"pgregory.net/rapid"
)

func TestApplyEdits(t *testing.T) {
	set := func(value string, path ...string) callwright.Edit {
		return callwright.Edit{Path: path, Value: json.RawMessage(value)}
	}
	remove := func(path ...string) callwright.Edit { return callwright.Edit{Path: path} }
	for _, c := range []struct {
		name, body string
		edits      []callwright.Edit
		want       string
	}{
		{"none", ` {"a" : 1} `, nil, ` {"a" : 1} `},
		{"replace", `{ "a" : 1, "b":2 }`, []callwright.Edit{set("3", "a")}, `{ "a" : 3, "b":2 }`},
		{"add", `{ "a" : 1 }`, []callwright.Edit{set("3", "c")}, `{ "a" : 1,"c":3 }`},
		{"add to nothing", `{}`, []callwright.Edit{set("3", "c"), set("4", "d")}, `{"c":3,"d":4}`},
		{"add deep", `{"a":1}`, []callwright.Edit{set("true", "o", "p")}, `{"a":1,"o":{"p":true}}`},
		{"remove first", `{"a":1, "b":2, "c":3}`, []callwright.Edit{remove("a")}, `{"b":2, "c":3}`},
		{"remove middle", `{"a":1, "b":2, "c":3}`, []callwright.Edit{remove("b")}, `{"a":1,"c":3}`},
		{"remove last", `{"a":1, "b":2, "c":3}`, []callwright.Edit{remove("c")}, `{"a":1, "b":2}`},
		{"remove all", `{"a":1}`, []callwright.Edit{remove("a")}, `{}`},
		{"remove what is not there", `{"a":1}`, []callwright.Edit{remove("x"), remove("y", "z")}, `{"a":1}`},
		{"remove twins", `{"a":1,"b":2,"a":3}`, []callwright.Edit{remove("a")}, `{"b":2}`},
		{"inside", `{"a":{"b":1,"c":2}}`, []callwright.Edit{remove("a", "b")}, `{"a":{"c":2}}`},
		{"each", `{"l":[{"x":1},{"x":2,"y":3},4]}`, []callwright.Edit{remove("l", "*", "x"), set("0", "l", "*", "z")}, `{"l":[{"z":0},{"y":3,"z":0},4]}`},
		{"each whole", `{"l":[1,2]}`, []callwright.Edit{set("0", "l", "*")}, `{"l":[0,0]}`},
		{"each away", `{"l":[1,2]}`, []callwright.Edit{remove("l", "*")}, `{"l":[]}`},
		{"in order", `{"a":1}`, []callwright.Edit{set(`{"b":1}`, "a"), set("2", "a", "b"), set("3", "a", "c")}, `{"a":{"b":2,"c":3}}`},
		{"set and removed", `{"a":1}`, []callwright.Edit{set("2", "b"), remove("b")}, `{"a":1}`},
		{"removed and set", `{"a":1}`, []callwright.Edit{remove("a"), set("2", "a")}, `{"a":2}`},
		{"something else on the way", `{"a":1,"l":[1]}`, []callwright.Edit{set("2", "a", "b"), set("2", "l", "b")}, `{"a":1,"l":[1]}`},
		{"escaped name", `{"\u0061":1}`, []callwright.Edit{set("2", "a")}, `{"\u0061":2}`},
		{"only where it stands", `{"l":[{"r": [ ],"x":1},{"r":["a"]},{"x":2}]}`,
			[]callwright.Edit{{Path: []string{"l", "*", "r"}, Only: json.RawMessage("[]")}}, `{"l":[{"x":1},{"r":["a"]},{"x":2}]}`},
		{"only where it stands, and another", `{"a":1}`,
			[]callwright.Edit{{Path: []string{"a"}, Value: json.RawMessage("2"), Only: json.RawMessage("0")}, {Path: []string{"b"}, Value: json.RawMessage("2"), Only: json.RawMessage("1")}, set("3", "a")}, `{"a":3}`},
		{"no path", `{"a":1}`, []callwright.Edit{{Value: json.RawMessage("2")}}, `{"a":1}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(wire.ApplyEdits([]byte(c.body), c.edits)); got != c.want {
				t.Errorf("expected %s, got %s", c.want, got)
			}
		})
	}
}

// rules are id rules as providers have them.
var rules = []caps.IDRule{{}, {Exact: 9}, {Max: 40, Extra: "_-"}, {Extra: "_-"}, {Max: 8}, {Max: 40, Extra: "*"}}

// TestIDs checks the laws of the mapping: accepted, the same each time, never the same for two ids.
func TestIDs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom(rules).Draw(t, "rule")
		ids := rapid.SliceOfN(rapid.StringMatching(`(call_|fc_|functions\.f:)?[a-zA-Z0-9_.:é-]{1,60}`), 1, 20).Draw(t, "ids")
		m, again := kit.NewIDs(rule), kit.NewIDs(rule)
		from := map[string]string{}
		for _, id := range ids {
			out := m.Map(id)
			if !rule.Accepts(out) {
				t.Fatalf("expected an id for %+v, got %q", rule, out)
			}
			if rule.Accepts(id) && from[id] == "" && out != id {
				t.Fatalf("expected %q to stay, got %q", id, out)
			}
			if out != again.Map(id) || out != m.Map(id) {
				t.Fatalf("expected the same id for %q again", id)
			}
			if other, ok := from[out]; ok && other != id {
				t.Fatalf("expected different ids for %q and %q, got %q", other, id, out)
			}
			from[out] = id
		}
	})
}

func FuzzApplyEdits(f *testing.F) {
	f.Add(`{"a":{"b":[1,{"c":2}]}}`, "a", "b", "3")
	f.Add(`{"l":[{"a":1}]}`, "l", "*", "null")
	f.Fuzz(func(t *testing.T, body, first, second, value string) {
		if jsonx.Valid([]byte(body)) != nil || jsonx.Valid([]byte(value)) != nil {
			t.Skip()
		}
		edits := []callwright.Edit{{Path: []string{first, second}, Value: json.RawMessage(value)}, {Path: []string{second}}}
		if err := jsonx.Valid(wire.ApplyEdits([]byte(body), edits)); err != nil {
			t.Errorf("expected JSON, got %v", err)
		}
	})
}

func ExampleApplyEdits() {
	body := []byte(`{"model":"m","stop":null,"messages":[{"role":"user","name":"x"}]}`)
	fmt.Println(string(wire.ApplyEdits(body, []callwright.Edit{
		{Path: []string{"stop"}},
		{Path: []string{"messages", "*", "name"}},
		{Path: []string{"provider", "order"}, Value: json.RawMessage(`["quay"]`)},
	})))
	// Output: {"model":"m","messages":[{"role":"user"}],"provider":{"order":["quay"]}}
}
