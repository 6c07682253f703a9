package archivetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
)

// newest fails the test unless only the newest of n entries are stored. Their number, which newest returns, must be in
// the range from some to most.
func newest(t *testing.T, n, some, most int, kept func(i int) bool) int {
	t.Helper()
	left := 0
	for i := range n {
		switch {
		case kept(i):
			left++
		case left > 0:
			t.Fatalf("%d is gone, and an older one is kept", i)
		}
	}
	if left < some || left > most {
		t.Fatalf("%d of %d are kept, want %d to %d", left, n, some, most)
	}
	return left
}

func (s *answers) id(i int) archive.Key { return key(fmt.Sprintf("resp_%d", i)) }

func (s *answers) count(t *testing.T) {
	s.with(archive.Limits{Count: 20})
	for i := range 50 {
		s.keep(s.id(i), nil, `[1]`)
	}
	newest(t, 50, 20, 20, func(i int) bool { return s.isKept(s.id(i)) })
	for range 50 {
		s.keep(s.id(49), nil, `[1]`) // must not remove another answer
	}
	newest(t, 50, 20, 20, func(i int) bool { return s.isKept(s.id(i)) })
}

func (s *answers) bytes(t *testing.T) {
	s.with(archive.Limits{Bytes: 1 << 20})
	items := `["` + strings.Repeat("x", 20_000) + `"]`
	for i := range 200 {
		k := s.id(i)
		k.Owner = archive.Owner(fmt.Sprint(i % 3)) // the limit is for all owners together
		s.keep(k, nil, items)
	}
	newest(t, 200, 26, 52, func(i int) bool {
		k := s.id(i)
		k.Owner = archive.Owner(fmt.Sprint(i % 3))
		return s.isKept(k)
	})
}

// longConversation tests that answers share the bytes of their common turns.
func (s *answers) longConversation(t *testing.T) {
	const turns = 60
	s.with(archive.Limits{Bytes: turns * 10_000 * 2, Count: turns})
	items := `["` + strings.Repeat("x", 10_000) + `"]`
	s.keep(s.id(0), nil, items)
	for i := 1; i < turns; i++ {
		s.keep(s.id(i), s.after(s.id(i-1)), items)
	}
	for i := range turns {
		if turn := s.after(s.id(i)); turn.Len() != i+1 || len(turn.Conversation()) != (i+1)*(len(items)-1)+1 {
			t.Fatalf("answer %d has %d turns and %d bytes", i, turn.Len(), len(turn.Conversation()))
		}
	}
	s.keep(key("other"), nil, `[1]`)
	s.expectMissing(s.id(0))
	if n := s.after(s.id(turns - 1)).Len(); n != turns {
		t.Errorf("when the oldest answer is gone the newest has %d turns, want %d", n, turns)
	}
}

func (s *answers) tooLarge(t *testing.T) {
	s.with(archive.Limits{Bytes: 100_000})
	s.keep(key("a"), nil, `[1]`)
	large := strings.Repeat("x", 60_000)
	for name, a := range map[string]archive.Answer{
		"body":  {Body: []byte(large + large), Turn: &archive.Turn{Items: []byte(`[]`)}},
		"items": {Body: []byte(`{}`), Turn: &archive.Turn{Items: []byte(`["` + large + large + `"]`)}},
		"both":  {Body: []byte(large), Turn: &archive.Turn{Items: []byte(`["` + large + `"]`)}},
		"conversation": {Body: []byte(`{}`),
			Turn: &archive.Turn{Items: []byte(`["` + large + `"]`), Before: &archive.Turn{Items: []byte(`["` + large + `"]`)}}},
	} {
		expectKind(t, s.Keep(t.Context(), key(name), a), callwright.KindTooLarge)
		s.expectMissing(key(name))
		s.expect(key("a"), `[1]`)
	}
}

// together tests concurrent calls, with several answers that continue the same answer.
func (s *answers) together(t *testing.T) {
	s.with(archive.Limits{})
	const branches, turns = 6, 20
	s.keep(key("root"), nil, `[0]`)
	root := s.after(key("root"))
	var wg sync.WaitGroup
	for b := range branches {
		wg.Go(func() {
			before, want := root, `[0`
			for i := range turns {
				k, items := key(fmt.Sprintf("%d-%d", b, i)), fmt.Sprintf(`%d`, i)
				want += "," + items
				if err := s.Keep(t.Context(), k,
					archive.Answer{Body: []byte(items), Turn: &archive.Turn{Before: before, Items: []byte("[" + items + "]")}}); err != nil {
					t.Error(err)
				}
				turn, err := s.Conversation(t.Context(), k)
				if err != nil || string(turn.Conversation()) != want+"]" {
					t.Errorf("%q: %v", k.ID, err)
					return
				}
				before = turn
				if i%3 == 0 {
					err = s.Delete(t.Context(), k)
				}
				if _, findErr := s.Find(t.Context(), key("root")); errors.Join(err, findErr) != nil {
					t.Error(err, findErr)
				}
			}
		})
	}
	wg.Wait()
	for b := range branches {
		for i := range turns {
			if k := key(fmt.Sprintf("%d-%d", b, i)); s.isKept(k) == (i%3 == 0) {
				t.Errorf("%q: want every third to be gone", k.ID)
			}
		}
	}
}
