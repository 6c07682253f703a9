//go:build unix

package http1

import (
	"errors"
	"net"
	"syscall"
)

// canProbe says that a connection can be asked whether its server has closed it.
const canProbe = true

func rawConn(nc net.Conn) syscall.RawConn {
	if s, ok := nc.(syscall.Conn); ok {
		if raw, err := s.SyscallConn(); err == nil {
			return raw
		}
	}
	return nil
}

// waits reports whether the connection is open and silent, as one that waits for a request has to be. It reads without waiting: a request
// that is written to a connection that the server has closed may not be sent again, as nobody knows whether it was taken.
func (c *conn) waits() bool {
	if c.raw == nil {
		return false
	}
	silent := false
	err := c.raw.Read(func(fd uintptr) bool {
		var b [1]byte
		n, err := syscall.Read(int(fd), b[:])
		silent = n < 0 && (errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EINTR))
		return true
	})
	return err == nil && silent
}
