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

// A Live is a Registry whose configuration can be replaced while it serves requests. A replacement keeps the learned
// facts and the reasoning-signature store. It is safe for concurrent use. The caller must close it.
type Live struct {
	opts []Option
	now  atomic.Pointer[Registry]

	mu sync.Mutex // serializes Replace
}

// NewLive creates a Live with a first configuration, as NewRegistry does. The options also apply to every later
// configuration.
func NewLive(c *Config, opts ...Option) (*Live, error) {
	r, err := NewRegistry(c, opts...)
	if err != nil {
		return nil, err
	}
	l := &Live{opts: opts}
	l.now.Store(r)
	return l, nil
}

// Replace makes c the configuration of new requests. Running requests keep the configuration with which they began. On
// an error the old configuration remains. A change of state.dir has no effect.
func (l *Live) Replace(c *Config) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.now.Load()
	r, err := NewRegistry(c, append(append([]Option(nil), l.opts...), WithCapsStore(old.capsStore), WithSignatures(old.signatures),
		WithTargets(old.targets), withFiles(old.files))...)
	if err != nil {
		return err
	}
	r.inherit(old)
	r.targets.Forgive()
	l.now.Store(r)
	old.Close() // running requests continue
	return nil
}

// Registry returns the current registry.
func (l *Live) Registry() *Registry { return l.now.Load() }

// Config returns the current configuration, which must not be changed.
func (l *Live) Config() *Config { return l.now.Load().c }

// Resolve calls Resolve of the current registry.
func (l *Live) Resolve(name string) (*reliable.Client, error) { return l.now.Load().Resolve(name) }

// List calls List of the current registry.
func (l *Live) List(ctx context.Context) []callwright.ModelID { return l.now.Load().List(ctx) }

// KnownCaps calls KnownCaps of the current registry.
func (l *Live) KnownCaps(ctx context.Context, names []callwright.ModelID) []caps.Caps {
	return l.now.Load().KnownCaps(ctx, names)
}

// ConversationBounds calls ConversationBounds of the current registry.
func (l *Live) ConversationBounds(name string) access.Conversation {
	return l.now.Load().ConversationBounds(name)
}

// Breakers calls Breakers of the current registry.
func (l *Live) Breakers() []provider.Breaker { return l.now.Load().Breakers() }

// Targets calls Targets of the current registry.
func (l *Live) Targets() []health.Target { return l.now.Load().Targets() }

// Close closes the current registry.
func (l *Live) Close() { l.now.Load().Close() }
