package dialect

import (
	"slices"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/repair"
)

// refuseLost rejects calls, parsed from damaged text, from which an argument seems to be lost: a declared parameter
// occurs in text as a key more often than in the calls.
func refuseLost(tools *toolset, text string, calls []*Call) {
	for _, c := range calls {
		t := tools.resolveTool(c.Written)
		if t == nil {
			continue
		}
		var given map[string]bool
		if c.JSON != "" {
			given = keysOf(c)
		}
		for i := range t.Params {
			name := t.Params[i].Name
			if given[name] || slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Key == name }) {
				continue
			}
			n := chars.CountKeys(text, name)
			for _, d := range calls {
				if n == 0 {
					break
				}
				n -= d.countKeys(name)
			}
			c.unreadable = c.unreadable || n > 0
		}
	}
}

// countKeys returns how often name occurs as a key in the call, or in text that was removed with a note.
func (c *Call) countKeys(name string) int {
	n := chars.CountKeys(c.JSON, name)
	for _, a := range c.Args {
		n += chars.CountKeys(a.Text, name)
		if a.Key == name {
			n++
		}
	}
	for _, f := range c.Fixes {
		if f.Rule != "comment" || !c.isUnclosed() {
			n += chars.CountKeys(f.Was, name)
		}
	}
	return n
}

// isUnclosed reports whether closing brackets had to be added. Text that was removed as a comment may then belong to
// the call.
func (c *Call) isUnclosed() bool {
	return slices.ContainsFunc(c.Fixes, func(f repair.Fix) bool { return f.Rule == "missing_closer" })
}

// mayLack reports whether the calls may be incomplete: one was repaired or is in Python syntax, or their list is cut.
func (b *reading) mayLack() bool {
	for _, c := range b.calls {
		if len(c.Fixes) > 0 || c.Format == "pythonic" {
			return true
		}
	}
	return b.elements
}

// emitAlone passes the only call in the region's text up to end to the queue.
func (s *Scanner) emitAlone(c *Call, end int) {
	calls := []*Call{c}
	for _, n := range s.r.passed {
		calls = append(calls, &Call{JSON: n.Was})
	}
	refuseLost(&s.tools, s.t[s.from+s.r.at:s.from+end], calls)
	s.emit(c, end)
}
