package caps

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// memoryModels bounds the models that a Memory remembers; the one that learned longest ago makes room.
const memoryModels = 2048

// A Memory is a CapsStore in memory. Use NewMemory. It is bounded: a model has at most one fact of each key and source,
// and beyond some thousand models the one that learned longest ago is forgotten.
type Memory struct {
	now func() time.Time

	mu       sync.RWMutex
	models   map[string]*shelved
	watchers map[*watcher]bool
}

// A watcher is told of changes while its context lasts.
type watcher struct {
	ctx     context.Context
	changed func(model string)
}

// shelved holds the facts about one model. facts is replaced, never written to, so that it can be handed out.
type shelved struct {
	facts []Fact
	at    time.Time
}

// NewMemory is an empty Memory that reads the time from now; nil stands for time.Now.
func NewMemory(now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	return &Memory{now: now, models: map[string]*shelved{}, watchers: map[*watcher]bool{}}
}

// Facts are the facts about the model that have not expired, in the order in which they were learned. The caller does
// not write to them. They never fail.
func (m *Memory) Facts(_ context.Context, model string) ([]Fact, error) {
	m.mu.RLock()
	var known []Fact
	if s := m.models[model]; s != nil {
		known = s.facts
	}
	m.mu.RUnlock()
	if len(known) == 0 {
		return nil, nil
	}
	now := m.now()
	if !slices.ContainsFunc(known, func(f Fact) bool { return f.isExpired(now) }) {
		return slices.Clip(known), nil
	}
	var fresh []Fact
	for _, f := range known {
		if !f.isExpired(now) {
			fresh = append(fresh, f)
		}
	}
	return fresh, nil
}

// Learn keeps the fact about the model. A key or a value that Caps does not have is an error.
func (m *Memory) Learn(_ context.Context, model string, f Fact) error {
	if model == "" {
		return fmt.Errorf("expected the name of a model, got none")
	}
	if _, err := (Caps{}).With(f); err != nil {
		return err
	}
	now := m.now()
	if f.Seen.IsZero() {
		f.Seen = now
	}
	if f.Source == Learned && f.Expires.IsZero() {
		f.Expires = now.Add(LearnedTTL)
	}
	m.keep(model, f, now)
	m.tell(model)
	return nil
}

// keep replaces the fact of the same key and source.
func (m *Memory) keep(model string, f Fact, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.models[model]
	if s == nil {
		m.makeRoom(now)
		s = &shelved{}
		m.models[model] = s
	}
	kept := make([]Fact, 0, len(s.facts)+1)
	for _, old := range s.facts {
		if (old.Key != f.Key || old.Source != f.Source) && !old.isExpired(now) {
			kept = append(kept, old)
		}
	}
	s.facts, s.at = append(kept, f), now
}

// Set replaces all that is known about the model, without telling watchers.
func (m *Memory) Set(model string, facts []Fact) {
	now := m.now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(facts) == 0 {
		delete(m.models, model)
		return
	}
	if m.models[model] == nil {
		m.makeRoom(now)
	}
	m.models[model] = &shelved{facts: slices.Clone(facts), at: now}
}

// tell calls the watchers that still wait.
func (m *Memory) tell(model string) {
	m.mu.Lock()
	maps.DeleteFunc(m.watchers, func(w *watcher, _ bool) bool { return w.ctx.Err() != nil })
	told := slices.Collect(maps.Keys(m.watchers))
	m.mu.Unlock()
	for _, w := range told {
		w.changed(model)
	}
}

// Watch calls changed with each model about which something is learned or forgotten, until the context ends. It never
// fails.
func (m *Memory) Watch(ctx context.Context, changed func(model string)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watchers[&watcher{ctx, changed}] = true
	return nil
}

// Forget drops the facts of the key, or every fact about the model where key is empty.
func (m *Memory) Forget(_ context.Context, model, key string) error {
	m.drop(model, key)
	m.tell(model)
	return nil
}

func (m *Memory) drop(model, key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.models[model]
	if s == nil {
		return
	}
	if key == "" {
		delete(m.models, model)
		return
	}
	kept := make([]Fact, 0, len(s.facts))
	for _, f := range s.facts {
		if f.Key != key {
			kept = append(kept, f)
		}
	}
	if s.facts = kept; len(kept) == 0 {
		delete(m.models, model)
	}
}

// Models lists the models of which facts are known that have not expired, sorted. It never fails.
func (m *Memory) Models(context.Context) ([]string, error) {
	now := m.now()
	m.mu.RLock()
	defer m.mu.RUnlock()
	var names []string
	for name, s := range m.models {
		if s.fresh(now) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// makeRoom drops expired facts and, where that is not enough, the model that learned longest ago.
func (m *Memory) makeRoom(now time.Time) {
	if len(m.models) < memoryModels {
		return
	}
	maps.DeleteFunc(m.models, func(_ string, s *shelved) bool { return !s.fresh(now) })
	if len(m.models) < memoryModels {
		return
	}
	oldest := ""
	for name, s := range m.models {
		if oldest == "" || s.at.Before(m.models[oldest].at) {
			oldest = name
		}
	}
	delete(m.models, oldest)
}

func (s *shelved) fresh(now time.Time) bool {
	return slices.ContainsFunc(s.facts, func(f Fact) bool { return !f.isExpired(now) })
}

// isExpired reports whether the fact no longer holds at now.
func (f Fact) isExpired(now time.Time) bool { return !f.Expires.IsZero() && !now.Before(f.Expires) }

var _ Store = (*Memory)(nil)
