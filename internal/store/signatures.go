package store

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/signature"
)

// A SignatureStore is a [signature store.Store] that all gateways of a space share. Each has all of it in memory,
// within the bounds of a [signature store.Memory]; the others have a state as soon as NATS delivered it. Existing
// states are read in the background. Find waits for that, and the first Find of a context that finds nothing waits a
// moment for states on their way.
type SignatureStore struct {
	s      *Store
	memory *signature.Memory
	out    *outbox
	in     *follower

	mu     sync.Mutex
	caught map[<-chan struct{}]bool // the ends of the contexts of requests that have waited
	behind bool                     // the stream did not say in time what it has, and is asked again beside requests
}

var _ signature.Store = (*SignatureStore)(nil)

// The times of a signature store: how long Keep waits for a state to be written, which is written afterwards where that
// takes longer, and how long Find waits for others.
const (
	keepWait    = 250 * time.Millisecond
	catchUpTime = 250 * time.Millisecond
)

// maxCaught bounds the requests of which it is remembered that they have waited.
const maxCaught = 256

// A keptState is the content of a message.
type keptState struct {
	Owner []byte          `json:"owner"` // of the call: it need not be text
	Call  signature.Call  `json:"call"`
	State signature.State `json:"state"`
}

// Signatures is the signature store of the space, the same one each time; its limits are those of the first call.
func (s *Store) Signatures(l signature.Limits) *SignatureStore {
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	if s.mirror.signatures == nil {
		v := &SignatureStore{s: s, memory: signature.NewMemory(s.conf.Now, l), caught: map[<-chan struct{}]bool{}}
		v.out = s.newOutbox(s.streams[Signatures], nil)
		s.mirror.signatures = v
		v.in = newFollower(s.streams[Signatures], v.applyMessage, nil)
		v.in.start()
	}
	return s.mirror.signatures
}

// Keep keeps a state. It is found here at once, and by others once it is written.
func (v *SignatureStore) Keep(ctx context.Context, c signature.Call, st signature.State) error {
	if err := v.memory.Keep(ctx, c, st); err != nil {
		return err
	}
	named := c
	named.Owner = ""
	data, err := json.Marshal(keptState{[]byte(c.Owner), named, st})
	if err != nil {
		return &callwright.Error{Op: "store.keep_state", Kind: callwright.KindInvalid, Err: err}
	}
	done := v.out.add(newMessage(data, token(c.Owner), token(c.Model), token(c.ID+"\x00"+c.Tool)))
	if !v.s.isAlone() { // others may be asked next
		v.out.await(ctx, keepWait, done)
	}
	return nil
}

// Find gives the states kept for the call.
func (v *SignatureStore) Find(ctx context.Context, c signature.Call) ([]signature.State, error) {
	if !v.in.isReady() {
		v.catchUp(ctx)
	}
	found, err := v.memory.Find(ctx, c)
	if len(found) > 0 || err != nil || v.s.isAlone() {
		return found, err
	}
	v.catchUp(ctx)
	return v.memory.Find(ctx, c)
}

// Holds reports, without delay, whether anything may be kept of a model.
func (v *SignatureStore) Holds(model string) bool { return !v.in.isReady() || v.memory.Holds(model) }

// catchUp waits until all is here that was written when it was called. A request, which asks for many calls with one
// context, waits once.
func (v *SignatureStore) catchUp(ctx context.Context) {
	v.mu.Lock()
	request := ctx.Done()
	waited := v.behind || request != nil && v.caught[request]
	if len(v.caught) >= maxCaught {
		clear(v.caught)
	}
	v.caught[request] = true
	v.mu.Unlock()
	if waited || !v.s.nc.IsConnected() {
		return
	}
	if !v.in.isReady() {
		v.in.await(ctx)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	last, err := v.last(ctx)
	if err == nil {
		v.in.reach(ctx, last)
	} else if errors.Is(err, context.DeadlineExceeded) && ctx.Err() != nil {
		v.fallBehind()
	}
}

// last returns the number of the last message of the stream.
func (v *SignatureStore) last(ctx context.Context) (uint64, error) {
	js, err := v.s.streams[Signatures].open(ctx)
	if err != nil {
		return 0, err
	}
	info, err := js.Info(ctx)
	if err != nil {
		return 0, err
	}
	return info.State.LastSeq, nil
}

// fallBehind has requests not wait for the stream until its content is known again.
func (v *SignatureStore) fallBehind() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.behind || v.s.ctx.Err() != nil {
		return
	}
	v.behind = true
	v.s.tasks.Go(func() {
		for behind := true; behind && v.s.wait(longestPause); {
			ctx, cancel := context.WithTimeout(v.s.ctx, attemptTime)
			_, err := v.last(ctx)
			cancel()
			behind = err != nil
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		v.behind = false
	})
}

// applyMessage applies a message of the stream. The messages of this Store itself are skipped.
func (v *SignatureStore) applyMessage(m *message) {
	if m.head.Get(headFrom) == v.s.id {
		return
	}
	var in keptState
	if json.Unmarshal(m.data, &in) == nil {
		in.Call.Owner = string(in.Owner)
		_ = v.memory.Keep(context.Background(), in.Call, in.State)
	}
}
