package store

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A scan reads, in order, the messages of a stream whose subject begins with a token. It filters on the client side,
// because a NATS server with a filter counts all matches before it answers.
type scan struct {
	st    *stream
	op    string
	first string // first subject token of the messages
	next  uint64 // sequence number to continue from

	cons jetstream.Consumer // nil before it is created or after it failed
	left uint64             // number of remaining messages
}

// The numbers of messages to fetch at once.
const (
	manySmall = 4096
	fewLarge  = 32 // for messages that may have the maximum size
)

// read calls heard with each message whose subject begins with the token first and whose sequence number is in the
// range from <= number < below.
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

// fetch reads at most n messages. s.left is 0 afterwards if there are no more.
func (s *scan) fetch(ctx context.Context, n int) (list []*message, err error) {
	prefix := s.st.subject(wholes, s.first, "")
	err = s.st.do(ctx, s.op, s.st.s.patience(), func(ctx context.Context, js jetstream.Stream, again bool) error {
		if again { // the consumer may be on a failed server
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
				} else if !errors.Is(err, errNothing) { // the message is read again
					return err
				}
			}
			s.next, s.left = meta.Sequence.Stream+1, s.left-1
		}
		if err := got.Error(); err != nil || s.next > began {
			return err
		}
		return nats.ErrTimeout // a fetch without messages in time is no error of Fetch
	})
	return list, err
}

// begin creates the consumer, which is on one server of a cluster. Unless again is set, it times out soon, so that the
// caller can retry if that server has failed.
func (s *scan) begin(ctx context.Context, js jetstream.Stream, again bool) error {
	if !again {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, requestTimeout)
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

// end deletes the consumer. Without end, the server deletes it after some time.
func (s *scan) end() {
	if s.cons == nil {
		return
	}
	ctx, cancel := context.WithTimeout(s.st.s.ctx, requestTimeout)
	defer cancel()
	if js, err := s.st.open(ctx); err == nil {
		_ = js.DeleteConsumer(ctx, s.cons.CachedInfo().Name)
	}
}
