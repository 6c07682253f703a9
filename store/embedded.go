package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/fileerror"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/nats-io/nats-server/v2/server"
)

// An embedded is a server inside the process. It opens no port.
type embedded struct {
	dir string

	mu     sync.Mutex
	lock   *os.File
	server *server.Server // nil while it could not be started
	failed error          // why it could not
	broken error          // a write of a file that failed, after which the server writes nothing more to it
	closed bool
}

const (
	lockName  = "lock"
	lockWait  = time.Second // that of a process that was killed is given back at once
	startWait = 10 * time.Second
	// maxMessage bounds a message; larger ones are kept in parts.
	maxMessage = 8 * mebi
	maxMemory  = 8 * mebi // of what consumers keep in memory
	maxStore   = 1 << 42  // the streams have bounds of their own
	// reviveEvery is how often a server that stopped by itself, as when the disk is full, is started anew.
	reviveEvery = 2 * time.Second
)

// startEmbedded starts the server of a folder. A folder that cannot be written is no error: problem says so, and revive tries again.
func startEmbedded(ctx context.Context, dir string) (*embedded, error) {
	if !filelock.Supported {
		return nil, callwright.Errorf(opOpen, callwright.KindUnsupported, "", "this operating system has no locks on files that a folder of state could use: name a NATS server")
	}
	e := &embedded{dir: dir}
	if err := e.start(ctx); err != nil {
		if callwright.KindOf(err) == callwright.KindConflict {
			return nil, err
		}
		e.failed = err
	}
	return e, nil
}

// start takes the folder and starts the server.
func (e *embedded) start(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed || e.server != nil {
		return nil
	}
	if e.lock == nil {
		if err := e.take(ctx); err != nil {
			return err
		}
	}
	srv, err := server.NewServer(&server.Options{
		ServerName: "callwright", DontListen: true, NoSigs: true, NoLog: true, StoreDir: e.dir, JetStream: true, DisableJetStreamBanner: true,
		SyncAlways: true, JetStreamMaxMemory: maxMemory, JetStreamMaxStore: maxStore, MaxPayload: maxMessage,
	})
	if err != nil {
		return fileerror.Wrap(opOpen, e.dir, err)
	}
	log := &serverLog{}
	srv.SetLoggerV2(log, false, false, false)
	srv.Start()
	if !srv.ReadyForConnections(startWait) || !srv.JetStreamEnabled() {
		srv.Shutdown()
		srv.WaitForShutdown()
		return fileerror.Wrap(opOpen, e.dir, log.last())
	}
	e.server, e.failed = srv, nil
	return nil
}

// take makes the folder and locks it.
func (e *embedded) take(ctx context.Context) error {
	if err := os.MkdirAll(e.dir, 0o700); err != nil {
		return fileerror.Wrap(opOpen, e.dir, err)
	}
	root, err := os.OpenRoot(e.dir)
	if err != nil {
		return fileerror.Wrap(opOpen, e.dir, err)
	}
	wait, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	e.lock, err = filelock.Open(wait, root, lockName, os.O_CREATE)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = callwright.Errorf(opOpen, callwright.KindConflict, "",
			"another process keeps its state in %s: one at a time can; end it, name another state.dir, or have both use a NATS server (state.nats)", filepath.Dir(e.dir))
	}
	return fileerror.Wrap(opOpen, e.dir, errors.Join(err, root.Close()))
}

// InProcessConn gives a connection to the server.
func (e *embedded) InProcessConn() (net.Conn, error) {
	e.mu.Lock()
	srv := e.server
	e.mu.Unlock()
	if srv == nil {
		return nil, errStopped
	}
	return srv.InProcessConn()
}

var errStopped = errors.New("the server in the process is not running")

// problem says why the server does not serve; nil where it does.
func (e *embedded) problem() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.failed != nil:
		return e.failed
	case e.server != nil && !e.server.JetStreamEnabled():
		return errUnwritten
	}
	return e.broken
}

var errUnwritten = errors.New("its files could not be written")

// suspect notes that a file could not be written.
func (e *embedded) suspect(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.broken = err
}

// halt stops the server where it does not serve any more, and reports whether there is none now.
func (e *embedded) halt() bool {
	e.mu.Lock()
	srv := e.server
	if srv != nil && (e.broken != nil || !srv.JetStreamEnabled()) {
		e.server, e.failed, e.broken = nil, cmp.Or(e.broken, errUnwritten), nil
	}
	none := e.server == nil
	e.mu.Unlock()
	if srv != nil && none {
		srv.Shutdown()
		srv.WaitForShutdown()
	}
	return none
}

// stop ends the server and gives the folder back.
func (e *embedded) stop() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
		e.server = nil
	}
	if e.lock == nil {
		return nil
	}
	err := filelock.Release(e.lock)
	e.lock = nil
	return fileerror.Wrap("store.close", e.dir, err)
}

// revive starts the server anew where it stopped, until the Store is closed.
func (s *Store) revive() {
	for s.wait(reviveEvery) {
		if !s.server.halt() {
			continue
		}
		err := s.server.start(s.ctx)
		for _, st := range s.streams {
			st.forget()
		}
		s.server.mu.Lock()
		s.server.failed = err
		s.server.mu.Unlock()
	}
}

// wait waits and reports whether the Store is still open.
func (s *Store) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-s.ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// A serverLog keeps the last error that the server logged.
type serverLog struct {
	mu   sync.Mutex
	line string
}

func (l *serverLog) Noticef(string, ...any) {}
func (l *serverLog) Warnf(string, ...any)   {}
func (l *serverLog) Debugf(string, ...any)  {}
func (l *serverLog) Tracef(string, ...any)  {}

func (l *serverLog) Errorf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.line = fmt.Sprintf(format, args...)
}

func (l *serverLog) Fatalf(format string, args ...any) { l.Errorf(format, args...) }

func (l *serverLog) last() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.line == "" {
		return errors.New("the server in the process did not start")
	}
	return errors.New(l.line)
}
