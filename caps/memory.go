package caps

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// memoryModels is the maximum number of models in a Memory. Beyond it, the model with the oldest update is removed.
const memoryModels = 2048

// A Memory is a [Store] in memory. Use NewMemory. It keeps one fact for each model, key and source, and at most 2048
// models; then it removes the model with the oldest update.
type Memory struct {
	now func() time.Time

	mu       sync.RWMutex
	models   map[string]*modelFacts
	watchers map[*watcher]bool
}

// A watcher is a registered call of Watch. It is active until ctx is done.
type watcher struct {
	ctx     context.Context
	changed func(model string)
}

// modelFacts has the facts about one model. The slice facts is replaced, never modified, so it can be returned to
// callers.
type modelFacts struct {
	facts []Fact
	at    time.Time
}

// NewMemory returns an empty Memory. now returns the current time; nil means time.Now.
func NewMemory(now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	return &Memory{now: now, models: map[string]*modelFacts{}, watchers: map[*watcher]bool{}}
}

// Facts returns the unexpired facts about the model, in the order in which they were learned. The caller must not
// modify them. It never fails.
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

// Learn stores the fact about the model. An empty model, an unknown key or an invalid value is an error.
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

// keep stores a fact. It replaces the fact with the same key and source.
func (m *Memory) keep(model string, f Fact, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.models[model]
	if s == nil {
		m.makeRoom(now)
		s = &modelFacts{}
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

// Set replaces all facts about the model. It does not call watchers.
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
	m.models[model] = &modelFacts{facts: slices.Clone(facts), at: now}
}

// tell calls the watchers whose contexts are not done.
func (m *Memory) tell(model string) {
	m.mu.Lock()
	maps.DeleteFunc(m.watchers, func(w *watcher, _ bool) bool { return w.ctx.Err() != nil })
	told := slices.Collect(maps.Keys(m.watchers))
	m.mu.Unlock()
	for _, w := range told {
		w.changed(model)
	}
}

// Watch calls changed with the name of each model that Learn or Forget changes, until ctx is done. It returns nil
// immediately.
func (m *Memory) Watch(ctx context.Context, changed func(model string)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.watchers[&watcher{ctx, changed}] = true
	return nil
}

// Forget removes the facts with the key, or all facts about the model if key is "". It never fails.
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

// Models returns the sorted names of the models that have unexpired facts. It never fails.
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

// makeRoom makes space for one more model. It removes models whose facts have all expired. If that does not suffice,
// it removes the model with the oldest update.
func (m *Memory) makeRoom(now time.Time) {
	if len(m.models) < memoryModels {
		return
	}
	maps.DeleteFunc(m.models, func(_ string, s *modelFacts) bool { return !s.fresh(now) })
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

func (s *modelFacts) fresh(now time.Time) bool {
	return slices.ContainsFunc(s.facts, func(f Fact) bool { return !f.isExpired(now) })
}

// isExpired reports whether the fact has expired at the time now.
func (f Fact) isExpired(now time.Time) bool { return !f.Expires.IsZero() && !now.Before(f.Expires) }

var _ Store = (*Memory)(nil)
