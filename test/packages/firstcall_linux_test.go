package packages_test

import (
	"testing"
	"time"
)

// maxFirstCall bounds the time from an installation to the first call that was healed, on a machine that does other work, too. docs/install.md has the
// seconds that were measured.
const maxFirstCall = 2 * time.Minute

// logFirstCall logs how long a way of installing took since its begin, up to the first call that was healed, and fails beyond the bound.
func logFirstCall(t *testing.T, way string, begin time.Time) {
	t.Helper()
	took := time.Since(begin)
	if t.Logf("%-8s %4.1f s from the file to the first healed call", way, took.Seconds()); took > maxFirstCall {
		t.Errorf("%s: %v, at most %v are allowed", way, took, maxFirstCall)
	}
}
