package store

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A stream is a NATS stream for data of one kind. It is created on first use.
type stream struct {
	s      *Store
	row    *row
	bounds bounds

	turn chan struct{}                    // has one element while no call opens the stream
	js   atomic.Pointer[jetstream.Stream] // nil until the stream is known to exist
}

// newStream returns the stream of a row. It does not create it in NATS.
func (s *Store) newStream(r *row, b bounds) *stream {
	st := &stream{s: s, row: r, bounds: b, turn: make(chan struct{}, 1)}
	st.turn <- struct{}{}
	return st
}

// copies is the number of replicas of a stream in a cluster.
const copies = 3

// Error codes of the NATS server that the client library does not define.
const (
	errNoPeers     jetstream.ErrorCode = 10005 // too few servers for the replicas
	errNoReplicas  jetstream.ErrorCode = 10074 // replicas on a server without a cluster
	errStoreFailed jetstream.ErrorCode = 10077 // the message could not be stored
	errNoStorage   jetstream.ErrorCode = 10047 // no storage left
)

// open returns the stream and creates it in NATS if it does not exist. Concurrent calls wait for each other or until
// ctx is done.
func (st *stream) open(ctx context.Context) (jetstream.Stream, error) {
	if js := st.js.Load(); js != nil {
		return *js, nil
	}
	select {
	case <-st.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { st.turn <- struct{}{} }()
	if js := st.js.Load(); js != nil {
		return *js, nil
	}
	if st.s.js == nil {
		return nil, errStopped
	}
	was, err := st.s.js.Stream(ctx, st.name())
	if err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, err
	}
	conf := st.config()
	if was != nil {
		conf.Replicas = was.CachedInfo().Config.Replicas
	}
	if st.s.nc.ConnectedClusterName() != "" {
		conf.Replicas = copies
	}
	js, err := st.s.js.CreateOrUpdateStream(ctx, conf)
	if code := codeOf(err); code == errNoPeers || code == errNoReplicas {
		conf.Replicas = 1
		if was != nil {
			conf.Replicas = was.CachedInfo().Config.Replicas
		}
		js, err = st.s.js.CreateOrUpdateStream(ctx, conf)
	}
	if err != nil {
		return nil, err
	}
	st.js.Store(&js)
	return js, nil
}

// forget makes the next open check again that the stream exists.
func (st *stream) forget() { st.js.Store(nil) }

func (st *stream) name() string {
	return strings.ToUpper(st.s.conf.Space) + "_" + strings.ToUpper(string(st.row.kind))
}

// config returns the configuration of the NATS stream.
func (st *stream) config() jetstream.StreamConfig {
	l := st.bounds
	c := jetstream.StreamConfig{
		Name: st.name(), Description: "Callwright: " + string(st.row.kind), Subjects: []string{st.subject(">")},
		Storage: jetstream.FileStorage, Replicas: 1,
		MaxBytes: orNone(l.bytes), MaxMsgs: orNone(l.count), MaxAge: max(l.age, 0), MaxMsgsPerSubject: -1,
		Discard: jetstream.DiscardOld, AllowMsgTTL: true, Duplicates: time.Second,
	}
	if st.row.latest > 0 {
		c.MaxMsgsPerSubject = st.row.latest
	}
	if st.row.lasting {
		c.Discard, c.MaxAge = jetstream.DiscardNew, 0
	}
	if c.MaxAge > 0 {
		c.Duplicates = min(c.Duplicates, c.MaxAge)
	}
	if st.row.relaxed && st.s.server != nil {
		c.PersistMode = jetstream.AsyncPersistMode
	}
	return c
}

// orNone returns n, or -1 for no limit, which JetStream expects.
func orNone(n int64) int64 {
	if n <= 0 {
		return -1
	}
	return n
}

// stream returns a stream of kind k with the limits b in place of the limits of the kind.
func (s *Store) stream(k Kind, b bounds) *stream {
	return s.newStream(s.streams[k].row, b)
}

// subject returns a subject of the stream, such as "callwright.facts.m.x" for the tokens m and x.
func (st *stream) subject(tokens ...string) string {
	return st.s.conf.Space + "." + string(st.row.kind) + "." + strings.Join(tokens, ".")
}

// do opens the stream and passes it to call. After a temporary error it retries both within limit, like Store.attempts.
func (st *stream) do(ctx context.Context, op string, limit time.Duration,
	call func(ctx context.Context, js jetstream.Stream, again bool) error) error {
	return st.s.attempts(ctx, op, limit, func(ctx context.Context, again bool) error {
		js, err := st.open(ctx)
		if err != nil {
			return err
		}
		err = call(ctx, js, again)
		if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrNoStreamResponse) {
			st.forget()
		}
		return err
	})
}

// info returns the state of the stream.
func (st *stream) info(ctx context.Context, op string, limit time.Duration) (info *jetstream.StreamInfo, err error) {
	err = st.do(ctx, op, limit, func(ctx context.Context, js jetstream.Stream, _ bool) error {
		info, err = js.Info(ctx)
		return err
	})
	return info, err
}

// write is like do for a call that writes. It fails at once if the server in this process cannot write.
func (st *stream) write(ctx context.Context, op string, limit time.Duration,
	call func(ctx context.Context, js jetstream.Stream, again bool) error) error {
	return st.do(ctx, op, limit, func(ctx context.Context, js jetstream.Stream, again bool) error {
		if s := st.s; s.server != nil {
			if err := s.server.unwritten(); err != nil {
				return s.unavailable(op, err)
			}
		}
		return call(ctx, js, again)
	})
}

// Permanent errors, which are not retried.
var (
	errMoved   = errors.New("another process changed it first")
	errNothing = errors.New("no entry was found")
)

// isFinal reports whether err is permanent, so that a retry is useless.
func isFinal(err error) bool {
	if errors.Is(err, errMoved) || errors.Is(err, errNothing) || errors.Is(err, nats.ErrMaxPayload) {
		return true
	}
	_, ours := errors.AsType[*callwright.Error](err)
	return ours
}

// codeOf returns the code of a JetStream error, 0 for other errors.
func codeOf(err error) jetstream.ErrorCode {
	if e, ok := errors.AsType[jetstream.JetStreamError](err); ok && e.APIError() != nil {
		return e.APIError().ErrorCode
	}
	if e, ok := errors.AsType[*jetstream.APIError](err); ok {
		return e.ErrorCode
	}
	return 0
}

// isMoved reports whether a message was rejected because the last message of its subject was not the expected one.
func isMoved(err error) bool {
	code := codeOf(err)
	return code == jetstream.JSErrCodeStreamWrongLastSequence || code == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}

// isFull reports whether a message was rejected because the stream or the disk is full.
func isFull(err error) bool {
	code := codeOf(err)
	return code == errNoStorage || code == errStoreFailed && strings.Contains(err.Error(), "maximum")
}
