package archive

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// A MemoryAnswers keeps answers in memory. Use NewMemoryAnswers. It is safe for concurrent use; no call waits for more
// than that of another.
type MemoryAnswers struct {
	now    func() time.Time
	limits Limits

	mu    sync.Mutex
	byKey map[Key]*list.Element
	order *list.List // the answers as *keptAnswer, the oldest first
	bytes int64
}

var _ Answers = (*MemoryAnswers)(nil)

type keptAnswer struct {
	key  Key
	body []byte
	turn *Turn
	at   time.Time
}

// size is about how many bytes an answer takes beside its conversation.
func (a *keptAnswer) size() int64 {
	return int64(keptSize + len(a.key.ID) + len(a.key.Owner) + len(a.body))
}

// keptSize and turnSize are about how many bytes it takes to find an answer, and to hold a turn.
const (
	keptSize = 256
	turnSize = 96
)

func (t *Turn) size() int { return turnSize + len(t.Items) }

// NewMemoryAnswers makes an empty MemoryAnswers that reads the time from now, nil for time.Now. Its bounds are
// DefaultAnswers where the limits say nothing.
func NewMemoryAnswers(now func() time.Time, l Limits) *MemoryAnswers {
	if now == nil {
		now = time.Now
	}
	return &MemoryAnswers{now: now, limits: l.Or(DefaultAnswers), byKey: map[Key]*list.Element{}, order: list.New()}
}

const (
	opKeepAnswer   = "archive.keep_answer"
	opFindAnswer   = "archive.find_answer"
	opDeleteAnswer = "archive.delete_answer"
)

// Keep keeps an answer, see Answers.
func (m *MemoryAnswers) Keep(ctx context.Context, k Key, a Answer) error {
	if err := contextError(opKeepAnswer, ctx.Err()); err != nil {
		return err
	}
	kept := &keptAnswer{key: k, body: a.Body, turn: a.Turn, at: m.now()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if size := kept.size() + int64(a.Turn.whole()); m.limits.IsExceeded(1, size) {
		return TooLarge(opKeepAnswer, size, m.limits.Bytes)
	}
	m.expire(kept.at)
	m.hold(a.Turn)
	if e := m.byKey[k]; e != nil {
		m.drop(e)
	}
	m.byKey[k] = m.order.PushBack(kept)
	m.bytes += kept.size()
	for m.limits.IsExceeded(m.order.Len(), m.bytes) {
		m.drop(m.order.Front())
	}
	return nil
}

// whole is the size of a conversation. The caller holds the lock.
func (t *Turn) whole() int {
	var added []*Turn
	for ; t != nil && t.bytes == 0; t = t.Before {
		added = append(added, t)
	}
	n := 0
	if t != nil {
		n = t.bytes
	}
	for i := len(added) - 1; i >= 0; i-- {
		n += added[i].size()
		added[i].bytes = n
	}
	return n
}

// hold counts one more user of a turn. One that nobody used before uses the one before it.
func (m *MemoryAnswers) hold(t *Turn) {
	for ; t != nil; t = t.Before {
		if t.users++; t.users > 1 {
			return
		}
		m.bytes += int64(t.size())
	}
}

// release undoes hold.
func (m *MemoryAnswers) release(t *Turn) {
	for ; t != nil; t = t.Before {
		if t.users--; t.users > 0 {
			return
		}
		m.bytes -= int64(t.size())
	}
}

func (m *MemoryAnswers) drop(e *list.Element) {
	a := m.order.Remove(e).(*keptAnswer)
	delete(m.byKey, a.key)
	m.bytes -= a.size()
	m.release(a.turn)
}

// expire drops expired answers. The caller holds the lock.
func (m *MemoryAnswers) expire(now time.Time) {
	for e := m.order.Front(); e != nil && m.limits.IsExpired(e.Value.(*keptAnswer).at, now); e = m.order.Front() {
		m.drop(e)
	}
}

// find returns an answer that has not expired, nil without one. The caller holds the lock.
func (m *MemoryAnswers) find(k Key) *list.Element {
	m.expire(m.now())
	return m.byKey[k]
}

// lookup finds an answer for Find and Conversation.
func (m *MemoryAnswers) lookup(ctx context.Context, k Key) (*keptAnswer, error) {
	if err := contextError(opFindAnswer, ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.find(k); e != nil {
		return e.Value.(*keptAnswer), nil
	}
	return nil, NotFound(opFindAnswer, "answer", k)
}

// Find returns the body of an answer, see Answers.
func (m *MemoryAnswers) Find(ctx context.Context, k Key) ([]byte, error) {
	a, err := m.lookup(ctx, k)
	if err != nil {
		return nil, err
	}
	return a.body, nil
}

// Conversation returns the last turn of a conversation, see Answers.
func (m *MemoryAnswers) Conversation(ctx context.Context, k Key) (*Turn, error) {
	a, err := m.lookup(ctx, k)
	if err != nil {
		return nil, err
	}
	return a.turn, nil
}

// Delete drops an answer, see Answers.
func (m *MemoryAnswers) Delete(ctx context.Context, k Key) error {
	if err := contextError(opDeleteAnswer, ctx.Err()); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.find(k)
	if e == nil {
		return NotFound(opDeleteAnswer, "answer", k)
	}
	m.drop(e)
	return nil
}
