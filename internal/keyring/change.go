package keyring

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// Times of changes.
const (
	// catchUpTime is how long a change waits to receive an earlier change by another gateway.
	catchUpTime = 2 * time.Second
	// maxOverlap is the maximum time for which a replaced secret remains accepted.
	maxOverlap = 9999 * time.Hour
)

// errUnread is the error of a change before the log was read.
var errUnread = &callwright.Error{Kind: callwright.KindUnavailable, RetryAfter: time.Second,
	Message: "the keys are not loaded yet: try again in a moment"}

// Create creates a key. who is the name of the key that makes the change. The returned secret is stored nowhere. Errors
// are of KindInvalid for invalid settings, and of KindConflict for a name in use.
func (r *Ring) Create(ctx context.Context, who, name string, s Settings) (k Key, secret string, err error) {
	if err := checkName(name); err != nil {
		return Key{}, "", err
	}
	if err := s.check(); err != nil {
		return Key{}, "", err
	}
	secret = access.NewKey()
	c, err := r.apply(ctx, KeyKind, name, func(was *change, now time.Time) (*change, error) {
		if was != nil || r.isConfigured(name) {
			return nil, nameTaken(KeyKind, name)
		}
		return &change{Action: Created, Who: who, Key: &key{Hash: hash(access.HashOf(secret)), Created: now, Settings: s}}, nil
	})
	if err != nil {
		return Key{}, "", err
	}
	return c.show(), secret, nil
}

// Change changes the settings of a key by a JSON Merge Patch (RFC 7396) of Settings. who is the name of the key that
// makes the change.
func (r *Ring) Change(ctx context.Context, who, name string, patch []byte) (Key, error) {
	c, err := r.apply(ctx, KeyKind, name, func(was *change, _ time.Time) (*change, error) {
		if was == nil {
			return nil, r.missing(name)
		}
		next := *was.Key
		var err error
		if next.Settings, err = applyPatch(was.Key.Settings, patch); err != nil {
			return nil, err
		}
		action := Changed
		switch {
		case next.Disabled && !was.Key.Disabled:
			action = Disabled
		case !next.Disabled && was.Key.Disabled:
			action = Enabled
		}
		return &change{Action: action, Who: who, Key: &next}, next.check()
	})
	if err != nil {
		return Key{}, err
	}
	return c.show(), nil
}

// Rotate replaces the secret of a key and returns the new one, which is stored nowhere. The replaced secret remains
// accepted for the time overlap. Older secrets are no longer accepted.
func (r *Ring) Rotate(ctx context.Context, who, name string, overlap time.Duration) (k Key, secret string, err error) {
	if overlap < 0 || overlap > maxOverlap {
		return Key{}, "", invalid("/overlap", "expected a duration from 0 to %s, got %s", maxOverlap, overlap)
	}
	secret = access.NewKey()
	c, err := r.apply(ctx, KeyKind, name, func(was *change, now time.Time) (*change, error) {
		if was == nil {
			return nil, r.missing(name)
		}
		next := *was.Key
		next.Hash, next.Previous, next.Until = hash(access.HashOf(secret)), hash{}, time.Time{}
		if overlap > 0 {
			next.Previous, next.Until = was.Key.Hash, now.Add(overlap)
		}
		return &change{Action: Rotated, Who: who, Key: &next}, nil
	})
	if err != nil {
		return Key{}, "", err
	}
	return c.show(), secret, nil
}

// Delete deletes a key. Its name can be used again. Counts and stored data belong to the name.
func (r *Ring) Delete(ctx context.Context, who, name string) error {
	_, err := r.apply(ctx, KeyKind, name, func(was *change, _ time.Time) (*change, error) {
		if was == nil {
			return nil, r.missing(name)
		}
		return &change{Action: Deleted, Who: who}, nil
	})
	return err
}

// CreateGroup creates a group of keys. Errors are those of Create.
func (r *Ring) CreateGroup(ctx context.Context, who, name string, s GroupSettings) (Group, error) {
	if err := checkName(name); err != nil {
		return Group{}, err
	}
	if err := s.check(); err != nil {
		return Group{}, err
	}
	c, err := r.apply(ctx, GroupKind, name, func(was *change, now time.Time) (*change, error) {
		if was != nil || r.isConfiguredGroup(name) {
			return nil, nameTaken(GroupKind, name)
		}
		return &change{Action: Created, Who: who, Group: &group{now, s}}, nil
	})
	if err != nil {
		return Group{}, err
	}
	return c.showGroup(), nil
}

// ChangeGroup changes the settings of a group by a JSON Merge Patch of GroupSettings.
func (r *Ring) ChangeGroup(ctx context.Context, who, name string, patch []byte) (Group, error) {
	c, err := r.apply(ctx, GroupKind, name, func(was *change, _ time.Time) (*change, error) {
		if was == nil || r.isConfiguredGroup(name) { // the gateway uses the configured group
			return nil, r.missingGroup(name)
		}
		next := *was.Group
		var err error
		if next.GroupSettings, err = applyPatch(was.Group.GroupSettings, patch); err != nil {
			return nil, err
		}
		return &change{Action: Changed, Who: who, Group: &next}, next.check()
	})
	if err != nil {
		return Group{}, err
	}
	return c.showGroup(), nil
}

