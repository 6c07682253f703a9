package trace_test

import (
	"testing"
	"time"

	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/trace/logtest"
)

func TestFolder(t *testing.T) {
	logtest.Run(t, func(t *testing.T, now func() time.Time, l trace.LogLimits) trace.Log {
		f, err := trace.OpenFolder(t.TempDir(), now, l)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
		return f
	})
}
