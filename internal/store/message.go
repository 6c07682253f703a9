package store

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/google/uuid"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Headers of NATS messages.
const (
	headID    = "Callwright-Id"    // id of the message, to detect repeated writes
	headFrom  = "Callwright-From"  // id of the Store that wrote it
	headCount = "Callwright-N"     // number of a journal entry or piece of a trace
	headParts = "Callwright-Parts" // number of continuation messages with the rest of the data
	headGone  = "Callwright-Gone"  // set if the message means a deletion
)

// A message is a NATS message of a stream, joined with its continuation messages.
type message struct {
	tokens []string // tokens of its subject
	head   nats.Header
	data   []byte
	seq    uint64
	first  uint64    // sequence number of its first continuation message, or seq
	time   time.Time // when the server stored it
}

func newMessage(data []byte, tokens ...string) *message {
	return &message{tokens: tokens, head: nats.Header{}, data: data}
}

// newBare returns a message without headers, which is smaller. Use it for data of which many messages are read at once.
func newBare(data []byte, tokens ...string) *message { return &message{tokens: tokens, data: data} }

// anyway is the expected sequence number for an unconditional write.
const anyway = ^uint64(0)

// The first tokens of a stream's subjects: for messages, and for continuation messages with data too large for one
// message.
const (
	wholes = "m"
	parts  = "p"
)

// put writes a message if the last message of its subject has the sequence number expected, 0 for none, or anyway for
// an unconditional write. Otherwise it fails with errMoved. A full stream is an error of KindUnavailable.
func (st *stream) put(ctx context.Context, op string, limit time.Duration, m *message, expected uint64) (seq uint64, err error) {
	id := cmp.Or(m.head.Get(headID), uuid.NewString())
	if m.first = 0; m.head != nil {
		m.head.Set(headID, id)
		m.head.Set(headFrom, st.s.id)
	}
	data, err := st.split(ctx, op, limit, m, id)
	if err != nil {
		return 0, err
	}
	subject := st.subject(append([]string{wholes}, m.tokens...)...)
	err = st.write(ctx, op, limit, func(ctx context.Context, js jetstream.Stream, again bool) error {
		opts := []jetstream.PublishOpt{jetstream.WithRetryAttempts(0)}
		if expected != anyway {
			opts = append(opts, jetstream.WithExpectLastSequencePerSubject(expected))
		}
		ack, err := st.s.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Header: m.head, Data: data}, opts...)
		if err == nil {
			seq = ack.Sequence
			return nil
		}
		if isFull(err) {
			return callwright.Errorf(op, callwright.KindUnavailable, "",
				"there is no room left for %s: the limit of %d bytes is reached (%v)", st.row.kind, st.bounds.bytes, err)
		}
		if !isMoved(err) {
			return err
		}
		if again { // an earlier attempt may have succeeded without an acknowledgment
			next, err := js.GetMsg(ctx, expected+1, jetstream.WithGetMsgSubject(subject))
			if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
				return err
			}
			if err == nil && next.Header.Get(headID) == id {
				seq = next.Sequence
				return nil
			}
		}
		return errMoved
	})
	if m.first == 0 {
		m.first = seq
	}
	return seq, err
}

