package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/store/internal/rejoin"
	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
)

const (
	// gatewaySubject is the subject on which gateways announce their presence. It is not part of a stream.
	gatewaySubject = "gateways"
	// proofToken is the first subject token of messages that prove that the counts are shared.
	proofToken = "proof"
	proofLife  = time.Minute
	// leaveTime is the maximum time for announcing that this gateway ends.
	leaveTime = 250 * time.Millisecond
)

// join starts counting together with the other gateways of the space until the Store is closed.
func (c *CounterStore) join() {
	s := c.st.s
	subject := s.conf.Space + "." + gatewaySubject
	c.group = rejoin.New(rejoin.Config{
		ID: s.id, Reached: s.connectedSince, Prove: c.prove, Flush: c.flush, Single: s.server != nil, Place: s.conf.place(),
		Logger: s.conf.Logger,
		Known:  func() bool { return c.in.hasReached(c.proof.Load()) },
		Broken: func() bool { return s.hasServer() && s.server.problem() != nil },
		Say: func(data []byte) {
			if s.nc.IsConnected() {
				_ = s.nc.Publish(subject, data)
			}
		},
	})
	if _, err := s.nc.Subscribe(subject, func(m *nats.Msg) { c.group.ApplyMessage(m.Data) }); err != nil {
		s.conf.Logger.Warn("state: other gateways cannot be reached: without NATS each gateway may use the whole rest of the limits",
			"error", err)
	}
	s.tasks.Go(func() { c.group.Run(s.ctx) })
}

// leave writes unwritten usage, if possible, and announces that this gateway ends.
func (c *CounterStore) leave() {
	if m, _ := c.group.Mode(); m == rejoin.Shared {
		if err := c.flush(); err != nil {
			c.st.s.conf.Logger.Warn("state: the last usage of limits was not written", "error", err)
		}
	}
	c.group.Leave()
	if nc := c.st.s.nc; nc.IsConnected() {
		_ = nc.FlushTimeout(leaveTime)
	}
}

// prove writes a message to the stream of counts and reads it back from the leader.
func (c *CounterStore) prove(ctx context.Context, limit time.Duration) error {
	m := newMessage(nil, proofToken, token(c.st.s.id))
	m.expire(proofLife)
	seq, err := c.st.put(ctx, opCount, limit, m, anyway)
	if err != nil {
		return err
	}
	got, err := c.st.last(ctx, opCount, limit, m.tokens...)
	if err != nil {
		return err
	}
	if got.seq < seq {
		return errMoved
	}
	c.proof.Store(seq)
	return nil
}

// flush writes the usage that this gateway counted alone.
func (c *CounterStore) flush() error {
	c.mu.Lock()
	all := slices.Collect(maps.Values(c.windows))
	c.mu.Unlock()
	for _, is := range all {
		if err := c.writeDebts(is); err != nil {
			return err
		}
	}
	return nil
}

// writeDebts writes the unwritten usage of a window to the stream.
func (c *CounterStore) writeDebts(is *window) error {
	ctx, cancel := context.WithTimeoutCause(c.st.s.ctx, countTime, errLate)
	defer cancel()
	select {
	case <-is.turn:
	case <-ctx.Done():
		return c.late(ctx)
	}
	defer func() { is.turn <- struct{}{} }()
	for {
		if is.id == "" {
			if len(is.debts) == 0 {
				is.used = nil
				return nil
			}
			is.writing, is.debts, is.id = is.debts, nil, uuid.NewString()
		}
		changes := is.writing
		if err := c.apply(ctx, is, is.last, is.id, func(t access.Tally) access.Tally { return t.Add(is.last, changes) }); err != nil {
			return err
		}
		is.writing, is.id = nil, ""
	}
}

// health returns a problem if the counts are not shared. If a server in this process is down, its own problem is
// reported elsewhere.
func (c *CounterStore) health() []health.Problem {
	line, once := c.group.Health()
	m, _ := c.group.Mode()
	if line == "" || !once && c.st.s.server != nil && !m.IsAlone() {
		return nil
	}
	return []health.Problem{problem("limits are shared again when each gateway can write to NATS", "%s", line)}
}

// unsharedWait is how long SharingProblems waits after startup. It is less than the usual timeout of a readiness probe.
const unsharedWait = 750 * time.Millisecond

// SharingProblems returns the reasons why the counts were never shared with other gateways since startup. It returns
// nil once they were, and for a Store with Dir. It waits up to unsharedWait.
func (s *Store) SharingProblems(ctx context.Context) []string {
	s.mirror.mu.Lock()
	c := s.mirror.counts
	s.mirror.mu.Unlock()
	if c == nil || s.server != nil {
		return nil
	}
	if _, once := c.group.Health(); once {
		return nil
	}
	if s.nc.IsConnected() {
		wait, cancel := context.WithTimeout(ctx, unsharedWait)
		defer cancel()
		if _, err := c.group.Await(wait); err == nil {
			return nil
		}
	}
	return health.Lines(s.Health())
}
