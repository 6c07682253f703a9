package cooldown_test

import (
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider/internal/cooldown"
)

// TestActive: a Table lists the models that are skipped, until their time is over or they answer.
func TestActive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var table cooldown.Table
		table.Of("a/rest")
		table.Of("a/key").Start(callwright.KindAuth, time.Minute)
		table.Of("a/limit").Start(callwright.KindRateLimited, 10*time.Second)
		want := map[string]cooldown.Skip{"a/key": {Kind: callwright.KindAuth, Left: time.Minute}, "a/limit": {Kind: callwright.KindRateLimited, Left: 10 * time.Second}}
		if got := table.Active(); !maps.Equal(got, want) {
			t.Errorf("got %v", got)
		}
		time.Sleep(20 * time.Second)
		want = map[string]cooldown.Skip{"a/key": {Kind: callwright.KindAuth, Left: 40 * time.Second}}
		if got := table.Active(); !maps.Equal(got, want) {
			t.Errorf("after the limit: got %v", got)
		}
		table.Of("a/key").Succeed()
		if got := table.Active(); len(got) > 0 {
			t.Errorf("after an answer: got %v", got)
		}
	})
}
