// Package modellist keeps the models that providers listed.
package modellist

import (
	"slices"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/provider"
)

const (
	fresh = 10 * time.Minute // how long a list is believed
	retry = time.Minute      // how long a failure is
)

// Lists are the lists of providers, by their names. They are safe for concurrent use.
type Lists struct {
	now     func() time.Time
	changed func() // called without a lock after a list has other models than the one before

	mu sync.Mutex
	of map[string]*list
}

// A list is the list of one provider.
type list struct {
	asking sync.Mutex // held while the provider is asked

	// Guarded by the lock of the Lists.
	asked    []provider.Listing // the answer to the last question that was answered
	failed   error              // of the last question
	until    time.Time          // how long neither is asked for again
	known    []provider.Listing // the last list that the provider gave, whoever asked
	complete bool               // it has all models of the provider
}

// New makes Lists without a list. changed is called after the models of a provider changed.
func New(now func() time.Time, changed func()) *Lists {
	return &Lists{now: now, changed: changed, of: map[string]*list{}}
}

// get returns the list of a provider. The lock is held.
func (l *Lists) get(provider string) *list {
	p := l.of[provider]
	if p == nil {
		p = &list{}
		l.of[provider] = p
	}
	return p
}

// Ask returns the models of a provider, which is asked where its last answer, or failure, is old. It waits for another
// question under way.
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

// Err returns the error of the last question to a provider; nil before the first one.
func (l *Lists) Err(provider string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.of[provider]; p != nil {
		return p.failed
	}
	return nil
}

// Put keeps a list that a provider gave. A complete one has all of its models.
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

// KnownModels returns the names of the models that a provider is known to have, by its last list, and whether these are
// all. It asks nobody and does not wait.
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

// Inherit copies the entries of other lists for a provider.
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
