// Package cooldown has the times in which models are skipped, because of how an earlier request ended.
package cooldown

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

const (
	// longest bounds a cooldown, whatever a provider says.
	longest = time.Hour
	// trial bounds the time for which others are skipped while one request asks after a cooldown.
	trial = 10 * time.Second
	// maxModels bounds a Table: names come from clients.
	maxModels = 1024
)

// A Table has the cooldowns of models, by name. The zero Table is empty. It is safe for concurrent use.
type Table struct {
	mu     sync.Mutex
	models map[string]*Cooldown
}

// Of returns the cooldown of a model, the same one each time.
func (t *Table) Of(model string) *Cooldown {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c := t.models[model]; c != nil {
		return c
	}
	if len(t.models) >= maxModels {
		for other := range t.models { // any of them: who has it keeps it, and only shares it no more
			delete(t.models, other)
			break
		}
	}
	if t.models == nil {
		t.models = map[string]*Cooldown{}
	}
	c := &Cooldown{}
	t.models[model] = c
	return c
}

// Active returns the models that are skipped now.
func (t *Table) Active() map[string]Skip {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[string]Skip{}
	for model, c := range t.models {
		if s, skipped := c.Skipped(); skipped {
			out[model] = s
		}
	}
	return out
}

// A Skip says why a model is skipped and for how long.
type Skip struct {
	Kind callwright.Kind // of the failure that began it
	Left time.Duration
}

// A Cooldown is the time in which a model is skipped. When it is over, one request asks, and others are skipped until its answer is there. The
// zero Cooldown is over. It is safe for concurrent use.
type Cooldown struct {
	begun atomic.Bool // the fields below say something

	mu    sync.Mutex
	kind  callwright.Kind
	until time.Time
	trial time.Time // until when others are skipped for the request that asks after the cooldown
}

// Start begins a cooldown of that length after a failure. It ends no limit, and shortens none.
func (c *Cooldown) Start(kind callwright.Kind, length time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	until := now.Add(min(length, longest))
	if c.limited(now) && (kind != callwright.KindRateLimited || c.until.After(until)) {
		return
	}
	c.kind, c.until, c.trial = kind, until, time.Time{}
	c.begun.Store(true)
}

// limited reports whether a provider's limit is not over.
func (c *Cooldown) limited(now time.Time) bool {
	return c.begun.Load() && c.kind == callwright.KindRateLimited && now.Before(c.until)
}

// Limit reports whether the model is skipped because of a limit.
func (c *Cooldown) Limit() (s Skip, limited bool) {
	if !c.begun.Load() {
		return Skip{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if !c.limited(now) {
		return Skip{}, false
	}
	return Skip{c.kind, c.until.Sub(now)}, true
}

// Skipped reports whether the model is skipped for a time that a failure began. It changes nothing.
func (c *Cooldown) Skipped() (s Skip, skipped bool) {
	if !c.begun.Load() {
		return Skip{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	left := time.Until(c.until)
	return Skip{c.kind, left}, c.begun.Load() && left > 0
}

// Enter reports whether the model is skipped for any reason. tries says that the caller's request is the one that asks after a cooldown: it
// calls Succeed or Release, unless Start begins another.
func (c *Cooldown) Enter() (s Skip, skipped, tries bool) {
	if !c.begun.Load() {
		return Skip{}, false, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	switch {
	case !c.begun.Load():
		return Skip{}, false, false
	case now.Before(c.until):
		return Skip{c.kind, c.until.Sub(now)}, true, false
	case now.Before(c.trial):
		return Skip{c.kind, c.trial.Sub(now)}, true, false
	}
	c.trial = now.Add(trial)
	return Skip{}, false, true
}

// Succeed ends a cooldown after an answer, unless it is of a limit that is not over.
func (c *Cooldown) Succeed() {
	if !c.begun.Load() {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.limited(time.Now()) {
		c.begun.Store(false)
	}
}

// Release has another request ask in place of the one that did, which got no answer.
func (c *Cooldown) Release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trial = time.Time{}
}
