// Package logtest tests implementations of [keyring.Log].
package logtest

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/keyring"
)

// longestWait is how long tests wait for an entry. It is long enough for a busy machine.
const longestWait = time.Minute

// Run tests implementations of keyring.Log. open opens the log called name. Two logs with the same name share their
// entries.
func Run(t *testing.T, open func(t *testing.T, name string) keyring.Log) {
	t.Run("order", func(t *testing.T) { testOrder(t, open) })
	t.Run("conflict", func(t *testing.T) { testConflict(t, open(t, t.Name())) })
	t.Run("together", func(t *testing.T) { testTogether(t, open) })
	t.Run("kept", func(t *testing.T) { testKept(t, open(t, t.Name())) })
	t.Run("canceled", func(t *testing.T) { testCanceled(t, open(t, t.Name())) })
}

func add(t *testing.T, l keyring.Log, subject string, last uint64, text string) uint64 {
	t.Helper()
	n, err := l.Append(t.Context(), subject, last, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A follower records the entries of a log.
type follower struct {
	mu    sync.Mutex
	list  []string
	last  uint64
	moved chan struct{}
	read  chan struct{}
	wrong string
}

func follow(l keyring.Log) *follower {
	f := &follower{moved: make(chan struct{}), read: make(chan struct{})}
	l.Follow(func(e keyring.Entry) {
		f.mu.Lock()
		defer f.mu.Unlock()
		if e.Number <= f.last {
			f.wrong = fmt.Sprintf("%d after %d", e.Number, f.last)
		}
		f.last = e.Number
		f.list = append(f.list, string(e.Data))
		close(f.moved)
		f.moved = make(chan struct{})
	}, func() { close(f.read) })
	return f
}

// expect waits until exactly these entries were received.
func (f *follower) expect(t *testing.T, want ...string) {
	t.Helper()
	late := time.After(longestWait)
	for {
		f.mu.Lock()
		got, moved, wrong := fmt.Sprint(f.list), f.moved, f.wrong
		f.mu.Unlock()
		if wrong != "" {
			t.Fatalf("heard entry %s", wrong)
		}
		if got == fmt.Sprint(want) {
			return
		}
		select {
		case <-moved:
		case <-late:
			t.Fatalf("got %s, want %v", got, want)
		}
	}
}

// testOrder tests that entries are received in order: existing ones, own ones and those of other processes.
func testOrder(t *testing.T, open func(t *testing.T, name string) keyring.Log) {
	a := open(t, t.Name())
	first := add(t, a, "key\x00ci", 0, "one")
	f := follow(a)
	select {
	case <-f.read:
	case <-time.After(longestWait):
		t.Fatal("it was not read")
	}
	f.expect(t, "one")
	b := open(t, t.Name())
	g := follow(b)
	second := add(t, b, "key\x00ci", first, "two")
	add(t, a, "key\x00other", 0, "three")
	if second <= first {
		t.Errorf("got the numbers %d and %d", first, second)
	}
	f.expect(t, "one", "two", "three")
	g.expect(t, "one", "two", "three")
	expectTexts(t, b, "one", "two", "three")
}

// expectTexts reads a log until it has exactly these entries, since the last one may arrive late.
func expectTexts(t *testing.T, l keyring.Log, want ...string) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		got := texts(t, l)
		if fmt.Sprint(got) == fmt.Sprint(want) {
			return
		}
		if time.Since(begun) > longestWait {
			t.Fatalf("read %v, want %v", got, want)
		}
	}
}

func texts(t *testing.T, l keyring.Log) (out []string) {
	t.Helper()
	if err := l.Read(t.Context(), func(e keyring.Entry) { out = append(out, string(e.Data)) }); err != nil {
		t.Fatal(err)
	}
	return out
}

// testConflict tests that an entry is added only if the last entry of the subject is the expected one.
func testConflict(t *testing.T, l keyring.Log) {
	first := add(t, l, "x", 0, "one")
	for _, last := range []uint64{0, first + 1} {
		if _, err := l.Append(t.Context(), "x", last, []byte("no")); callwright.KindOf(err) != callwright.KindConflict {
			t.Errorf("after %d: got %v", last, err)
		}
	}
	second := add(t, l, "x", first, "two")
	if _, err := l.Append(t.Context(), "x", first, []byte("no")); callwright.KindOf(err) != callwright.KindConflict {
		t.Errorf("got %v", err)
	}
	add(t, l, "x", second, "three")
	expectTexts(t, l, "one", "two", "three")
}

// testTogether tests that only one of several concurrent Appends to one subject succeeds.
func testTogether(t *testing.T, open func(t *testing.T, name string) keyring.Log) {
	logs := []keyring.Log{open(t, t.Name()), open(t, t.Name())}
	var wg sync.WaitGroup
	var mu sync.Mutex
	added := 0
	for i := range 8 {
		wg.Go(func() {
			_, err := logs[i%len(logs)].Append(t.Context(), "x", 0, []byte("one"))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				added++
			case callwright.KindOf(err) != callwright.KindConflict:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if added != 1 {
		t.Errorf("%d were added", added)
	}
}

// testKept tests that the last 64 entries of a subject are kept, regardless of their size.
func testKept(t *testing.T, l keyring.Log) {
	other := add(t, l, "other", 0, "other")
	last := uint64(0)
	for i := range 70 {
		last = add(t, l, "x", last, fmt.Sprint(i))
	}
	large := bytes.Repeat([]byte("x"), 100<<10)
	add(t, l, "other", other, string(large))
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		got := texts(t, l)
		n := len(got)
		if n >= 66 && got[n-1] == string(large) && got[n-2] == "69" && got[n-65] == "6" && got[0] == "other" {
			return
		}
		if time.Since(begun) > longestWait {
			t.Fatalf("got %d entries", n)
		}
	}
}

func testCanceled(t *testing.T, l keyring.Log) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ctx, "x", 0, []byte("no")); callwright.KindOf(err) != callwright.KindCanceled {
		t.Errorf("got %v", err)
	}
	if got := texts(t, l); len(got) > 0 {
		t.Errorf("read %v", got)
	}
}
