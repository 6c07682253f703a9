package config

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
)

// A Live is a Registry whose configuration can be replaced while it is used. What was learned, and the state that
// clients cannot keep, stays. It is safe for concurrent use. Close it when it is no longer needed.
type Live struct {
	opts []Option
	now  atomic.Pointer[Registry]

	mu sync.Mutex // one Replace at a time
}

// NewLive makes a Live of a configuration, as NewRegistry does. The options hold for every configuration that replaces
// it.
func NewLive(c *Config, opts ...Option) (*Live, error) {
	r, err := NewRegistry(c, opts...)
	if err != nil {
		return nil, err
	}
	l := &Live{opts: opts}
	l.now.Store(r)
	return l, nil
}

// Replace has requests from now on go by another configuration. Those that are running go on by the one that they began
// with. Where the new one cannot be used the old one stays. The folder of the state stays in any case.
func (l *Live) Replace(c *Config) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.now.Load()
	r, err := NewRegistry(c, append(append([]Option(nil), l.opts...), WithShelf(old.shelf), WithVault(old.vault),
		WithTargets(old.targets), withFiles(old.files))...)
	if err != nil {
		return err
	}
	r.inherit(old)
	r.targets.Forgive()
	l.now.Store(r)
	old.Close() // it disturbs no request
	return nil
}

// Registry returns the one that holds now.
func (l *Live) Registry() *Registry { return l.now.Load() }

// Config returns the configuration that holds now. It does not change.
func (l *Live) Config() *Config { return l.now.Load().c }

// Resolve is that of the registry that holds now.
func (l *Live) Resolve(name string) (*reliable.Client, error) { return l.now.Load().Resolve(name) }

// List is that of the registry that holds now.
func (l *Live) List(ctx context.Context) []callwright.ModelID { return l.now.Load().List(ctx) }

// Known is that of the registry that holds now.
func (l *Live) Known(ctx context.Context, names []callwright.ModelID) []caps.Caps {
	return l.now.Load().Known(ctx, names)
}

// ConversationBounds is that of the registry that holds now.
func (l *Live) ConversationBounds(name string) access.Conversation {
	return l.now.Load().ConversationBounds(name)
}

// Breakers is that of the registry that holds now.
func (l *Live) Breakers() []provider.Breaker { return l.now.Load().Breakers() }

// Targets is that of the registry that holds now.
func (l *Live) Targets() []health.Target { return l.now.Load().Targets() }

// Close closes the registry that holds now.
func (l *Live) Close() { l.now.Load().Close() }
