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

// Configured provides the keys of the configuration, which exist in addition to those of a Ring. [access.Gate]
// implements it.
type Configured interface {
	// IsConfigured reports whether there is a key with that name.
	IsConfigured(name string) bool
	// ConfiguredFor reports whether there is a key with the verb v.
	ConfiguredFor(v access.Verb) bool
	// ConfiguredGroup reports whether there is a group with that name.
	ConfiguredGroup(name string) bool
	// ConfiguredIn returns the name of a key in a group, or "" for none.
	ConfiguredIn(group string) (key string)
}

// A Ring contains the keys and groups that are stored in a log. Use New. It is safe for concurrent use.
type Ring struct {
	log Log
	now func() time.Time

	beside atomic.Pointer[Configured]
	edits  sync.Mutex // held during a change, so that the next one is checked against its result

	mu      sync.Mutex
	records map[string]*record // by subject in the log
	read    bool               // whether the existing entries were received
	moved   chan struct{}      // closed at the next change
	version atomic.Uint64      // 0 until read
	keys    []access.Key       // keys of the version made
	groups  []access.Group
	made    uint64
}

// A record is the last change of a subject.
type record struct {
	number uint64
	*change
}

var _ access.Source = (*Ring)(nil)

// New returns a Ring with the keys and groups in a log. now returns the current time; nil means time.Now.
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

// SetConfigured sets the keys of the configuration. The Ring creates no key or group with a configured name. It permits
// deleting its last key with the verb admin if the configuration has such a key.
func (r *Ring) SetConfigured(c Configured) { r.beside.Store(&c) }

// change increments the version and wakes waiters. The caller holds mu.
func (r *Ring) change() {
	if r.read {
		r.version.Add(1)
	}
	close(r.moved)
	r.moved = make(chan struct{})
}

// applyEntry applies an entry of the log.
func (r *Ring) applyEntry(e Entry) {
	if c, ok := decodeChange(e.Data); ok {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.take(e.Number, c)
	}
}

// take stores a change unless a later one is stored. The caller holds mu.
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

// listRecords returns the records that are not deleted, sorted by kind and name. The caller holds mu.
func (r *Ring) listRecords() []*record {
	list := slices.DeleteFunc(slices.Collect(maps.Values(r.records)), func(rec *record) bool { return rec.isGone() })
	slices.SortFunc(list, func(a, b *record) int {
		return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), strings.Compare(a.Name, b.Name))
	})
	return list
}

// Await waits until the existing entries of the log were read, or ctx ends.
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

// find returns the last change of a record, or nil if the record does not exist. last is the number of its last change,
// also for a deleted record.
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

// List returns the keys sorted by name. They must not be modified.
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

// Groups returns the groups sorted by name. They must not be modified.
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

// Key returns the key with that name. The error is of KindNotFound.
func (r *Ring) Key(name string) (Key, error) {
	c, _ := r.find(KeyKind, name)
	if c == nil {
		return Key{}, NotFound(KeyKind, name)
	}
	return c.show(), nil
}

// Group returns the group with that name. The error is of KindNotFound.
func (r *Ring) Group(name string) (Group, error) {
	c, _ := r.find(GroupKind, name)
	if c == nil {
		return Group{}, NotFound(GroupKind, name)
	}
	return c.showGroup(), nil
}
