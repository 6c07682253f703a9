package mint_test

import (
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/mint"
	"github.com/google/uuid"
)

// The time of an id can be read from it; ids of other origins have none.
func TestTimeOf(t *testing.T) {
	from := time.Now().Add(-time.Millisecond)
	for _, prefix := range []string{"", "call_", "rep_", "toolu_01"} {
		at, ok := mint.TimeOf(mint.ID(prefix))
		if !ok || at.Before(from.Truncate(time.Millisecond)) || at.After(time.Now()) {
			t.Errorf("%s: %v %v", prefix, at, ok)
		}
	}
	other := strings.ReplaceAll(uuid.New().String(), "-", "")
	for _, id := range []string{"", "call_1", "toolu_01A09q90qw90lq917835lq9", "call_" + other, "call_" + strings.Repeat("z", 32), mint.ID("call_")[:36]} {
		if at, ok := mint.TimeOf(id); ok {
			t.Errorf("%s: %v", id, at)
		}
	}
}
