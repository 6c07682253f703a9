package store

import (
	"cmp"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/fileerror"
	"github.com/callwright/callwright/internal/filelock"
	"github.com/callwright/callwright/internal/store/internal/serverlog"
	"github.com/callwright/callwright/internal/store/internal/socket"
	"github.com/nats-io/nats-server/v2/server"
)

// An embedded is a NATS server inside this process with a data directory. It opens no port. Other processes of the user
// reach it by a socket in the directory. If another process has locked the directory and join is set, this process uses
// that server and starts its own when that process ends.
type embedded struct {
	dir  string
	join bool
	told func(error) // called when a file could not be written

	turn   sync.Mutex // held while the server starts or stops; locked before mu
	lock   *os.File   // lock of the directory; nil while another process has it
	closed bool

	mu     sync.Mutex
	server *server.Server  // nil if it could not start, or runs in another process
	shared *socket.Sharing // gives other processes connections to the server
	joined bool            // the server runs in another process
	failed error           // why the server could not start
	broken error           // error of a failed file write; the server then writes nothing more to that file
}

const (
	lockName  = "lock"
	lockWait  = time.Second // enough because the lock of a killed process is released at once
	startWait = 10 * time.Second
	// maxMessage is the maximum message size in bytes. Larger data is split into several messages.
	maxMessage = 8 * mebi
	maxMemory  = 8 * mebi // bytes of consumers in memory
	maxStore   = 1 << 42  // the streams have their own limits
	// reviveEvery is the interval of attempts to restart a server that stopped itself, for example because the disk was
	// full.
	reviveEvery = 2 * time.Second
)

// startEmbedded starts the server for a directory. If the directory cannot be written, it returns no error; problem
// returns the reason, and revive retries.
func startEmbedded(ctx context.Context, dir string, join bool, told func(error)) (*embedded, error) {
	if !filelock.Supported {
		return nil, callwright.Errorf(opOpen, callwright.KindUnsupported, "",
			"this operating system lacks the file locks that state.dir needs: use a NATS server (state.nats)")
	}
	e := &embedded{dir: dir, join: join, told: told}
	err := e.start(ctx)
	if err == nil && e.isJoined() {
		err = e.reach(ctx)
	}
	if err != nil {
		if callwright.KindOf(err) == callwright.KindConflict {
			return nil, err
		}
		e.failed = err
	}
	return e, nil
}

// start locks the directory and starts the server, or joins the process that holds the lock.
func (e *embedded) start(ctx context.Context) error {
	e.turn.Lock()
	defer e.turn.Unlock()
	if e.closed || e.running() != nil {
		return nil
	}
	if e.lock == nil {
		err := e.take(ctx)
		if e.join && callwright.KindOf(err) == callwright.KindConflict {
			e.set(nil, nil, true)
			return nil
		}
		if err != nil {
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
	log := &serverlog.Log{Failed: e.suspect}
	srv.SetLoggerV2(log, false, false, false)
	srv.Start()
	if !srv.ReadyForConnections(startWait) || !srv.JetStreamEnabled() {
		srv.Shutdown()
		srv.WaitForShutdown()
		return fileerror.Wrap(opOpen, e.dir, log.Last())
	}
	e.set(srv, socket.Share(e.dir, srv), false)
	return nil
}

// set records the server: srv of this process, or, with joined, the server of another process.
func (e *embedded) set(srv *server.Server, shared *socket.Sharing, joined bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.server, e.shared, e.joined, e.failed, e.broken = srv, shared, joined, nil, nil
}

// running returns the server of this process, nil if it does not run.
func (e *embedded) running() *server.Server {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server
}

// isJoined reports whether the server belongs to another process. That process may have ended.
func (e *embedded) isJoined() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.joined
}

// isShared reports whether another process uses or runs the server.
func (e *embedded) isShared() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.joined || e.shared.HasConnections()
}

// take creates and locks the directory.
func (e *embedded) take(ctx context.Context) error {
	if err := os.MkdirAll(e.dir, 0o700); err != nil {
		return fileerror.Wrap(opOpen, e.dir, err)
	}
	root, err := os.OpenRoot(e.dir)
	if err != nil {
		return fileerror.Wrap(opOpen, e.dir, err)
	}
	limit := lockWait
	if e.join {
		limit = 0
	}
	wait, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	e.lock, err = filelock.Open(wait, root, lockName, os.O_CREATE)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = callwright.Errorf(opOpen, callwright.KindConflict, "",
			"another process uses %s, and only one can: end it, choose another state.dir, or use a NATS server for both (state.nats)", filepath.Dir(e.dir))
	}
	return fileerror.Wrap(opOpen, e.dir, errors.Join(err, root.Close()))
}

