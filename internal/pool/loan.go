package pool

import (
	"io"
	"math/bits"
	"sync"
)

// A Loan is a reusable byte slice, for example for the body of a request. The borrower may use and replace Bytes until
// Return. With the race detector or the build tag poison, an access to returned memory is detectable: on Linux it
// crashes the process, and on other systems the memory is overwritten.
type Loan struct {
	Bytes []byte
}

// Capacities of loans are powers of two. These are the base-2 logarithms of the smallest and the largest. Larger slices
// are not reused.
const (
	leastLoan = 12 // 4 KB
	mostLoan  = 23 // 8 MB
)

var loans [mostLoan - leastLoan + 1]sync.Pool

// Borrow returns a Loan with empty Bytes of at least the capacity room, in bytes.
func Borrow(room int) *Loan {
	class := max(bits.Len(uint(max(room, 1)-1)), leastLoan)
	if class > mostLoan || Poisons {
		return &Loan{Bytes: lend(max(room, 1<<leastLoan))}
	}
	if l, ok := loans[class-leastLoan].Get().(*Loan); ok {
		return l
	}
	return &Loan{Bytes: make([]byte, 0, 1<<class)}
}

// Return returns the memory to the pool. The caller must not use it afterwards. Return does nothing if l is nil.
func (l *Loan) Return() {
	if l == nil {
		return
	}
	if Poisons {
		takeBack(l.Bytes)
		return
	}
	class := bits.Len(uint(cap(l.Bytes))) - 1
	if leastLoan <= class && class <= mostLoan && cap(l.Bytes) == 1<<class {
		l.Bytes = l.Bytes[:0]
		loans[class-leastLoan].Put(l)
	}
}

// trust limits the memory that is allocated because of the length announced by the sender: at most trust times the
// current capacity.
const trust = 16

// ReadAll appends all bytes of r to Bytes and returns their number. expected is the announced length of the rest. When
// Bytes is full, it moves to a larger slice: of at least twice the capacity, or of the expected length if that is at
// most trust times the capacity.
func (l *Loan) ReadAll(r io.Reader, expected int64) (n int64, err error) {
	for {
		if have := cap(l.Bytes); len(l.Bytes) == have {
			l.grow(max(2*have, int(min(expected+1, int64(trust*have), 1<<mostLoan)))) // one more byte, to detect the end
		}
		got, err := r.Read(l.Bytes[len(l.Bytes):cap(l.Bytes)])
		l.Bytes = l.Bytes[:len(l.Bytes)+got]
		n += int64(got)
		switch {
		case err == io.EOF: //nolint:errorlint // readers return io.EOF unwrapped
			return n, nil
		case err != nil:
			return n, err
		}
	}
}

// grow moves Bytes to memory with the capacity room.
func (l *Loan) grow(room int) {
	larger := Borrow(room)
	larger.Bytes = append(larger.Bytes, l.Bytes...)
	l.Bytes, larger.Bytes = larger.Bytes, l.Bytes
	larger.Return()
}
