package clientconn

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A connection behaves as the one that it is made of, whatever is done with its deadlines, between reads and writes and during them.
func TestSameAsPlain(t *testing.T) {
	timeouts, moved := 0, 0
	for seed := range uint64(400) {
		synctest.Test(t, func(t *testing.T) {
			plain := script(t, seed, func(c net.Conn) net.Conn { return c })
			own := script(t, seed, func(c net.Conn) net.Conn { return newConn(c) })
			if !slices.Equal(plain, own) {
				t.Fatalf("script %d:\n%s\nplain:\n%s", seed, strings.Join(own, "\n"), strings.Join(plain, "\n"))
			}
			for _, l := range plain {
				timeouts += strings.Count(l, "timeout")
				moved += strings.Count(l, "nil")
			}
		})
	}
	if timeouts < 100 || moved < 100 {
		t.Errorf("of all reads and writes %d timed out and %d did not: the scripts try too little", timeouts, moved)
	}
}

// script does a number of things with both ends of a connection, and tells what came of each when nothing moves any more.
func script(t *testing.T, seed uint64, around func(net.Conn) net.Conn) (told []string) {
	rng := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same for each run
	near, far := net.Pipe()
	c := around(near)
	busy := map[string]bool{}
	ended := make(chan string, 64)
	start := func(op string, do func() (int, error)) {
		if busy[op] {
			return
		}
		busy[op] = true
		go func() {
			n, err := do()
			word := "nil"
			switch {
			case errors.Is(err, os.ErrDeadlineExceeded):
				word = "timeout"
			case err != nil:
				word = "closed"
			}
			ended <- fmt.Sprint(op, " ", n, " ", word)
		}()
	}
	settle := func(what string) {
		synctest.Wait()
		var now []string
		for len(ended) > 0 {
			e := <-ended
			op, _, _ := strings.Cut(e, " ")
			busy[op] = false
			now = append(now, e)
		}
		slices.Sort(now)
		told = append(told, what+": "+strings.Join(now, ", "))
	}
	// Deadlines are at half seconds, so that none is when something else happens.
	at := func() time.Time {
		return []time.Time{{}, time.Unix(1, 0), time.Now().Add(500 * time.Millisecond), time.Now().Add(2500 * time.Millisecond), time.Now().Add(time.Hour)}[rng.IntN(5)]
	}
	for range 60 {
		n, what := 1+rng.IntN(8), rng.IntN(9)
		switch what {
		case 0, 1:
			_ = c.SetReadDeadline(at())
		case 2:
			_ = c.SetWriteDeadline(at())
		case 3:
			_ = c.SetDeadline(at())
		case 4:
			time.Sleep(time.Duration(n) * time.Second)
		case 5:
			start("read", func() (int, error) { return c.Read(make([]byte, n)) })
		case 6:
			start("write", func() (int, error) { return c.Write(make([]byte, n)) })
		case 7:
			start("send", func() (int, error) { return far.Write(make([]byte, n)) })
		case 8:
			start("take", func() (int, error) { return io.ReadFull(far, make([]byte, n)) })
		}
		settle(fmt.Sprint(what, " ", n))
	}
	_, _ = c.Close(), far.Close()
	settle("close")
	return told
}

// Connections of TLS stay what they are, for http.Server to find HTTP/2 on them.
func TestNew(t *testing.T) {
	near, far := net.Pipe()
	defer func() { _, _ = near.Close(), far.Close() }()
	if c := New(near); c != near {
		t.Errorf("a %T became a %T", near, c)
	}
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = ln.Close() }()
	dialed, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dialed.Close() }()
	c, ok := New(dialed).(*conn)
	if !ok {
		t.Fatal("a TCP connection keeps its deadlines")
	}
	_ = c.SetReadDeadline(time.Now().Add(-time.Second))
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a read after its deadline: %v", err)
	}
}
