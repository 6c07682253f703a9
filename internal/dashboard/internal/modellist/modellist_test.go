package modellist_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/dashboard/internal/modellist"
)

// Counters are facts that there are.
func TestCounters(t *testing.T) {
	for key := range modellist.Counters {
		if !slices.Contains(caps.Keys(), key) {
			t.Errorf("there is no fact %s", key)
		}
	}
}
