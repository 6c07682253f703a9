package trace_test

import (
	"testing"
	"time"

	"github.com/callwright/callwright/trace"
	"github.com/callwright/callwright/trace/logtest"
)

func TestMemoryLog(t *testing.T) {
	logtest.Run(t, func(_ *testing.T, now func() time.Time, l trace.LogLimits) trace.Log {
		return trace.NewMemoryLog(now, l)
	})
}
