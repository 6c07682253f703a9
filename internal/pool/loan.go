package pool

import (
	"io"
	"math/bits"
	"sync"
)

// A Loan is memory that is lent for a time, as for the body of a request. Bytes belong to the borrower, until it is
// returned. Built with the race detector or the tag poison, returned memory cannot be read any more: on Linux a read
// ends the process, elsewhere the memory is overwritten.
type Loan struct {
	Bytes []byte
}

// The sizes of loans are powers of two. Larger ones are not kept for the next.
const (
	leastLoan = 12 // 4 KB
	mostLoan  = 23 // 8 MB
)

var loans [mostLoan - leastLoan + 1]sync.Pool

// Borrow lends memory with room for so many bytes, without any in it.
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

// Return gives the memory back. Nobody may use it, or memory of it, afterwards. It may be called for nil.
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

// trust is how many times as much memory as the received bytes may be allocated by the sender's announced length.
const trust = 16

// ReadAll appends the bytes of r until its end. Where there is no room the loan becomes a larger one, of at least so
// many bytes as are expected once a sixteenth of them has come.
func (l *Loan) ReadAll(r io.Reader, expected int64) (n int64, err error) {
	for {
		if have := cap(l.Bytes); len(l.Bytes) == have {
			l.grow(max(2*have, int(min(expected+1, int64(trust*have), 1<<mostLoan)))) // one more to see the end
		}
		got, err := r.Read(l.Bytes[len(l.Bytes):cap(l.Bytes)])
		l.Bytes = l.Bytes[:len(l.Bytes)+got]
		n += int64(got)
		switch {
		case err == io.EOF: //nolint:errorlint // readers say it as it is
			return n, nil
		case err != nil:
			return n, err
		}
	}
}

// grow gets that much room.
func (l *Loan) grow(room int) {
	larger := Borrow(room)
	larger.Bytes = append(larger.Bytes, l.Bytes...)
	l.Bytes, larger.Bytes = larger.Bytes, l.Bytes
	larger.Return()
}
