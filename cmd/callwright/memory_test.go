package main

import "testing"

// The heap may grow a good part of what lives, however much that is, and stays small while little lives.
func TestRoomForGarbage(t *testing.T) {
	for live := uint64(1 << 20); live < 16<<30; live += live / 3 {
		heap := live + live*uint64(growth(live))/100
		if heap < live*3/2 || live <= 20<<20 && heap > smallHeap+live/50 || heap > 5*live {
			t.Errorf("%d MiB live: %d MiB", live>>20, heap>>20)
		}
	}
	if growth(0) != seldom {
		t.Error("an empty heap")
	}
}
