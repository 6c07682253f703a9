package store

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/nats-io/nats-server/v2/server"
)

// socketName is the socket in the folder of a server. Who has the folder's lock listens there.
const socketName = "socket"

// A sharing gives other processes of this user connections to the server in the process. A nil one gives none.
type sharing struct {
	ln  net.Listener
	srv *server.Server
	all sync.WaitGroup

	mu    sync.Mutex
	conns map[net.Conn]bool // of both sides; nil once it is closed
}

// share listens at the socket of a folder, whose lock is held. A folder in which no socket can be has no other processes: nil.
func share(dir string, srv *server.Server) *sharing {
	path := filepath.Join(dir, socketName)
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
	s := &sharing{ln: ln, srv: srv, conns: map[net.Conn]bool{}}
	s.all.Go(s.accept)
	return s
}

// accept connects whoever comes with the server, until it is closed.
func (s *sharing) accept() {
	for {
		conn, err := s.ln.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // such as no more file descriptors
			time.Sleep(firstReconnect)
			continue
		}
		s.all.Go(func() { s.connect(conn) })
	}
}

// connect passes on what is said between a connection and the server, until one of them ends it.
func (s *sharing) connect(conn net.Conn) {
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
func (s *sharing) add(conns ...net.Conn) bool {
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

// used reports whether another process is connected.
func (s *sharing) used() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns) > 0
}

// close ends all connections.
func (s *sharing) close() {
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

// dialShared connects with the server of the process that has a folder.
func dialShared(dir string) (net.Conn, error) {
	return net.DialTimeout("unix", filepath.Join(dir, socketName), dialTime)
}

// reach makes sure that the server of the process that was joined can be used, or takes its place.
func (e *embedded) reach(ctx context.Context) error {
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	for {
		conn, err := e.InProcessConn()
		if err == nil {
			return conn.Close()
		}
		if !e.isJoined() {
			return err
		}
		timer := time.NewTimer(firstPause)
		select {
		case <-timer.C:
		case <-wait.Done():
			timer.Stop()
			return &callwright.Error{Op: opOpen, Kind: callwright.KindConflict, Message: "the process that keeps its state in " + filepath.Dir(e.dir) + " is not reached", Err: err}
		}
	}
}