// DeleteGroup deletes a group without keys. The error is of KindConflict if the group has keys.
func (r *Ring) DeleteGroup(ctx context.Context, who, name string) error {
	_, err := r.apply(ctx, GroupKind, name, func(was *change, _ time.Time) (*change, error) {
		if was == nil {
			return nil, r.missingGroup(name)
		}
		if key := r.keyIn(name); key != "" && !r.isConfiguredGroup(name) { // else its keys are in the configured group
			return nil, conflict("the group %q has the key %q: remove its keys from the group first", callwright.Excerpt(name), key)
		}
		return &change{Action: Deleted, Who: who}, nil
	})
	return err
}

// keyIn returns the name of a key in a group, of the Ring or of the configuration, or "" for none.
func (r *Ring) keyIn(group string) string {
	for _, k := range r.List() {
		if k.Group == group {
			return k.Name
		}
	}
	if b := r.beside.Load(); b != nil {
		return (*b).ConfiguredIn(group)
	}
	return ""
}

// apply appends a change of a record to the log and returns it. edit returns the change; was is the last change of the
// record, nil for none. If another gateway changes the record concurrently, apply calls edit once more.
func (r *Ring) apply(ctx context.Context, kind Kind, name string, edit func(was *change, now time.Time) (*change, error)) (*change, error) {
	if r.version.Load() == 0 {
		return nil, errUnread
	}
	r.edits.Lock()
	defer r.edits.Unlock()
	for again := false; ; again = true {
		was, last := r.find(kind, name)
		now := r.now().UTC().Truncate(time.Millisecond)
		c, err := edit(was, now)
		if err != nil {
			return nil, err
		}
		c.Kind, c.Name, c.Time = kind, name, now
		if err := r.allow(c); err != nil {
			return nil, err
		}
		data, err := json.Marshal(c)
		if err != nil {
			return nil, err
		}
		number, err := r.log.Append(ctx, subject(kind, name), last, data)
		switch {
		case err == nil:
			r.mu.Lock()
			r.take(number, c)
			r.mu.Unlock()
			return c, nil
		case again || !errors.Is(err, ErrMoved) || !r.awaitChange(ctx, kind, name, last):
			return nil, err
		}
	}
}

// awaitChange waits until a change of a record other than number last is known, at most for catchUpTime, and reports
// whether it is.
func (r *Ring) awaitChange(ctx context.Context, kind Kind, name string, last uint64) bool {
	ctx, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	for {
		r.mu.Lock()
		moved := r.moved
		r.mu.Unlock()
		if _, now := r.find(kind, name); now != last {
			return true
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return false
		}
	}
}

// allow returns an error for a change after which a key would be in a group that does not exist, or no key could
// administer keys.
func (r *Ring) allow(c *change) error {
	if c.Kind == GroupKind {
		return nil
	}
	if c.Key != nil && c.Key.Group != "" {
		if was, _ := r.find(GroupKind, c.Key.Group); was == nil && !r.isConfiguredGroup(c.Key.Group) {
			return conflict("there is no group %q: create it first", callwright.Excerpt(c.Key.Group))
		}
	}
	if b := r.beside.Load(); b != nil && (*b).ConfiguredFor(access.Admin) {
		return nil
	}
	now := r.now()
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.DeleteFunc(r.listRecords(), func(rec *record) bool { return rec.Name == c.Name })
	if !c.isGone() {
		list = append(list, &record{change: c})
	}
	for _, rec := range list {
		if rec.Key != nil && rec.Key.canAdminister(now) {
			return nil
		}
	}
	return conflict("no key would have the verb admin, which keys need to change keys: first give it to another key")
}

// canAdminister reports whether a key has the verb admin and is usable at the time now.
func (k *key) canAdminister(now time.Time) bool {
	return !k.Disabled && slices.Contains(k.Verbs, access.Admin) && (k.Expires == nil || now.Before(*k.Expires))
}

// isConfigured reports whether the configuration has a key with that name.
func (r *Ring) isConfigured(name string) bool {
	b := r.beside.Load()
	return b != nil && (*b).IsConfigured(name)
}

// missing returns the error for a key that is not in the ring.
func (r *Ring) missing(name string) error {
	if r.isConfigured(name) {
		return conflict("the key %q is in the configuration: change it there", callwright.Excerpt(name))
	}
	return NotFound(KeyKind, name)
}

// isConfiguredGroup reports whether the configuration has a group with that name.
func (r *Ring) isConfiguredGroup(name string) bool {
	b := r.beside.Load()
	return b != nil && (*b).ConfiguredGroup(name)
}

// missingGroup returns the error for a group that is not in the ring.
func (r *Ring) missingGroup(name string) error {
	if r.isConfiguredGroup(name) {
		return conflict("the group %q is in the configuration: change it there", callwright.Excerpt(name))
	}
	return NotFound(GroupKind, name)
}

// nameTaken returns the error for a name that another key or group has.
func nameTaken(kind Kind, name string) error {
	return conflict("there is a %s %q already: use another name", kind, callwright.Excerpt(name))
}

func conflict(format string, args ...any) error {
	return callwright.Errorf("", callwright.KindConflict, "", format, args...)
}
