package replay_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/replay"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/trace"
)

// FuzzResults: whatever a trace says, it is read without a panic, and each request that has begun comes out once.
func FuzzResults(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		begun := map[string]bool{}
		entries := func(yield func(trace.Entry, error) bool) {
			for e, err := range trace.Read(bytes.NewReader(b)) {
				begun[e.ID] = begun[e.ID] || err == nil && e.Kind == trace.KindRequest
				if !yield(e, err) {
					return
				}
			}
		}
		for res, err := range (&replay.Replay{Config: &config.Config{}}).Results(context.Background(), entries) {
			if err == nil && (!begun[res.ID] || res.Outcome == "") {
				t.Fatalf("%+v", res)
			}
		}
	})
}
