package access

import (
	"context"
	"slices"

	"github.com/callwright/callwright"
)

// A Source has keys that change while a gateway runs, such as the keys that an API creates. Its methods are called
// concurrently.
type Source interface {
	// Version returns a number that differs after each change, 0 while the keys are unknown. It is called for each
	// request.
	Version() uint64
	// Keys returns the keys and groups with their version. The results must not be modified.
	Keys() (keys []Key, groups []Group, version uint64)
}

// errUnread is the error for a key that may be in a source that was not read yet.
var errUnread = &callwright.Error{Kind: callwright.KindUnavailable, RetryAfter: unknownPause,
	Message: "the keys of this gateway are not loaded yet: try again in a moment"}

// currentRing returns the present ring, with the present keys of the source.
func (g *Gate) currentRing() *ring {
	r := g.ring.Load()
	if g.source == nil || g.source.Version() == r.version {
		return r
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.ring.Load()
	if g.source.Version() != now.version {
		next := &ring{file: now.file, prices: now.prices, streams: now.streams, own: now.own}
		g.fill(next, now.keys[:now.fixed], now.keys[now.fixed:now.listed])
		g.ring.Store(next)
	}
	return g.ring.Load()
}

// withoutConfigured returns the keys in more, those of the source, without keys whose name or hash a key in listed has.
// It logs the keys that it removes.
func (g *Gate) withoutConfigured(listed, more []Key) []Key {
	if len(listed) == 0 || len(more) == 0 {
		return more
	}
	names, hashes := make(map[string]bool, len(listed)), make(map[Hash]bool, len(listed))
	for i := range listed {
		k := &listed[i]
		names[k.Name], hashes[k.Hash], hashes[k.Previous] = true, true, true
	}
	delete(hashes, Hash{})
	return slices.DeleteFunc(slices.Clone(more), func(k Key) bool {
		twice := names[k.Name] || hashes[k.Hash] || hashes[k.Previous]
		if twice && !g.hidden[k.Name] {
			g.hidden[k.Name] = true
			g.log.Warn("a stored key is ignored, because the configuration has the same name or the same key: remove one of them", "key", k.Name)
		}
		return twice
	})
}

// groupsBeside returns the groups in more, those of the source, without groups whose name a group in own has. It logs
// the groups that it removes.
func (g *Gate) groupsBeside(own, more []Group) []Group {
	if len(own) == 0 || len(more) == 0 {
		return more
	}
	return slices.DeleteFunc(slices.Clone(more), func(other Group) bool {
		twice := slices.ContainsFunc(own, func(o Group) bool { return o.Name == other.Name })
		if twice && !g.hiddenGroups[other.Name] {
			g.hiddenGroups[other.Name] = true
			g.log.Warn("a stored group is ignored, because the configuration has a group with the same name: remove one of them", "group", other.Name)
		}
		return twice
	})
}

// ConfiguredGroup reports whether the configuration has a group with that name.
func (g *Gate) ConfiguredGroup(name string) bool {
	return slices.ContainsFunc(g.ConfiguredGroups(), func(o Group) bool { return o.Name == name })
}

// ConfiguredGroups returns the groups of the configuration. They must not be modified.
func (g *Gate) ConfiguredGroups() []Group { return g.currentRing().own }

// IsConfigured reports whether the configuration or its key file has a key with that name.
func (g *Gate) IsConfigured(name string) bool {
	g.refresh()
	r := g.currentRing()
	return slices.ContainsFunc(r.keys[:r.listed], func(k Key) bool { return k.Name == name })
}

// ConfiguredIn returns the name of a key of the configuration or its key file in a group, or "" for none.
func (g *Gate) ConfiguredIn(group string) (key string) {
	for _, k := range g.ConfiguredKeys() {
		if k.Group == group {
			return k.Name
		}
	}
	return ""
}

// ConfiguredFor reports whether the configuration or its key file has a key with the verb v that has not expired.
func (g *Gate) ConfiguredFor(v Verb) bool {
	g.refresh()
	r, now := g.currentRing(), g.now()
	return slices.ContainsFunc(r.keys[:r.listed], func(k Key) bool { return k.Can(v) && (k.Expires.IsZero() || now.Before(k.Expires)) })
}

// ConfiguredKeys returns the keys of the configuration and of its key file. They must not be modified.
func (g *Gate) ConfiguredKeys() []Key {
	g.refresh()
	r := g.currentRing()
	return r.keys[:r.listed:r.listed]
}

// UsageOf returns the usage of the key with that name. ok is false if there is none.
func (g *Gate) UsageOf(ctx context.Context, name string) (u Usage, ok bool) {
	g.refresh()
	r := g.currentRing()
	i := slices.IndexFunc(r.keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Usage{}, false
	}
	return g.onlooker(r, int32(i)).Usage(ctx), true
}