// InProcessConn returns a connection to the server of this process or of the joined process. If the joined process has
// ended, it starts a server in this process. It implements nats.InProcessConnProvider.
func (e *embedded) InProcessConn() (net.Conn, error) {
	if e.isJoined() {
		if err := e.start(context.Background()); err != nil {
			e.fail(err)
			return nil, err
		}
	}
	if srv := e.running(); srv != nil {
		return srv.InProcessConn()
	}
	if e.isJoined() {
		return socket.Dial(e.dir)
	}
	return nil, errStopped
}

// fail records that the server could not start.
func (e *embedded) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.joined, e.failed = false, err
}

var errStopped = errors.New("the server in the process is not running")

// problem returns why the server does not work, nil if it works.
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

// suspect records that a file could not be written. The first time, it calls told, which fails waiting calls.
func (e *embedded) suspect(err error) {
	e.mu.Lock()
	first := e.server != nil && e.broken == nil
	if first {
		e.broken = err
	}
	e.mu.Unlock()
	if first {
		e.told(err)
	}
}

// unwritten returns why nothing can be written, nil if writing works.
func (e *embedded) unwritten() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server != nil && !e.server.JetStreamEnabled() {
		return errUnwritten
	}
	return e.broken
}

// probeSize is the free disk space in bytes that is required to restart a server after the disk was full.
const probeSize = mebi

// probe reports whether probeSize bytes can be written to the directory.
func (e *embedded) probe() bool {
	path := filepath.Join(e.dir, "probe")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	_, err = f.Write(make([]byte, probeSize))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(path)) == nil
}

// halt stops a server that no longer writes if the directory is writable again. It reports whether a new server should
// be started. Until then, the old server serves its existing data.
func (e *embedded) halt() bool {
	e.turn.Lock()
	defer e.turn.Unlock()
	writable := e.unwritten() != nil && e.probe() // slow if the disk is slow, so no lock of mu
	e.mu.Lock()
	srv, shared := e.server, e.shared
	if srv != nil && writable {
		e.broken = cmp.Or(e.broken, errUnwritten) // the stopping server must get no writes
		e.server, e.shared, e.failed = nil, nil, e.broken
	}
	none, joined := e.server == nil, e.joined
	e.mu.Unlock()
	if srv != nil && none {
		shared.Close()
		srv.Shutdown()
		srv.WaitForShutdown()
	}
	return none && !joined
}

// stop stops the server and unlocks the directory.
func (e *embedded) stop() error {
	e.turn.Lock()
	defer e.turn.Unlock()
	e.closed = true
	e.mu.Lock()
	srv, shared := e.server, e.shared
	e.server, e.shared, e.joined = nil, nil, false
	e.mu.Unlock()
	if srv != nil {
		shared.Close()
		srv.Shutdown()
		srv.WaitForShutdown()
	}
	if e.lock == nil {
		return nil
	}
	err := filelock.Release(e.lock)
	e.lock = nil
	return fileerror.Wrap("store.close", e.dir, err)
}

// revive restarts the server after it stopped itself, until the Store is closed.
func (s *Store) revive() {
	for s.wait(reviveEvery) {
		if !s.server.halt() {
			continue
		}
		err := s.server.start(s.ctx)
		for _, st := range s.streams {
			st.forget()
		}
		if err != nil {
			s.server.fail(err)
			continue
		}
		s.conf.Logger.Info("state: the folder is writable again", "dir", s.conf.Dir)
	}
}

// wait sleeps for d. It returns false at once if the Store is closed.
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

// unwritten logs that the directory cannot be written, and retries the waiting calls, which then fail at once.
func (s *Store) unwritten(err error) {
	s.conf.Logger.Warn("state: the folder cannot be written: requests continue, and their data wait in memory where possible",
		"dir", s.conf.Dir, "error", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lose()
	s.link, s.lose = context.WithCancel(s.ctx)
}

// reach waits until the server of the joined process can be used, or starts a server in this process.
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
			return &callwright.Error{Op: opOpen, Kind: callwright.KindConflict,
				Message: "the process that uses " + filepath.Dir(e.dir) + " cannot be reached", Err: err}
		}
	}
}
