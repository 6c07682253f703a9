package store_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/store"
)

// A hearer keeps what it is told.
type hearer struct {
	mu   sync.Mutex
	told []string
}

func (h *hearer) hear(data []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = append(h.told, string(data))
}

func (h *hearer) heard(want ...string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Equal(h.told, want)
}

// TestCooldowns: what one gateway tells the others hear, those that come later the last of each name, and nobody hears itself.
func TestCooldowns(t *testing.T) {
	t.Parallel()
	conf := single(t).config(fresh())
	var one, two, late hearer
	tell, answer := open(t, conf).Cooldowns(one.hear), open(t, conf).Cooldowns(two.hear)
	tell("key", []byte("a"), time.Minute)
	eventually(t, "the other one hears it", func() bool { return two.heard("a") })
	tell("key", []byte("b"), time.Minute)
	answer("host", []byte("c"), time.Minute)
	eventually(t, "both hear the other", func() bool { return two.heard("a", "b") && one.heard("c") })
	open(t, conf).Cooldowns(late.hear)
	eventually(t, "one that comes later", func() bool { return late.heard("b", "c") || late.heard("c", "b") })
}

// TestCooldownsStay: a gateway that is started again knows those that still hold.
func TestCooldownsStay(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	s.Cooldowns(func([]byte) {})("key", []byte("a"), time.Minute)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var h hearer
	open(t, store.Config{Dir: dir}).Cooldowns(h.hear)
	eventually(t, "it is heard after the start", func() bool { return h.heard("a") })
}
