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

// An embedded is a server inside the process, which keeps its files in a folder. It opens no port. Other processes of
// this user reach it by a socket in the folder. Where another process has the folder already, one that may join it uses
// that one's server, and starts its own when that one ends.
type embedded struct {
	dir  string
	join bool
	told func(error) // called when a file could not be written

	turn   sync.Mutex // held while the server is started or stopped, before mu
	lock   *os.File   // of the folder; nil while another process has it
	closed bool

	mu     sync.Mutex
	server *server.Server  // nil while it could not be started, or is another process's
	shared *socket.Sharing // gives connections to it
	joined bool            // the server is another process's
	failed error           // why it could not be started
	broken error           // a write of a file that failed, after which the server writes nothing more to it
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

// startEmbedded starts the server of a folder. A folder that cannot be written is no error: problem says so, and revive
// tries again.
func startEmbedded(ctx context.Context, dir string, join bool, told func(error)) (*embedded, error) {
	if !filelock.Supported {
		return nil, callwright.Errorf(opOpen, callwright.KindUnsupported, "",
			"this operating system has no locks on files that a folder of state could use: name a NATS server")
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

// start takes the folder and starts the server, or joins the process that has the folder.
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

// set says whose the server is, ours or that of the process that was joined.
func (e *embedded) set(srv *server.Server, shared *socket.Sharing, joined bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.server, e.shared, e.joined, e.failed, e.broken = srv, shared, joined, nil, nil
}

// running is the server, where it runs in this process.
func (e *embedded) running() *server.Server {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server
}

// isJoined reports whether the server is another process's, which may have ended meanwhile.
func (e *embedded) isJoined() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.joined
}

// isShared reports whether another process uses the server.
func (e *embedded) isShared() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.joined || e.shared.HasConnections()
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
	limit := lockWait
	if e.join {
		limit = 0
	}
	wait, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	e.lock, err = filelock.Open(wait, root, lockName, os.O_CREATE)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = callwright.Errorf(opOpen, callwright.KindConflict, "",
			"another process keeps its state in %s: one at a time can; end it, name another state.dir, or have both use a NATS server (state.nats)", filepath.Dir(e.dir))
	}
	return fileerror.Wrap(opOpen, e.dir, errors.Join(err, root.Close()))
}

// InProcessConn gives a connection to the server: the one in this process, or that of the process that was joined.
// Where that has ended, its place is taken.
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

// fail notes that the server could not be started.
func (e *embedded) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.joined, e.failed = false, err
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

// suspect notes that a file could not be written. Calls that wait for it to be are told.
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

// unwritten returns the reason why the state is read-only for now, nil where it is not.
func (e *embedded) unwritten() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server != nil && !e.server.JetStreamEnabled() {
		return errUnwritten
	}
	return e.broken
}

// probeSize is how much there has to be room for before a server is started again that had none.
const probeSize = mebi

// probe reports whether the folder can be written.
func (e *embedded) probe() bool {
	path := filepath.Join(e.dir, "probe")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return false
	}
	_, err = f.Write(make([]byte, probeSize))
	return errors.Join(err, f.Sync(), f.Close(), os.Remove(path)) == nil
}

// halt stops the server where it no longer writes although it could, and reports whether a new one is to be started.
// Until then the server serves the existing data.
func (e *embedded) halt() bool {
	e.turn.Lock()
	defer e.turn.Unlock()
	writable := e.unwritten() != nil && e.probe() // which takes as long as the disk does: nobody waits for it
	e.mu.Lock()
	srv, shared := e.server, e.shared
	if srv != nil && writable {
		e.broken = cmp.Or(e.broken, errUnwritten) // nothing is written to the server that stops
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

// stop ends the server and gives the folder back.
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
		if err != nil {
			s.server.fail(err)
			continue
		}
		s.conf.Logger.Info("state: the folder is written again", "dir", s.conf.Dir)
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

// unwritten tells that the folder cannot be written, and has the calls that wait for it tried again: they fail at once
// then.
func (s *Store) unwritten(err error) {
	s.conf.Logger.Warn("state: the folder cannot be written; requests go on, and what can be written later waits in memory",
		"dir", s.conf.Dir, "error", err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lose()
	s.link, s.lose = context.WithCancel(s.ctx)
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
			return &callwright.Error{Op: opOpen, Kind: callwright.KindConflict,
				Message: "the process that keeps its state in " + filepath.Dir(e.dir) + " is not reached", Err: err}
		}
	}
}
