package memory

import "testing"

// The heap may grow a good part of what lives, however much that is, and the process stays small while little lives.
func TestRoomForGarbage(t *testing.T) {
	for live := uint64(1 << 20); live < 16<<30; live += live / 3 {
		limit := uint64(limitFor(live))
		if limit < live*3/2 || live <= 16<<20 && limit != smallProcess || limit > smallProcess+live*3/2 {
			t.Errorf("%d MiB live: %d MiB", live>>20, limit>>20)
		}
	}
}
