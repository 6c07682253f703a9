// Package modellist caches the model lists of providers.
package modellist

import (
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/provider"
)

const (
	fresh = 10 * time.Minute // how long a list is valid
	retry = time.Minute      // how long a failed request is not repeated
)

// Lists are the cached model lists of providers, by provider name. They are safe for concurrent use.
type Lists struct {
	now     func() time.Time
	changed func() // called without a lock after the models of a list have changed

	mu sync.Mutex
	of map[string]*list
}

// A list is the cached model list of one provider.
type list struct {
	asking sync.Mutex // held during a request for the list

	// The fields below are guarded by the mutex of Lists.
	asked    []provider.Listing // result of the last successful request by Ask
	failed   error              // error of the last request by Ask
	until    time.Time          // when Ask may request the list again
	known    []provider.Listing // the last list from the provider, by Ask or Put
	complete bool               // whether known contains all models of the provider
}

// New creates empty Lists. changed is called after the models of a provider have changed.
func New(now func() time.Time, changed func()) *Lists {
	return &Lists{now: now, changed: changed, of: map[string]*list{}}
}

// get returns the list of a provider, which it creates if needed. The caller holds the mutex.
func (l *Lists) get(provider string) *list {
	p := l.of[provider]
	if p == nil {
		p = &list{}
		l.of[provider] = p
	}
	return p
}

// Ask returns the model list of a provider. It calls ask for the list if the cached list or failure is too old. After a
// failure it returns the previous list. Concurrent calls for one provider wait for a single call of ask.
func (l *Lists) Ask(name string, ask func() ([]provider.Listing, error)) []provider.Listing {
	l.mu.Lock()
	p := l.get(name)
	l.mu.Unlock()
	p.asking.Lock()
	defer p.asking.Unlock()
	l.mu.Lock()
	models, isNew := p.asked, l.now().Before(p.until)
	l.mu.Unlock()
	if isNew {
		return models
	}
	models, err := ask()
	l.mu.Lock()
	defer l.mu.Unlock()
	p.failed = err
	if err != nil {
		p.until = l.now().Add(retry)
		return p.asked
	}
	p.asked, p.until = models, l.now().Add(fresh)
	return models
}

// Err returns the error of the last request for a provider's list, or nil if it succeeded or there was none.
func (l *Lists) Err(provider string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.of[provider]; p != nil {
		return p.failed
	}
	return nil
}

// Put stores a model list of a provider. complete reports whether it contains all models of the provider.
func (l *Lists) Put(name string, models []provider.Listing, complete bool) {
	l.mu.Lock()
	p := l.get(name)
	same := complete == p.complete && slices.EqualFunc(models, p.known, func(a, b provider.Listing) bool { return a.Model == b.Model })
	p.known, p.complete = models, complete
	l.mu.Unlock()
	if !same {
		l.changed()
	}
}

// KnownModels returns the names of the models in the last list of a provider, and whether the list is complete. It
// sends no request and does not wait for one.
func (l *Lists) KnownModels(provider string) (names []string, complete bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.of[provider]
	if p == nil {
		return nil, false
	}
	for i := range p.known {
		_, name := p.known[i].Model.Split()
		names = append(names, name)
	}
	return names, p.complete
}

// Inherit copies the list of the provider called name from other, if other has one.
func (l *Lists) Inherit(other *Lists, name string) {
	other.mu.Lock()
	p := other.of[name]
	var models []provider.Listing
	complete := false
	if p != nil {
		models, complete = p.known, p.complete
	}
	other.mu.Unlock()
	if p != nil {
		l.Put(name, models, complete)
	}
}
