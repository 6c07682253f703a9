package linebuffer

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A pieces keeps what it was given in one call apart.
type pieces struct {
	mu  sync.Mutex
	got []string
}

func (p *pieces) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got = append(p.got, string(b))
	return len(b), nil
}

func (p *pieces) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.got, "|")
}

func TestLineBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to pieces
		l := New(&to)
		for _, line := range []string{"a\n", "b\n"} {
			if _, err := l.Write([]byte(line)); err != nil {
				t.Fatal(err)
			}
		}
		if got := to.String(); got != "" {
			t.Errorf("expected nothing yet, got %q", got)
		}
		time.Sleep(maxTime + time.Millisecond)
		if got := to.String(); got != "a\nb\n" {
			t.Errorf("expected both lines in one piece, got %q", got)
		}
		_, _ = l.Write([]byte("c\n"))
		l.Flush()
		if got := to.String(); got != "a\nb\n|c\n" {
			t.Errorf("expected the third line at once, got %q", got)
		}
		_, _ = l.Write(bytes.Repeat([]byte("d"), maxSize))
		if got := len(to.String()); got < maxSize {
			t.Errorf("expected a full buffer to be written at once, got %d bytes", got)
		}
		time.Sleep(time.Second)
	})
}
