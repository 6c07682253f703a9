package foreignfile

import (
	"slices"
	"strings"
)

// trail returns name and all names that it leads to through aliases and groups.
func (d *draft) trail(name string) []string {
	out := []string{name}
	for at := 0; at < len(out); at++ {
		e := d.entry(out[at])
		if e == nil {
			continue
		}
		for _, t := range e.targets() {
			if next := t.id(); !slices.Contains(out, next) {
				out = append(out, next)
			}
		}
	}
	return out
}

// cutCircles removes fallbacks that form cycles, which the gateway's configuration does not permit. To an entry that
// loses its last fallback, the fallbacks of its model apply. All entries are then checked again.
func (d *draft) cutCircles() {
	for again := true; again; {
		again = false
		for _, e := range d.entries {
			again = d.cutBelow(e.name) || again
		}
	}
}

// cutBelow removes each fallback, direct or indirect, that leads from name back to name, or to a name to which name
// refers. It reports whether an entry lost its last fallback.
func (d *draft) cutBelow(name string) (emptied bool) {
	way := d.trail(name)
	queue, seen := []string{name}, map[string]bool{name: true}
	for len(queue) > 0 {
		from := queue[0]
		e := d.withFallbacks(from)
		if queue = queue[1:]; e == nil {
			continue
		}
		e.fallbacks = slices.DeleteFunc(slices.Clone(e.fallbacks), func(f target) bool {
			to := f.id()
			if slices.ContainsFunc(d.trail(to), func(step string) bool { return slices.Contains(way, step) }) {
				d.addNote("fallbacks", quoteName(to)+" after "+quoteName(e.name)+" would form a cycle: this fallback is left out", "")
				return true
			}
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
			return false
		})
		if len(e.fallbacks) == 0 { // the fallbacks of the next name on the trail apply now
			queue = append(queue, from)
			emptied = true
		}
	}
	return emptied
}

// withFallbacks returns the entry whose fallbacks apply to a name: the first in the order of trail that has fallbacks.
// It returns nil if there is none.
func (d *draft) withFallbacks(name string) *entry {
	for _, step := range d.trail(name) {
		if e := d.entry(step); e != nil && len(e.fallbacks) > 0 {
			return e
		}
	}
	return nil
}

// guardPatterns adds an entry for each model in the file whose name a pattern matches. Without it the pattern would
// replace this model by another one. An entry for one name overrides a pattern.
func (d *draft) guardPatterns() {
	var ids []string
	var patterns []*entry
	known := map[string]bool{}
	for _, e := range d.entries {
		if strings.Contains(e.name, "*") {
			patterns = append(patterns, e)
		}
		for _, t := range append(e.targets(), pointers(e.fallbacks)...) {
			if id := t.id(); d.entry(id) == nil && !known[id] {
				known[id] = true
				ids = append(ids, id)
			}
		}
	}
	for _, id := range ids {
		if slices.ContainsFunc(patterns, func(e *entry) bool { return fits(e.name, id) }) {
			d.entries = append(d.entries, &entry{name: id, model: target{name: id},
				from: []string{"the model itself, because a pattern above matches its name"}})
		}
	}
}

// fits reports whether name matches pattern, in which an asterisk stands for any characters.
func fits(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	last := parts[len(parts)-1]
	rest, ok := strings.CutPrefix(name, parts[0])
	if len(parts) == 1 {
		return pattern == name
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if rest = after; !found {
			return false
		}
	}
	return ok && strings.HasSuffix(rest, last)
}
