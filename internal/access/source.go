package access

import (
	"context"
	"slices"

	"github.com/callwright/callwright"
)

// A Source has keys that change while a gateway runs, such as those that are made by an API. Its methods are called
// concurrently.
type Source interface {
	// Version differs after each change; it is 0 while the keys are not known. It is called for each request.
	Version() uint64
	// Keys returns the keys and the groups, and their version. None of them is changed afterwards.
	Keys() (keys []Key, groups []Group, version uint64)
}

// errUnread is the error of keys that may be known to the state, which was not read yet.
var errUnread = &callwright.Error{Kind: callwright.KindUnavailable, RetryAfter: unknownPause,
	Message: "the keys of this gateway are not known yet, as its state was not read: try again in a moment"}

// currentRing returns the ring in force, with the keys that the source has now.
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

// withoutConfigured returns the keys of the source whose names and hashes the configuration does not have. The others
// are logged: the configuration takes precedence.
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
			g.log.Warn("a key of the state is not used, as the configuration has its name or the key itself: remove one of them", "key", k.Name)
		}
		return twice
	})
}

// groupsBeside returns the groups of the source whose names the configuration does not have. The others are logged: the
// configuration takes precedence.
func (g *Gate) groupsBeside(own, more []Group) []Group {
	if len(own) == 0 || len(more) == 0 {
		return more
	}
	return slices.DeleteFunc(slices.Clone(more), func(other Group) bool {
		twice := slices.ContainsFunc(own, func(o Group) bool { return o.Name == other.Name })
		if twice && !g.hiddenGroups[other.Name] {
			g.hiddenGroups[other.Name] = true
			g.log.Warn("a group of the state is not used, as the configuration has one of its name: remove one of them", "group", other.Name)
		}
		return twice
	})
}

// ConfiguredGroup reports whether the configuration has a group of a name.
func (g *Gate) ConfiguredGroup(name string) bool {
	return slices.ContainsFunc(g.ConfiguredGroups(), func(o Group) bool { return o.Name == name })
}

// ConfiguredGroups returns the groups of the configuration. They must not be changed.
func (g *Gate) ConfiguredGroups() []Group { return g.currentRing().own }

// IsConfigured reports whether the configuration or its file of keys has a key of a name.
func (g *Gate) IsConfigured(name string) bool {
	g.refresh()
	r := g.currentRing()
	return slices.ContainsFunc(r.keys[:r.listed], func(k Key) bool { return k.Name == name })
}

// ConfiguredIn returns the name of a key that the configuration or its file of keys has in a group, "" for none.
func (g *Gate) ConfiguredIn(group string) (key string) {
	for _, k := range g.ConfiguredKeys() {
		if k.Group == group {
			return k.Name
		}
	}
	return ""
}

// ConfiguredFor reports whether the configuration, or its file of keys, has an unexpired key for a verb.
func (g *Gate) ConfiguredFor(v Verb) bool {
	g.refresh()
	r, now := g.currentRing(), g.now()
	return slices.ContainsFunc(r.keys[:r.listed], func(k Key) bool { return k.Can(v) && (k.Expires.IsZero() || now.Before(k.Expires)) })
}

// ConfiguredKeys returns the keys of the configuration and of its file of keys. They must not be changed.
func (g *Gate) ConfiguredKeys() []Key {
	g.refresh()
	r := g.currentRing()
	return r.keys[:r.listed:r.listed]
}

// UsageOf returns the usage of the key of a name. ok is false if no key has the name.
func (g *Gate) UsageOf(ctx context.Context, name string) (u Usage, ok bool) {
	g.refresh()
	r := g.currentRing()
	i := slices.IndexFunc(r.keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Usage{}, false
	}
	return g.onlooker(r, int32(i)).Usage(ctx), true
}
