package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// probes are the test calls of Carries. Some formats write a single text argument differently from other arguments.
var probes = []struct {
	arguments string
	params    []Param
}{
	{`{"value":"one two"}`, []Param{{Name: "value", Types: []string{"string"}, Required: true}}},
	{`{"value":1}`, []Param{{Name: "value", Types: []string{"integer"}, Required: true}}},
	{`{"value":1,"more":"one"}`, []Param{{Name: "value", Types: []string{"integer"}, Required: true},
		{Name: "more", Types: []string{"string"}}}},
}

// Carries reports whether calls of a tool with the given name can be rendered in the format and parsed back with the
// same name. marks has the caller's own formats, nil for none.
func (f Format) Carries(name string, marks *Marks) bool {
	if chars.IsIdentifier(name) {
		return true
	}
	for _, p := range probes {
		text := f.RenderCalls([]RenderedCall{{Name: name, ID: "call_1", Arguments: []byte(p.arguments)}})
		items := ScanAll(Options{Tools: []Tool{{Name: name, Params: p.params}}, Hint: f.Name, Marks: marks}, text)
		isCall := func(it Item) bool { return it.Kind == CallFound && it.Call.Name == name && it.Call.NameRule == "" }
		isOther := func(it Item) bool { return it.Kind == CallRejected || it.Kind == CallFound && !isCall(it) }
		if !slices.ContainsFunc(items, isCall) || slices.ContainsFunc(items, isOther) {
			return false
		}
	}
	return true
}
