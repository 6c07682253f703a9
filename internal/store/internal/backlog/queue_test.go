package backlog_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright/internal/store/internal/backlog"
)

var (
	errAway = errors.New("away")
	errBad  = errors.New("it will never be written")
)

// What waits is found until it is written, in the last form that it was given; what was dropped, and what can never be written, goes; what there is no room for is
// refused.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		var all sync.WaitGroup
		var mu sync.Mutex
		away, wrote := true, []string{}
		q := backlog.New(backlog.Config[string, string]{
			Write: func(_ context.Context, key, value string) error {
				mu.Lock()
				defer mu.Unlock()
				switch {
				case away:
					return errAway
				case key == "bad":
					return errBad
				}
				wrote = append(wrote, key+"="+value)
				return nil
			},
			Again: func(_ string, err error) bool { return errors.Is(err, errAway) },
			Size:  func(value string) int { return len(value) }, Bytes: 10, AtOnce: 2, Pause: time.Second, Go: all.Go, Context: ctx,
		})
		for _, kv := range [][2]string{{"a", "1"}, {"bad", "2"}, {"b", "333"}, {"c", "4"}, {"a", "5"}} {
			if !q.Add(kv[0], kv[1]) {
				t.Errorf("%s is refused", kv)
			}
		}
		if q.Add("d", "too long") {
			t.Error("it takes more than there is room for")
		}
		time.Sleep(10 * time.Second)
		if got, waits := q.Find("a"); !waits || got != "5" || q.Len() != 4 {
			t.Errorf("found %q, %t, and %d wait", got, waits, q.Len())
		}
		q.Drop("c")
		q.Drop("nobody")
		mu.Lock()
		away = false
		mu.Unlock()
		time.Sleep(2 * time.Second)
		mu.Lock()
		slices.Sort(wrote)
		mu.Unlock()
		if want := []string{"a=5", "b=333"}; !slices.Equal(wrote, want) || q.Len() != 0 {
			t.Errorf("wrote %q, want %q, and %d wait", wrote, want, q.Len())
		}
		if _, waits := q.Find("a"); waits || !q.Add("d", "ten letters"[:10]) {
			t.Error("there is no room for what comes later")
		}
		time.Sleep(time.Second)
		end()
		all.Wait()
	})
}

// What waits when the context ends is not waited for.
func TestQueueEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		var all sync.WaitGroup
		q := backlog.New(backlog.Config[int, int]{
			Write: func(context.Context, int, int) error { return errAway }, Again: func(int, error) bool { return true }, Size: func(int) int { return 1 },
			Bytes: 10, AtOnce: 1, Pause: time.Second, Go: all.Go, Context: ctx,
		})
		q.Add(1, 1)
		time.Sleep(1500 * time.Millisecond)
		end()
		all.Wait()
		if q.Len() != 1 {
			t.Error("it went")
		}
	})
}
