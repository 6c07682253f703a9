package keyring

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright/internal/access"
)

// Configured tells of the keys of a configuration, which are beside those of a Ring.
type Configured interface {
	// Configured reports whether it has a key of a name.
	IsConfigured(name string) bool
	// ConfiguredFor reports whether it has a key that may do something.
	ConfiguredFor(v access.Verb) bool
	// ConfiguredGroup reports whether it has a group of a name.
	ConfiguredGroup(name string) bool
	// ConfiguredIn returns the name of a key that it has in a group, "" for none.
	ConfiguredIn(group string) (key string)
}

// A Ring has the keys and groups of a log. Use New. It is safe for concurrent use.
type Ring struct {
	log Log
	now func() time.Time

	beside atomic.Pointer[Configured]

	mu      sync.Mutex
	records map[string]*record // by subject
	read    bool               // all was heard that there was
	moved   chan struct{}      // closed when something was heard
	version atomic.Uint64      // 0 until read
	keys    []access.Key       // of the version that made says
	groups  []access.Group
	made    uint64
}

// A record is the last change of a subject.
type record struct {
	number uint64
	*change
}

var _ access.Source = (*Ring)(nil)

// New returns the Ring of a log, by a clock; nil is that of the machine.
func New(log Log, now func() time.Time) *Ring {
	if now == nil {
		now = time.Now
	}
	r := &Ring{log: log, now: now, records: map[string]*record{}, moved: make(chan struct{})}
	log.Follow(r.applyEntry, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.read = true
		r.change()
	})
	return r
}

// Beside tells the ring of the keys of the configuration: their names are not given again, and where one of them may
// make others, the ring may be without.
func (r *Ring) Beside(c Configured) { r.beside.Store(&c) }

// change makes another version. The caller holds mu.
func (r *Ring) change() {
	if r.read {
		r.version.Add(1)
	}
	close(r.moved)
	r.moved = make(chan struct{})
}

// applyEntry takes an entry of the log.
func (r *Ring) applyEntry(e Entry) {
	if c, ok := decodeChange(e.Data); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.take(e.Number, c)
	}
}

// take takes in a change. The caller holds mu.
func (r *Ring) take(number uint64, c *change) {
	at := subject(c.Kind, c.Name)
	if was := r.records[at]; was != nil && was.number >= number {
		return
	}
	r.records[at] = &record{number, c}
	r.change()
}

// Version implements [access.Source].
func (r *Ring) Version() uint64 { return r.version.Load() }

// Keys implements [access.Source].
func (r *Ring) Keys() (keys []access.Key, groups []access.Group, version uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.version.Load(); r.made != now {
		r.keys, r.groups, r.made = nil, nil, now
		for _, rec := range r.listRecords() {
			if rec.Key != nil {
				r.keys = append(r.keys, rec.Key.access(rec.Name))
			} else {
				r.groups = append(r.groups, rec.Group.access(rec.Name))
			}
		}
	}
	return r.keys, r.groups, r.made
}

// listRecords returns the records that are there, by name. The caller holds mu.
func (r *Ring) listRecords() []*record {
	list := slices.DeleteFunc(slices.Collect(maps.Values(r.records)), func(rec *record) bool { return rec.isGone() })
	slices.SortFunc(list, func(a, b *record) int {
		return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Name, b.Name))
	})
	return list
}

// Await waits until the log was read, or ctx ends.
func (r *Ring) Await(ctx context.Context) {
	for {
		r.mu.Lock()
		read, moved := r.read, r.moved
		r.mu.Unlock()
		if read {
			return
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return
		}
	}
}

// find returns the record of a name, nil where there is none; last is the number of its last change, also of one that
// is gone.
func (r *Ring) find(kind Kind, name string) (c *change, last uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.records[subject(kind, name)]
	switch {
	case rec == nil:
		return nil, 0
	case rec.isGone():
		return nil, rec.number
	}
	return rec.change, rec.number
}

// List returns the keys, by name. They must not be changed.
func (r *Ring) List() (out []Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rec := range r.listRecords() {
		if rec.Key != nil {
			out = append(out, rec.show())
		}
	}
	return out
}

// Groups returns the groups, by name. They must not be changed.
func (r *Ring) Groups() (out []Group) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, rec := range r.listRecords() {
		if rec.Group != nil {
			out = append(out, rec.showGroup())
		}
	}
	return out
}

// Key returns a key by its name. Errors are of KindNotFound.
func (r *Ring) Key(name string) (Key, error) {
	c, _ := r.find(KeyKind, name)
	if c == nil {
		return Key{}, NotFound(KeyKind, name)
	}
	return c.show(), nil
}

// Group returns a group by its name. Errors are of KindNotFound.
func (r *Ring) Group(name string) (Group, error) {
	c, _ := r.find(GroupKind, name)
	if c == nil {
		return Group{}, NotFound(GroupKind, name)
	}
	return c.showGroup(), nil
}
