package culprit_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright/reliable/internal/culprit"
)

// suspects draws ranked suspects.
func suspects(t *rapid.T) []culprit.Suspect {
	weights := rapid.SliceOfN(rapid.Float64Range(0.001, 100), 1, 200).Draw(t, "weights")
	slices.SortFunc(weights, func(a, b float64) int {
		if a > b {
			return -1
		}
		return 1
	})
	out := make([]culprit.Suspect, len(weights))
	for i, w := range weights {
		out[i] = culprit.Suspect{Tool: i, Weight: w}
	}
	return out
}

// search plays a search to its end, and counts the probes.
func search(t *rapid.T, list []culprit.Suspect, refuses func(tools []int) bool) (s *culprit.Search, probes int) {
	s = culprit.NewSearch(list)
	for tools := s.Next(); tools != nil; tools = s.Next() {
		if probes++; probes > culprit.MaxProbes(len(list)) {
			t.Fatalf("%d probes for %d tools, at most %d", probes, len(list), culprit.MaxProbes(len(list)))
		}
		s.Tell(refuses(tools))
	}
	return s, probes
}

// One bad tool is found, wherever it is and whatever the weights say.
func TestSearchFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := suspects(t)
		bad := rapid.IntRange(0, len(list)-1).Draw(t, "bad")
		s, _ := search(t, list, func(tools []int) bool { return slices.Contains(tools, bad) })
		if found, ok := s.Result(); !ok || found.Tool != bad {
			t.Fatalf("found %d, %v, want %d", found.Tool, ok, bad)
		}
	})
}

// With several bad tools one of them is found. With none, or with tools that are refused only together, none is.
func TestSearchFindsNoGoodTool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := suspects(t)
		bad := rapid.SliceOfNDistinct(rapid.IntRange(0, len(list)-1), 0, min(4, len(list)), rapid.ID).Draw(t, "bad")
		together := rapid.IntRange(2, 200).Draw(t, "together")
		s, _ := search(t, list, func(tools []int) bool {
			return len(tools) >= together || slices.ContainsFunc(bad, func(b int) bool { return slices.Contains(tools, b) })
		})
		found, ok := s.Result()
		if ok && !slices.Contains(bad, found.Tool) {
			t.Fatalf("%d is good", found.Tool)
		}
		if !ok && len(bad) == len(list) {
			t.Fatal("none is found")
		}
	})
}

// The bound for some numbers of tools; the documentation has that for 50.
func TestMaxProbes(t *testing.T) {
	got := fmt.Sprint(culprit.MaxProbes(1), culprit.MaxProbes(2), culprit.MaxProbes(10), culprit.MaxProbes(50), culprit.MaxProbes(128))
	if got != "3 3 7 9 10" {
		t.Errorf("got %s", got)
	}
}

// The search begins with the most suspicious tools.
func TestSearchByWeight(t *testing.T) {
	list := []culprit.Suspect{{Tool: 7, Weight: 10}, {Tool: 1, Weight: 1}, {Tool: 2, Weight: 1}, {Tool: 3, Weight: 1}}
	if next := culprit.NewSearch(list).Next(); !slices.Equal(next, []int{7}) {
		t.Errorf("got %v", next)
	}
}
