package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Store stores data on NATS. Create it with Open. It is safe for concurrent use.
type Store struct {
	conf   Config
	id     string // id of this Store in the messages that it writes
	server *embedded
	nc     *nats.Conn
	js     jetstream.JetStream

	streams map[Kind]*stream

	ctx    context.Context // canceled by Close
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	mirror mirrors

	mu    sync.Mutex
	link  context.Context // canceled when the connection is lost
	lose  context.CancelFunc
	away  time.Time // when the connection was lost; zero while connected
	there time.Time // when the connection was made
	why   error     // why the connection was lost
	wrong error     // error of the last call of NATS, nil if it succeeded
}

// Time limits of calls. Calls that must be acknowledged last longer than the election of a leader. Calls that a request
// waits for do not.
const (
	patience       = 20 * time.Second       // time limit of a call that must be acknowledged
	ownPatience    = 10 * time.Second       // for a server in this process, which has no elections
	requestTimeout = time.Second            // time limit of a call that a request waits for
	attemptTime    = 2 * time.Second        // time limit of one attempt of a call
	awayTime       = 3 * time.Second        // longer than an election leaves all servers unavailable
	dialTime       = 3 * time.Second        // time limit of connecting
	firstMirror    = 2 * time.Second        // maximum wait for a cluster until the existing messages of a stream were read
	firstPause     = 20 * time.Millisecond  // pause before the first retry
	longestPause   = 500 * time.Millisecond // maximum pause between retries
)

