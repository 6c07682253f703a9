package secretfile_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/secretfile"
)

// A file is checked again although the clock was set back.
func TestClockSetBack(t *testing.T) {
	path, at := filepath.Join(t.TempDir(), "key"), time.Now().Add(24*time.Hour)
	f := secretfile.New(path, func() time.Time { return at })
	for _, text := range []string{"old", "newer"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := f.Text(); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
		at = at.Add(-24 * time.Hour)
	}
}
