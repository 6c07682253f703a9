//go:build !unix

package http1

import (
	"errors"
	"io"
	"net"
)

const canRead = false

type readAhead struct{}

func newReadAhead(*net.TCPConn) (*readAhead, error) { return nil, errors.ErrUnsupported }

func (*readAhead) read([]byte) (int, error) { return 0, io.EOF }
func (*readAhead) wait() error              { return io.EOF }
func (*readAhead) silent() bool             { return false }
func (*readAhead) ask(func()) bool          { return false }
func (*readAhead) holds() bool              { return false }
