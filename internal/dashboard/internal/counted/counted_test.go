package counted_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard/internal/counted"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestNotes(t *testing.T) {
	got := counted.Notes([]callwright.Note{
		{Rule: "json.quotes", Call: "1", Was: "a"}, {Rule: "json.quotes", Call: "2", Was: "a"}, {Rule: "json.quotes", Was: "b"}, {Rule: "id.missing", Call: "1", Count: 2}, {Rule: "id.missing", Call: "1"},
	})
	want := []callwright.Note{{Rule: "json.quotes", Was: "a", Count: 2}, {Rule: "json.quotes", Was: "b"}, {Rule: "id.missing", Call: "1", Count: 3}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// No call is lost, and none is named twice.
func TestCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var calls []callwright.Call
		var invalid []callwright.InvalidCall
		want := map[string]int{}
		for range rapid.IntRange(0, 20).Draw(t, "calls") {
			name, args := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"), rapid.SampledFrom([]string{"{}", "[]"}).Draw(t, "arguments")
			id := rapid.String().Draw(t, "id")
			calls = append(calls, callwright.Call{ID: id, Name: name, Arguments: []byte(args)})
			invalid = append(invalid, callwright.InvalidCall{ID: id, Name: name, Raw: args})
			want[name+args]++
		}
		got, refused := map[string]int{}, map[string]int{}
		for _, c := range counted.Calls(calls) {
			if got[c.Name+string(c.Arguments)] > 0 {
				t.Errorf("%s is named twice", c.Name)
			}
			got[c.Name+string(c.Arguments)] = c.N
		}
		for _, c := range counted.InvalidCalls(invalid) {
			refused[c.Name+c.Raw] += c.N
		}
		if d := cmp.Diff(want, got) + cmp.Diff(want, refused); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	})
}
