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

// canRead reports whether this system permits non-blocking reads of a connection. They detect a connection that the
// server has closed, and waits without a buffer.
const canRead = true

var buffers = pool.New(func(b *[bufferSize]byte) [][]byte { return [][]byte{b[:]} })

// A readAhead contains the unread bytes of a connection. To save memory, it has a buffer only while there are any. The
// method values fill, look and talk are callbacks for raw.Read. They are made once, to save allocations.
type readAhead struct {
	raw  syscall.RawConn
	fill func(fd uintptr) bool // the method readFrom
	look func(fd uintptr) bool // the method lookAt
	talk func(fd uintptr) bool // the method exchange
	send func()                // sends the request; exchange calls it once and sets it to nil
	open bool                  // the result of lookAt
	buf  *[bufferSize]byte     // nil if there are no unread bytes
	rest []byte                // the unread part of buf
	err  error                 // the error or the end of the connection
}

func newReadAhead(nc *net.TCPConn) (*readAhead, error) {
	raw, err := nc.SyscallConn()
	a := &readAhead{raw: raw}
	a.fill, a.look, a.talk = a.readFrom, a.lookAt, a.exchange
	return a, err
}

// read reads available bytes. It waits if there are none.
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

// holds reports whether there are unread bytes, or the connection has ended.
func (a *readAhead) holds() bool { return a.buf != nil || a.err != nil }

// wait waits until there are bytes to read. It returns the error if the connection has ended.
func (a *readAhead) wait() error {
	if a.buf != nil || a.err != nil {
		return a.err
	}
	if err := a.raw.Read(a.fill); err != nil {
		return err
	}
	return a.err
}

// readFrom reads once from a file descriptor and stores the bytes or the error. It returns false if none is available
// yet.
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

// silent reports whether the connection is open and the server has sent nothing, as is required of an idle connection.
// The check does not block. It is needed because a request that was written to a closed connection must not be sent
// again, as the server may have processed it.
func (a *readAhead) silent() bool {
	if a.holds() {
		return false
	}
	a.open = false
	return a.raw.Read(a.look) == nil && a.open
}

// ask calls send if the connection is silent, and then waits for the response or the end of the connection. It returns
// false, without calling send, if the connection is not silent.
func (a *readAhead) ask(send func()) bool {
	if a.holds() {
		return false
	}
	a.open, a.send = false, send
	_ = a.raw.Read(a.talk) // the next read returns the error
	a.send = nil
	return a.open
}

// exchange checks that a connection is silent and calls send. It then returns false, so that RawConn.Read waits for
// data and calls it again to read. It does not read immediately after send, since the response cannot have arrived yet.
// No event is missed: RawConn.Read resets the readiness of the descriptor before its first call, and is notified of
// every later change.
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

// lookAt stores in a.open whether a file descriptor is open and has no data. It reads a byte without blocking. The
// result is always true.
func (a *readAhead) lookAt(fd uintptr) bool {
	var b [1]byte
	n, err := syscall.Read(int(fd), b[:])
	for errors.Is(err, syscall.EINTR) {
		n, err = syscall.Read(int(fd), b[:])
	}
	a.open = n < 0 && errors.Is(err, syscall.EAGAIN)
	return true
}