// Open opens a Store. If NATS is unreachable or the directory cannot be written, Open succeeds and the Store keeps
// trying. It fails for an invalid Config (KindInvalid), rejected credentials (KindAuth), and a directory locked by
// another process (KindConflict). The caller must call Close.
func Open(ctx context.Context, c Config) (*Store, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	if c.Space == "" {
		c.Space = DefaultSpace
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &Store{conf: c, id: uuid.NewString(), streams: map[Kind]*stream{}}
	for i := range rows {
		s.streams[rows[i].kind] = s.newStream(&rows[i], c.limits(&rows[i]))
	}
	s.ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	s.link, s.lose = context.WithCancel(s.ctx)
	if err := s.connect(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// connect starts the server for Config.Dir and connects to it, or connects to Config.URL.
func (s *Store) connect(ctx context.Context) (err error) {
	if s.conf.URL == "" {
		if s.server, err = startEmbedded(ctx, s.conf.Dir, s.conf.Join, s.unwritten); err != nil {
			return err
		}
	}
	if s.nc, err = s.dial(); err != nil {
		return err
	}
	s.js, err = jetstream.New(s.nc, jetstream.WithDefaultTimeout(attemptTime))
	if err == nil && s.server != nil {
		s.tasks.Go(s.revive)
	}
	if err == nil && s.expires() {
		s.tasks.Go(s.expire)
	}
	return err
}

// expires reports whether runs or queues have a maximum age.
func (s *Store) expires() bool {
	for _, st := range s.streams {
		if st.row.whole != nil && st.bounds.age > 0 {
			return true
		}
	}
	return false
}

// Close waits a limited time for queued writes, closes the connection and stops the server in this process.
func (s *Store) Close() error {
	s.mirror.drain()
	s.cancel()
	s.tasks.Wait()
	if s.nc != nil {
		s.nc.Close()
	}
	if s.server != nil {
		return s.server.stop()
	}
	return nil
}

// Health returns the current problems of the store, nil if there are none.
func (s *Store) Health() []health.Problem {
	var out []health.Problem
	s.mu.Lock()
	away, why, wrong := s.away, s.why, s.wrong
	s.mu.Unlock()
	if s.server != nil {
		if err := s.server.problem(); err != nil {
			wrong = err
		}
	}
	switch {
	case !away.IsZero() && !s.hasServer():
		cause := fmt.Sprintf("NATS at %s has been unavailable since %s", s.conf.place(), away.UTC().Format(time.RFC3339))
		if why != nil {
			cause += ": " + why.Error()
		}
		out = append(out, problem("start NATS, or check state.nats and the network", cause))
	case wrong != nil && s.server != nil:
		out = append(out, problem("free space on the disk, or make the folder writable", "%s: %v", s.conf.place(), wrong))
	case wrong != nil:
		out = append(out, problem(needsQuorum, "%s: %v", s.conf.place(), wrong))
	case s.server == nil && s.mirror.isStuck():
		out = append(out, problem(needsQuorum,
			"NATS at %s is connected but accepts no data, because its streams have no leader", s.conf.place()))
	}
	return append(out, s.mirror.health()...)
}

const needsQuorum = "check the NATS servers: the majority of the servers of each stream must run"

// problem returns a health.Problem of the store. cause is a format string if there are args.
func problem(remedy, cause string, args ...any) health.Problem {
	if len(args) > 0 {
		cause = fmt.Sprintf(cause, args...)
	}
	return health.Problem{Severity: health.Degraded, Subject: "state", Topic: health.TopicState, Cause: cause, Remedy: remedy}
}

// attempts calls the function do until it succeeds, fails permanently, the time limit has passed, or waiting is
// hopeless. again is true for a retry. Errors of NATS are returned as *callwright.Error.
func (s *Store) attempts(ctx context.Context, op string, limit time.Duration, do func(ctx context.Context, again bool) error) error {
	if err := ctx.Err(); err != nil {
		return canceledError(op, err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errLate)
	defer cancel()
	pause, long := firstPause, attemptTime
	for again := false; ; again = true {
		attempt, done := s.whileConnected(ctx, long)
		long *= 2 // allow for a slow machine
		err := do(attempt, again)
		if errors.Is(err, context.Canceled) && errors.Is(context.Cause(attempt), errAway) {
			err = errAway
		}
		done()
		if err == nil || isFinal(err) {
			s.did(nil)
			return err
		}
		if s.server != nil && codeOf(err) == errStoreFailed {
			s.server.suspect(err)
		}
		if ctx.Err() == nil && !s.hopeless(limit) {
			timer := time.NewTimer(pause)
			select {
			case <-timer.C:
				pause = min(2*pause, longestPause)
				continue
			case <-ctx.Done():
				timer.Stop()
			case <-s.ctx.Done():
				timer.Stop()
			}
		}
		if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errLate) {
			return canceledError(op, ctx.Err())
		}
		if s.hasServer() {
			err = cmp.Or(s.server.problem(), err)
		}
		s.did(err)
		if s.server != nil && limit >= ownPatience && s.nc.IsConnected() { // it has stopped answering
			s.server.suspect(err)
		}
		return s.unavailable(op, err)
	}
}

// whileConnected returns a context that is canceled when the connection is lost or after limit.
func (s *Store) whileConnected(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, end := context.WithTimeout(ctx, limit)
	ctx, lose := context.WithCancelCause(ctx)
	s.mu.Lock()
	link := s.link
	s.mu.Unlock()
	stop := context.AfterFunc(link, func() { lose(errAway) })
	return ctx, func() {
		stop()
		lose(nil)
		end()
	}
}

// hopeless reports whether there is no point in waiting: a server in this process does not run or write, the cluster
// has been unavailable for longer than awayTime, or a request waits (limit is at most requestTimeout).
func (s *Store) hopeless(limit time.Duration) bool {
	own := s.hasServer()
	if own && s.server.problem() != nil {
		return true
	}
	if s.nc.IsConnected() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return own || limit <= requestTimeout || !s.away.IsZero() && time.Since(s.away) > awayTime
}

// hasServer reports whether the server belongs to this process, even if it does not run.
func (s *Store) hasServer() bool { return s.server != nil && !s.server.isJoined() }

// isAlone reports whether no other process uses the data.
func (s *Store) isAlone() bool { return s.server != nil && !s.server.isShared() }

// errLate is the cause of a call that exceeded its time limit.
var errLate = errors.New("it took too long")

// errAway is the error of a call that was not tried or has an unknown result, because NATS is disconnected.
var errAway = errors.New("NATS is unavailable")

// did records the error of the last call of NATS.
func (s *Store) did(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = err
}

// patience returns the time limit of calls that must be acknowledged.
func (s *Store) patience() time.Duration {
	if s.server != nil {
		return ownPatience
	}
	return patience
}

func canceledError(op string, err error) error {
	return &callwright.Error{Op: op, Kind: callwright.KindCanceled, Err: err}
}

// unavailable returns an error of KindUnavailable for a failed call of NATS.
func (s *Store) unavailable(op string, err error) error {
	return &callwright.Error{Op: op, Kind: callwright.KindUnavailable, Message: "state: " + s.conf.place(), Err: err}
}
