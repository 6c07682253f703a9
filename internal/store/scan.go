package store

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A scan reads the messages of a stream whose subjects begin with a token, in order. The server gets no filter, as it
// counts the matches of one before it answers.
type scan struct {
	st    *stream
	op    string
	first string // the token
	next  uint64 // the sequence number from which it goes on

	cons jetstream.Consumer // nil where there is none yet, or none that answers
	left uint64             // messages that it has
}

// The numbers of messages that are asked for at once.
const (
	manySmall = 4096
	fewLarge  = 32 // each may be as large as a message can be
)

// read gives heard messages from a sequence number on to below another one.
func (st *stream) read(ctx context.Context, op string, from, below uint64, first string, heard func(m *message)) error {
	s := scan{st: st, op: op, first: first, next: from}
	defer s.end()
	for s.next < below {
		list, err := s.fetch(ctx, int(min(below-s.next, manySmall)))
		for _, m := range list {
			if m.seq < below {
				heard(m)
			}
		}
		if err != nil || s.left == 0 {
			return err
		}
	}
	return nil
}

// fetch reads so many messages at most. There are no more where left is 0 afterwards.
func (s *scan) fetch(ctx context.Context, n int) (list []*message, err error) {
	prefix := s.st.subject(wholes, s.first, "")
	err = s.st.do(ctx, s.op, s.st.s.patience(), func(ctx context.Context, js jetstream.Stream, again bool) error {
		if again { // it may be on a server that is gone
			s.cons = nil
		}
		if s.cons == nil {
			if err := s.begin(ctx, js, again); err != nil {
				return err
			}
		}
		if s.left == 0 {
			return nil
		}
		got, err := s.cons.Fetch(int(min(uint64(n), s.left)), jetstream.FetchContext(ctx))
		if err != nil {
			return err
		}
		began := s.next
		for msg := range got.Messages() {
			meta, err := msg.Metadata()
			if err != nil {
				return err
			}
			if strings.HasPrefix(msg.Subject(), prefix) {
				m, err := s.st.whole(ctx, js, msg.Subject(), msg.Headers(), msg.Data(), meta.Sequence.Stream)
				if err == nil {
					list = append(list, m)
				} else if !errors.Is(err, errNothing) { // it is read again
					return err
				}
			}
			s.next, s.left = meta.Sequence.Stream+1, s.left-1
		}
		if err := got.Error(); err != nil || s.next > began {
			return err
		}
		return nats.ErrTimeout // what there is did not come in time, which is no error of a fetch
	})
	return list, err
}

// begin makes the consumer. One of a cluster is on one server, which may be gone: then it does not answer, and another
// one is made soon.
func (s *scan) begin(ctx context.Context, js jetstream.Stream, again bool) error {
	if !again {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, quick)
		defer cancel()
	}
	cons, err := js.CreateConsumer(ctx, jetstream.ConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: s.next,
		AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: patience,
	})
	if err == nil {
		s.cons, s.left = cons, min(cons.CachedInfo().NumPending, math.MaxInt32)
	}
	return err
}

// end removes the consumer, which else goes by itself.
func (s *scan) end() {
	if s.cons == nil {
		return
	}
	ctx, cancel := context.WithTimeout(s.st.s.ctx, quick)
	defer cancel()
	if js, err := s.st.open(ctx); err == nil {
		_ = js.DeleteConsumer(ctx, s.cons.CachedInfo().Name)
	}
}
