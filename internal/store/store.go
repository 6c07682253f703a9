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

// A Store keeps state on NATS. Use Open. It is safe for concurrent use.
type Store struct {
	conf   Config
	id     string // of this Store, in what it writes
	server *embedded
	nc     *nats.Conn
	js     jetstream.JetStream

	streams map[Kind]*stream

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	tasks  sync.WaitGroup
	mirror mirrors

	mu    sync.Mutex
	link  context.Context // ends when the connection is lost
	lose  context.CancelFunc
	away  time.Time // since when NATS is away; zero while it is there
	there time.Time // since when it is there
	why   error     // what is wrong
	wrong error     // of the last call that NATS did not do, nil where it did it
}

// The times that calls take at most: those that must be acknowledged outlast an election, those that a request waits
// for do not.
const (
	patience     = 20 * time.Second
	ownPatience  = 10 * time.Second // where the server is in the process, and elects nobody
	quick        = time.Second
	attemptTime  = 2 * time.Second
	awayTime     = 3 * time.Second // no election leaves all servers without an answer for so long
	dialTime     = 3 * time.Second
	firstMirror  = 2 * time.Second
	firstPause   = 20 * time.Millisecond
	longestPause = 500 * time.Millisecond
)

// Open opens the Store that a Config describes. Where NATS cannot be reached, or the folder cannot be written, it opens
// all the same and keeps trying. It fails for errors that trying again cannot mend: a Config without sense
// (KindInvalid), credentials that are refused (KindAuth), a folder that another process has (KindConflict). The caller
// closes it.
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

// connect starts the server where it is ours, and makes the connection.
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

// expires reports whether anything that lasts has an age.
func (s *Store) expires() bool {
	for _, st := range s.streams {
		if st.row.whole != nil && st.bounds.age > 0 {
			return true
		}
	}
	return false
}

// Close ends the use of the store: waiting writes get a moment, the connection is closed, and the server in the process
// stopped.
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

// Health returns the problems of the store; none where all is well.
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
		cause := fmt.Sprintf("NATS at %s is away since %s", s.conf.place(), away.UTC().Format(time.RFC3339))
		if why != nil {
			cause += ": " + why.Error()
		}
		out = append(out, problem("start NATS, or check state.nats and the network", cause))
	case wrong != nil && s.server != nil:
		out = append(out, problem("free space on the disk, or make the folder writable", "%s: %v", s.conf.place(), wrong))
	case wrong != nil:
		out = append(out, problem(needsQuorum, "%s: %v", s.conf.place(), wrong))
	case s.server == nil && s.mirror.isStuck():
		out = append(out, problem(needsQuorum, "NATS at %s is connected and takes nothing: its streams have no leader", s.conf.place()))
	}
	return append(out, s.mirror.health()...)
}

const needsQuorum = "look at the servers of NATS: most of those that keep a stream have to run"

// problem returns a problem of the state.
func problem(remedy, cause string, args ...any) health.Problem {
	if len(args) > 0 {
		cause = fmt.Sprintf(cause, args...)
	}
	return health.Problem{Severity: health.Degraded, Subject: "state", Topic: health.TopicState, Cause: cause, Remedy: remedy}
}

// attempts has do tried until it succeeds, fails for good, or the time is over. An error that NATS gave is that of the
// vocabulary then.
func (s *Store) attempts(ctx context.Context, op string, limit time.Duration, do func(ctx context.Context, again bool) error) error {
	if err := ctx.Err(); err != nil {
		return canceledError(op, err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errLate)
	defer cancel()
	pause, long := firstPause, attemptTime
	for again := false; ; again = true {
		attempt, done := s.whileConnected(ctx, long)
		long *= 2 // a machine may be slow
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
		if s.server != nil && limit >= ownPatience && s.nc.IsConnected() { // it does not answer any more
			s.server.suspect(err)
		}
		return s.unavailable(op, err)
	}
}

// whileConnected is a context that ends with the connection, after which no answer comes any more, or when the time is
// over.
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

// hopeless reports whether waiting is in vain: a server in the process that does not run or write is not started soon,
// no server of a cluster was there for a while, or a request waits.
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
	return own || limit <= quick || !s.away.IsZero() && time.Since(s.away) > awayTime
}

// hasServer reports whether the server is in this process, also while it does not run.
func (s *Store) hasServer() bool { return s.server != nil && !s.server.isJoined() }

// isAlone reports whether no other process uses the state.
func (s *Store) isAlone() bool { return s.server != nil && !s.server.isShared() }

// errLate says that a call took too long by the store's own reckoning.
var errLate = errors.New("it took too long")

// errAway says that a call was not tried, or that its result is unknown.
var errAway = errors.New("NATS is away")

// did notes how the last call ended.
func (s *Store) did(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = err
}

// patience is how long a call that must be acknowledged is tried.
func (s *Store) patience() time.Duration {
	if s.server != nil {
		return ownPatience
	}
	return patience
}

func canceledError(op string, err error) error {
	return &callwright.Error{Op: op, Kind: callwright.KindCanceled, Err: err}
}

// unavailable returns the error of a failed call of NATS.
func (s *Store) unavailable(op string, err error) error {
	return &callwright.Error{Op: op, Kind: callwright.KindUnavailable, Message: "state: " + s.conf.place(), Err: err}
}