// split writes the data of a message that is too large as continuation messages, and returns the data for the message
// itself.
func (st *stream) split(ctx context.Context, op string, limit time.Duration, m *message, id string) ([]byte, error) {
	size := maxPart
	if most := int(st.s.nc.MaxPayload()); most > 0 && most < maxPart*4/3 {
		size = most * 3 / 4
	}
	if len(m.data) <= size {
		return m.data, nil
	}
	rest, n := m.data, 0
	for ; len(rest) > 0; n++ {
		piece := rest[:min(size, len(rest))]
		rest = rest[len(piece):]
		subject := st.part(m.tokens, id, n)
		err := st.write(ctx, op, limit, func(ctx context.Context, _ jetstream.Stream, _ bool) error {
			ack, err := st.s.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: piece}, jetstream.WithRetryAttempts(0))
			if err == nil && m.first == 0 {
				m.first = ack.Sequence
			}
			if isFull(err) {
				return callwright.Errorf(op, callwright.KindUnavailable, "",
					"there is no room left for %s: the limit of %d bytes is reached", st.row.kind, st.bounds.bytes)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	if m.head == nil {
		m.head = nats.Header{headID: {id}}
	}
	m.head.Set(headParts, strconv.Itoa(n))
	return nil, nil
}

// maxPart is the maximum data size of one message in bytes.
const maxPart = 700 << 10

func (st *stream) part(tokens []string, id string, n int) string {
	return st.subject(append(append([]string{parts}, tokens...), id, strconv.Itoa(n))...)
}

// last returns the last message of a subject from the leader of the stream, or errNothing.
func (st *stream) last(ctx context.Context, op string, limit time.Duration, tokens ...string) (*message, error) {
	return st.get(ctx, op, limit, tokens, func(ctx context.Context, js jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error) {
		return js.GetLastMsgForSubject(ctx, subject)
	})
}

// next returns the first message with a sequence number of at least from whose subject matches tokens, which may
// contain wildcards. If there is none, the error is errNothing.
func (st *stream) next(ctx context.Context, op string, limit time.Duration, from uint64, tokens ...string) (*message, error) {
	return st.get(ctx, op, limit, tokens, func(ctx context.Context, js jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error) {
		return js.GetMsg(ctx, from, jetstream.WithGetMsgSubject(subject))
	})
}

func (st *stream) get(ctx context.Context, op string, limit time.Duration, tokens []string,
	ask func(ctx context.Context, js jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error)) (m *message, err error) {
	subject := st.subject(append([]string{wholes}, tokens...)...)
	err = st.do(ctx, op, limit, func(ctx context.Context, js jetstream.Stream, _ bool) error {
		raw, err := ask(ctx, js, subject)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return errNothing
		}
		if err == nil {
			if m, err = st.whole(ctx, js, raw.Subject, raw.Header, raw.Data, raw.Sequence); err == nil {
				m.time = raw.Time
			}
		}
		return err
	})
	return m, err
}

// whole joins a message with its continuation messages.
func (st *stream) whole(ctx context.Context, js jetstream.Stream, subject string, head nats.Header, data []byte,
	seq uint64) (*message, error) {
	m := &message{tokens: st.tokens(subject), head: head, data: data, seq: seq}
	n, _ := strconv.Atoi(head.Get(headParts))
	for i := range n {
		part, err := js.GetLastMsgForSubject(ctx, st.part(m.tokens, head.Get(headID), i))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil, errNothing // the oldest were deleted to free space
		}
		if err != nil {
			return nil, err
		}
		m.data = append(m.data, part.Data...)
	}
	return m, nil
}

// drop deletes the message with a sequence number. A missing message is not an error.
func (st *stream) drop(ctx context.Context, op string, limit time.Duration, seq uint64) error {
	return st.do(ctx, op, limit, func(ctx context.Context, js jetstream.Stream, _ bool) error {
		err := js.DeleteMsg(ctx, seq)
		if errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) || errors.Is(err, jetstream.ErrMsgNotFound) || codeOf(err) == errNoMessage {
			return nil
		}
		return err
	})
}

// errNoMessage is the server's error code for deleting a message that does not exist.
const errNoMessage jetstream.ErrorCode = 10043

// purge deletes all messages of a subject with their continuation messages.
func (st *stream) purge(ctx context.Context, op string, limit time.Duration, tokens ...string) error {
	return st.do(ctx, op, limit, func(ctx context.Context, js jetstream.Stream, _ bool) error {
		err := js.Purge(ctx, jetstream.WithPurgeSubject(st.subject(append([]string{wholes}, tokens...)...)))
		if err == nil {
			err = js.Purge(ctx, jetstream.WithPurgeSubject(st.subject(partsOf(tokens)...)))
		}
		return err
	})
}

// subjects returns the tokens of each subject with messages that matches the pattern tokens.
func (st *stream) subjects(ctx context.Context, op string, tokens ...string) (names [][]string, err error) {
	pattern := st.subject(append([]string{wholes}, tokens...)...)
	err = st.do(ctx, op, st.s.patience(), func(ctx context.Context, js jetstream.Stream, _ bool) error {
		info, err := js.Info(ctx, jetstream.WithSubjectFilter(pattern))
		if err != nil {
			return err
		}
		names = names[:0]
		for subject := range info.State.Subjects {
			names = append(names, st.tokens(subject))
		}
		return nil
	})
	return names, err
}
