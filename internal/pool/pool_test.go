package pool_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/callwright/callwright/internal/pool"
)

type buffer [64]byte

func buffers() *pool.Pool[buffer] {
	return pool.New(func(b *buffer) [][]byte { return [][]byte{b[:8], b[32:32]} })
}

func TestPoison(t *testing.T) {
	p, b := buffers(), new(buffer)
	p.Put(b)
	want := new(buffer)
	if pool.Poisons {
		want = (*buffer)(bytes.Repeat([]byte{pool.Poison}, len(want)))
	}
	if *b != *want {
		t.Errorf("got %x, want %x", *b, *want)
	}
}

// Nobody else has a value between Get and Put.
func TestExclusive(t *testing.T) {
	p := buffers()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			mine := bytes.Repeat([]byte{byte(i)}, len(buffer{}))
			for range 1000 {
				b := p.Get()
				copy(b[:], mine)
				if !bytes.Equal(b[:], mine) {
					t.Error("another has written to it")
				}
				p.Put(b)
			}
		})
	}
	wg.Wait()
}
