package store

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A CapsStore is a [caps.Store] shared by all gateways of a space. It reads facts about models from memory. Facts
// learned by another gateway arrive as NATS messages.
type CapsStore struct {
	s      *Store
	now    func() time.Time
	memory *caps.Memory
	out    *outbox

	mu       sync.Mutex
	own      map[string]uint64 // by subject: sequence number of our last message, until the follower reads it
	watchers map[*watcher]bool
}

var _ caps.Store = (*CapsStore)(nil)

type watcher struct {
	ctx     context.Context
	changed func(model string)
}

// A knownFact is the JSON of a message: a fact, or the key and source of a removed fact.
type knownFact struct {
	Model string    `json:"model"`
	Fact  caps.Fact `json:"fact"`
}

// learnWait is how long Learn waits for a cluster to store a fact. A longer write continues in the background.
const learnWait = 250 * time.Millisecond

// learnWait returns how long Learn waits: longer for a server in this process, because it only waits for the disk.
func (s *Store) learnWait() time.Duration {
	if s.server != nil {
		return ownPatience
	}
	return learnWait
}

// CapsStore returns the CapsStore of the space. Every call returns the same one. The first call waits for the stored
// facts to be read, if NATS is available.
func (s *Store) CapsStore(ctx context.Context) *CapsStore {
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	if s.mirror.capsStore == nil {
		sh := &CapsStore{s: s, now: s.conf.Now, memory: caps.NewMemory(s.conf.Now), own: map[string]uint64{}, watchers: map[*watcher]bool{}}
		sh.out = s.newOutbox(s.streams[Facts], sh.wrote)
		s.mirror.capsStore = sh
		in := newFollower(s.streams[Facts], sh.applyMessage, nil)
		in.start()
		in.await(ctx)
	}
	return s.mirror.capsStore
}

// Facts returns the unexpired facts about a model.
func (sh *CapsStore) Facts(ctx context.Context, model string) ([]caps.Fact, error) {
	return sh.memory.Facts(ctx, model)
}

// Models returns the sorted names of the models with facts.
func (sh *CapsStore) Models(ctx context.Context) ([]string, error) { return sh.memory.Models(ctx) }

// Learn stores a fact about a model. This gateway sees it at once. If NATS is available, Learn waits a limited time for
// the write. Otherwise the fact is written when NATS is available again.
func (sh *CapsStore) Learn(ctx context.Context, model string, f caps.Fact) error {
	now := sh.now()
	if f.Seen.IsZero() {
		f.Seen = now
	}
	if f.Source == caps.Learned && f.Expires.IsZero() {
		f.Expires = now.Add(caps.LearnedTTL)
	}
	m, err := factMessage(model, f)
	if err != nil {
		return err
	}
	var life time.Duration
	if !f.Expires.IsZero() {
		life = max(f.Expires.Sub(now), time.Second)
	}
	m.expire(life)
	sh.mu.Lock()
	err = sh.memory.Learn(ctx, model, f)
	var done <-chan struct{}
	if err == nil {
		done = sh.out.add(m)
	}
	sh.mu.Unlock()
	if err != nil {
		return err
	}
	sh.tell(model)
	sh.out.await(ctx, sh.s.learnWait(), done)
	return nil
}

// Forget removes the facts about a model with the given key, or all facts about it if key is empty.
func (sh *CapsStore) Forget(ctx context.Context, model, key string) error {
	sh.mu.Lock()
	facts, err := sh.memory.Facts(ctx, model)
	var done <-chan struct{}
	for _, f := range facts {
		if err != nil || key != "" && f.Key != key {
			continue
		}
		var m *message
		if m, err = factMessage(model, caps.Fact{Key: f.Key, Source: f.Source}); err == nil {
			m.head.Set(headGone, "1")
			m.expire(goneLife)
			done = sh.out.add(m)
		}
	}
	if err == nil {
		err = sh.memory.Forget(ctx, model, key)
	}
	sh.mu.Unlock()
	if err != nil {
		return err
	}
	sh.tell(model)
	sh.out.await(ctx, sh.s.learnWait(), done)
	return nil
}

// goneLife is the lifetime of a message that a fact was removed. A gateway that was disconnected for longer reads the
// whole stream again.
const goneLife = time.Hour

// Watch calls changed with the name of each model whose facts change, in this gateway or another, until ctx is done. It
// does not block.
func (sh *CapsStore) Watch(ctx context.Context, changed func(model string)) error {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.watchers[&watcher{ctx, changed}] = true
	return nil
}

// tell calls all watchers whose context is not done.
func (sh *CapsStore) tell(model string) {
	sh.mu.Lock()
	maps.DeleteFunc(sh.watchers, func(w *watcher, _ bool) bool { return w.ctx.Err() != nil })
	told := slices.Collect(maps.Keys(sh.watchers))
	sh.mu.Unlock()
	for _, w := range told {
		w.changed(model)
	}
}

// applyMessage applies a message of the stream to the facts in memory.
func (sh *CapsStore) applyMessage(m *message) {
	var in knownFact
	if json.Unmarshal(m.data, &in) != nil { // written by a newer version
		return
	}
	subject := joinTokens(m.tokens)
	sh.mu.Lock()
	if own := sh.own[subject]; m.seq <= own || sh.out.waits(subject) { // our own change is newer
		if m.seq == own {
			delete(sh.own, subject)
		}
		sh.mu.Unlock()
		return
	}
	facts, _ := sh.memory.Facts(context.Background(), in.Model)
	if m.head.Get(headGone) != "" {
		left := slices.DeleteFunc(slices.Clone(facts), func(f caps.Fact) bool { return f.Key == in.Fact.Key && f.Source == in.Fact.Source })
		sh.memory.Set(in.Model, left)
	} else {
		_ = sh.memory.Learn(context.Background(), in.Model, in.Fact)
	}
	sh.mu.Unlock()
	sh.tell(in.Model)
}

// wrote records the sequence number of our message m after it was written.
func (sh *CapsStore) wrote(m *message) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if len(sh.own) >= maxKnown {
		clear(sh.own)
	}
	sh.own[joinTokens(m.tokens)] = m.seq
}

// factMessage returns the message for a fact.
func factMessage(model string, f caps.Fact) (*message, error) {
	data, err := json.Marshal(knownFact{model, f})
	if err != nil {
		return nil, &callwright.Error{Op: "store.learn", Kind: callwright.KindInvalid, Err: err}
	}
	return newMessage(data, token(""), token(model), token(f.Key), strconv.Itoa(int(f.Source))), nil
}
