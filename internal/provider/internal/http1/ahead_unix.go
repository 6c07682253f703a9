//go:build unix

package http1

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/callwright/callwright/internal/pool"
)

// canRead says that connections can be read here: without waiting, to ask whether the server has closed one, and
// without memory that waits.
const canRead = true

var buffers = pool.New(func(b *[bufferSize]byte) [][]byte { return [][]byte{b[:]} })

// A readAhead holds the unread bytes of a connection. It has memory only while there are some, not while the server is
// waited for: a thousand open streams need none.
type readAhead struct {
	raw  syscall.RawConn
	fill func(fd uintptr) bool // readFrom
	look func(fd uintptr) bool // lookAt
	talk func(fd uintptr) bool // exchange
	send func()                // what exchange has to call, nil once it has
	open bool                  // what lookAt found
	buf  *[bufferSize]byte     // nil while there is nothing
	rest []byte                // of buf
	err  error                 // what the connection ended with
}

func newReadAhead(nc *net.TCPConn) (*readAhead, error) {
	raw, err := nc.SyscallConn()
	a := &readAhead{raw: raw}
	a.fill, a.look, a.talk = a.readFrom, a.lookAt, a.exchange
	return a, err
}

// read returns the available bytes, after waiting for some.
func (a *readAhead) read(p []byte) (int, error) {
	if err := a.wait(); err != nil {
		return 0, err
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	if len(a.rest) == 0 {
		buffers.Put(a.buf)
		a.buf, a.rest = nil, nil
	}
	return n, nil
}

// holds reports whether there is something to take: bytes, or the end of the connection.
func (a *readAhead) holds() bool { return a.buf != nil || a.err != nil }

// wait waits until there is something, or the connection has ended.
func (a *readAhead) wait() error {
	if a.buf != nil || a.err != nil {
		return a.err
	}
	if err := a.raw.Read(a.fill); err != nil {
		return err
	}
	return a.err
}

// readFrom reads once from a file descriptor. It reports false where there is nothing yet.
func (a *readAhead) readFrom(fd uintptr) bool {
	b := buffers.Get()
	n, err := syscall.Read(int(fd), b[:])
	for errors.Is(err, syscall.EINTR) {
		n, err = syscall.Read(int(fd), b[:])
	}
	if n > 0 {
		a.buf, a.rest = b, b[:n]
		return true
	}
	buffers.Put(b)
	switch {
	case n == 0:
		a.err = io.EOF
	case errors.Is(err, syscall.EAGAIN):
		return false
	default:
		a.err = os.NewSyscallError("read", err)
	}
	return true
}

// silent reports whether the connection is open and nothing came, as it has to be with one that waits for a request. It
// reads without waiting: a request written to a connection that the server has closed may not be sent again, as nobody
// knows whether it was taken.
func (a *readAhead) silent() bool {
	if a.holds() {
		return false
	}
	a.open = false
	return a.raw.Read(a.look) == nil && a.open
}

// ask calls send where the connection is silent, and waits until there is something to take, or the connection has
// ended. Otherwise it reports false.
func (a *readAhead) ask(send func()) bool {
	if a.holds() {
		return false
	}
	a.open, a.send = false, send
	_ = a.raw.Read(a.talk) // who reads on gets the error again
	a.send = nil
	return a.open
}

// exchange looks at a file descriptor and sends. It reports false then, for RawConn.Read to wait until there is
// something to read and to call it again, and it reads. Between sending and waiting it does not read, which would find
// nothing yet. Nothing is missed by that: RawConn.Read forgets that a connection was ready before its first call, and
// is told of every change after that, so also of one between the look and the wait.
func (a *readAhead) exchange(fd uintptr) bool {
	if a.send == nil {
		return a.readFrom(fd)
	}
	if a.lookAt(fd); !a.open {
		return true
	}
	a.send()
	a.send = nil
	return false
}

// lookAt reads a byte of a file descriptor that should have none.
func (a *readAhead) lookAt(fd uintptr) bool {
	var b [1]byte
	n, err := syscall.Read(int(fd), b[:])
	for errors.Is(err, syscall.EINTR) {
		n, err = syscall.Read(int(fd), b[:])
	}
	a.open = n < 0 && errors.Is(err, syscall.EAGAIN)
	return true
}
