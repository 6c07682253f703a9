package bound

import (
	"testing"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/access/counterstest"
)

// The counters in memory count as those of any gateway do.
func TestMemory(t *testing.T) {
	counterstest.Run(t, func(*testing.T, func() time.Time) access.Counters { return newMemory() })
}
