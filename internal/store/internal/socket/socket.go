// Package socket connects processes of one user to a NATS server inside another process, by a Unix socket in its data
// directory.
package socket

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// name is the file name of the socket. The process that holds the directory's lock listens on it.
const name = "socket"

// Dial timeout, and the pause after a failed accept.
const (
	dialTime    = 3 * time.Second
	acceptPause = 100 * time.Millisecond
)

// A Sharing listens on the socket and connects other processes to the server. The methods of a nil Sharing do nothing.
type Sharing struct {
	ln  net.Listener
	srv *server.Server
	all sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // both sides of each connection; nil after Close
}

// Share listens on the socket in dir. The caller holds the directory's lock. It returns nil if the directory cannot
// contain a socket; other processes then cannot connect.
func Share(dir string, srv *server.Server) *Sharing {
	path := filepath.Join(dir, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) { // left by a killed process
		return nil
	}
	ln, err := net.Listen("unix", path)
	if err != nil {
		return nil
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = ln.Close()
		return nil
	}
	s := &Sharing{ln: ln, srv: srv, conns: map[net.Conn]bool{}}
	s.all.Go(s.accept)
	return s
}

// accept accepts connections until Close.
func (s *Sharing) accept() {
	for {
		conn, err := s.ln.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // for example, no file descriptor is left
			time.Sleep(acceptPause)
			continue
		}
		s.all.Go(func() { s.connect(conn) })
	}
}

// connect copies bytes between a connection and the server until either side closes it.
func (s *Sharing) connect(conn net.Conn) {
	inner, err := s.srv.InProcessConn()
	if err != nil {
		_ = conn.Close()
		return
	}
	if !s.add(conn, inner) {
		return
	}
	var both sync.WaitGroup
	for _, c := range [][2]net.Conn{{conn, inner}, {inner, conn}} {
		both.Go(func() {
			_, _ = io.Copy(c[0], c[1])
			_ = conn.Close()
			_ = inner.Close()
		})
	}
	both.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, conn)
	delete(s.conns, inner)
}

// add records connections for Close. If the Sharing is closed, it closes them and returns false.
func (s *Sharing) add(conns ...net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range conns {
		if s.conns == nil {
			_ = c.Close()
		} else {
			s.conns[c] = true
		}
	}
	return s.conns != nil
}

// HasConnections reports whether another process is connected.
func (s *Sharing) HasConnections() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns) > 0
}

// Close closes the socket and all connections, and waits for their goroutines.
func (s *Sharing) Close() {
	if s == nil {
		return
	}
	_ = s.ln.Close()
	s.mu.Lock()
	for c := range s.conns {
		_ = c.Close()
	}
	s.conns = nil
	s.mu.Unlock()
	s.all.Wait()
}

// Dial connects to the server of the process that holds the lock of dir.
func Dial(dir string) (net.Conn, error) {
	return net.DialTimeout("unix", filepath.Join(dir, name), dialTime)
}
