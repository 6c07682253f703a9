// Package socket gives other processes of this user connections to the NATS server of a process, by a socket in its
// folder.
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

// name is the socket in the folder of a server. Who has the folder's lock listens there.
const name = "socket"

// Times of a socket.
const (
	dialTime    = 3 * time.Second
	acceptPause = 100 * time.Millisecond
)

// A Sharing gives other processes of this user connections to the server in the process. A nil one gives none.
type Sharing struct {
	ln  net.Listener
	srv *server.Server
	all sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // of both sides; nil once it is closed
}

// Share listens at the socket of a folder, whose lock is held. A folder in which no socket can be has no other
// processes: nil.
func Share(dir string, srv *server.Server) *Sharing {
	path := filepath.Join(dir, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) { // of a process that was killed
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

// accept connects whoever comes with the server, until it is closed.
func (s *Sharing) accept() {
	for {
		conn, err := s.ln.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as no more file descriptors
			time.Sleep(acceptPause)
			continue
		}
		s.all.Go(func() { s.connect(conn) })
	}
}

// connect copies the bytes between a connection and the server, until one of them ends it.
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

// add notes connections that are to be closed with the rest, and reports whether they are still of use.
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

// Close ends all connections.
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

// Dial connects with the server of the process that has a folder.
func Dial(dir string) (net.Conn, error) {
	return net.DialTimeout("unix", filepath.Join(dir, name), dialTime)
}
