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

// A SignatureStore is a [signature.Store] shared by all gateways of a space. It stores reasoning signatures and other
// opaque state of tool calls. Each gateway has all of it in memory, within the limits of a [signature.Memory]. Other
// gateways see a state when NATS has delivered it. Existing states are read in the background, and Find waits for them.
// The first Find of a request that finds nothing waits a short time for states in transit.
type SignatureStore struct {
	s      *Store
	memory *signature.Memory
	out    *outbox
	in     *follower

	mu     sync.Mutex
	caught map[<-chan struct{}]bool // Done channels of the contexts of requests that have waited
	behind bool                     // NATS did not answer in time; a background task retries
}

var _ signature.Store = (*SignatureStore)(nil)

// keepWait is how long Keep waits for a write, which continues in the background. catchUpTime is how long Find waits
// for states of other gateways.
const (
	keepWait    = 250 * time.Millisecond
	catchUpTime = 250 * time.Millisecond
)

// maxWaited is the maximum number of requests that are remembered because Find has already waited for them.
const maxWaited = 256

// A keptState is the JSON of a NATS message with one saved state.
type keptState struct {
	Owner []byte          `json:"owner"` // owner of the call; may be invalid UTF-8
	Call  signature.Call  `json:"call"`
	State signature.State `json:"state"`
}

// Signatures returns the SignatureStore of the space. Every call returns the same one, with the limits of the first
// call.
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

// Keep stores a state. This gateway finds it at once, others when it is written. If other processes use the state, Keep
// waits up to keepWait for the write.
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
	if !v.s.isAlone() { // the next request may reach another gateway
		v.out.await(ctx, keepWait, done)
	}
	return nil
}

// Find returns the states stored for a call.
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

// Holds reports whether there may be states for a model. It does not block.
func (v *SignatureStore) Holds(model string) bool { return !v.in.isReady() || v.memory.Holds(model) }

// catchUp waits until all states written before the call were read. Calls with the context of one request wait only
// once.
func (v *SignatureStore) catchUp(ctx context.Context) {
	v.mu.Lock()
	request := ctx.Done()
	waited := v.behind || request != nil && v.caught[request]
	if len(v.caught) >= maxWaited {
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

// last returns the sequence number of the last message of the stream.
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

// fallBehind disables waiting in catchUp until NATS answers again.
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

// applyMessage applies a message of the stream. It skips messages of this Store.
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
