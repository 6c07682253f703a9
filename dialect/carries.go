package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// probes are the calls by which a format is asked whether it carries a name: some write a text alone in another way
// than other arguments.
var probes = []struct {
	arguments string
	params    []Param
}{
	{`{"value":"one two"}`, []Param{{Name: "value", Types: []string{"string"}, Required: true}}},
	{`{"value":1}`, []Param{{Name: "value", Types: []string{"integer"}, Required: true}}},
	{`{"value":1,"more":"one"}`, []Param{{Name: "value", Types: []string{"integer"}, Required: true},
		{Name: "more", Types: []string{"string"}}}},
}

// Carries reports whether calls of a tool of this name are read back as they are written in a format. Marks are those
// with formats of a caller's own, nil for the table.
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
