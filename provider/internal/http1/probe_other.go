//go:build !unix

package http1

import (
	"net"
	"syscall"
)

const canProbe = false

func rawConn(net.Conn) syscall.RawConn { return nil }

func (c *conn) waits() bool { return false }
