package pool_test

import (
	"bytes"
	"io"
	"runtime/debug"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwright/callwright/internal/pool"
	"pgregory.net/rapid"
)

// A loan has all that it reads, in pieces of any size and however little room was asked for, and an error of the reader is told.
func TestLoanReads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Repeat("0123456789", rapid.SampledFrom([]int{0, 1, 409, 410, 3000, 200_000}).Draw(t, "tens"))
		var r io.Reader = strings.NewReader(text)
		if rapid.Bool().Draw(t, "halved") {
			r = iotest.HalfReader(r)
		}
		var want error
		if rapid.Bool().Draw(t, "broken") {
			want = iotest.ErrTimeout
			r = io.MultiReader(r, iotest.ErrReader(want))
		}
		l := pool.Borrow(rapid.IntRange(0, len(text)+1).Draw(t, "room"))
		n, err := l.ReadAll(r, rapid.SampledFrom([]int64{-1, 0, 100, int64(len(text)), 1 << 40}).Draw(t, "expected"))
		if n != int64(len(text)) || err != want || string(l.Bytes) != text { //nolint:errorlint // it is passed on as it is
			t.Fatalf("got %d bytes, %v", n, err)
		}
		l.Return()
	})
}

// TestLoanTrusts: a sender that says that much comes holds at most sixteen times the memory of what came.
func TestLoanTrusts(t *testing.T) {
	for _, came := range []int{0, 1, 5000, 100_000} {
		l := pool.Borrow(4096)
		_, _ = l.ReadAll(io.LimitReader(zeros{}, int64(came)), 1<<40)
		if most := 16 * max(came, 4096); cap(l.Bytes) > most {
			t.Errorf("%d bytes came, and %d are held, want at most %d", came, cap(l.Bytes), most)
		}
		l.Return()
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// What was borrowed has room, is empty, and is nobody else's.
func TestLoansAreApart(t *testing.T) {
	var all []*pool.Loan
	for room := range 3000 {
		l := pool.Borrow(room)
		if len(l.Bytes) != 0 || cap(l.Bytes) < room {
			t.Fatalf("%d: got %d of %d bytes", room, len(l.Bytes), cap(l.Bytes))
		}
		l.Bytes = append(l.Bytes, bytes.Repeat([]byte{byte(room)}, room)...)
		if all = append(all, l); room%3 == 0 {
			all[room/3].Return()
			all[room/3] = nil
		}
	}
	for room, l := range all {
		if l != nil && !bytes.Equal(l.Bytes, bytes.Repeat([]byte{byte(room)}, room)) {
			t.Errorf("%d: another has written to it", room)
		}
	}
}

// Memory of any other size, and none, may be returned too.
func TestOtherSizesReturn(t *testing.T) {
	for _, l := range []*pool.Loan{nil, {}, {Bytes: make([]byte, 0, 2048)}, {Bytes: make([]byte, 5000)}, {Bytes: make([]byte, 0, 4<<20)}} {
		if !pool.Poisons { // which needs pages
			l.Return()
		}
	}
	if l := pool.Borrow(1); cap(l.Bytes) < 4096 || len(l.Bytes) != 0 {
		t.Errorf("got %d of %d bytes", len(l.Bytes), cap(l.Bytes))
	}
}

// Where memory is poisoned, what was returned is not as it was.
func TestReturnedIsGone(t *testing.T) {
	if !pool.Poisons {
		t.Skip("without the race detector, and without the tag poison")
	}
	l := pool.Borrow(100)
	kept := append(l.Bytes, "text"...)
	l.Bytes = kept
	l.Return()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { _ = recover() }()
	if string(kept) == "text" {
		t.Error("it is")
	}
}
