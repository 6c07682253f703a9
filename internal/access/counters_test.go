package access_test

import (
	"testing"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/access/counterstest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemoryCounters(t *testing.T) {
	counterstest.Run(t, func(_ *testing.T, now func() time.Time) access.Counters { return access.NewMemoryCounters(now) })
	counterstest.RunShared(t, func(_ *testing.T, now func() time.Time) func() access.Counters {
		c := access.NewMemoryCounters(now)
		return func() access.Counters { return c }
	})
}
