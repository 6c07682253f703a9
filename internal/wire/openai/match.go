package openai

// match finds the call of a fragment. fresh says that the fragment begins a new one; without either it belongs to none.
//
// Servers identify calls by index, by id, by both or by neither, and some give the same index or id to all. A fragment
// is therefore matched by its id (of several calls with that id the one at its index), then by its index, then by
// order. Its content decides whether that call is possible: a complete call accepts no further arguments.
func (a *assembly) match(f fragment) (c *streamedCall, fresh bool) {
	if f.id != "" {
		ofID := func(c *streamedCall) bool { return c.id == f.id }
		c := a.last(func(c *streamedCall) bool { return ofID(c) && c.index == f.index })
		if c == nil {
			c = a.last(ofID)
		}
		if c != nil {
			return c, a.anotherOf(c, f)
		}
	}
	if f.index >= 0 {
		if c := a.last(func(c *streamedCall) bool { return c.index == f.index }); c != nil {
			return c, a.anotherAt(c, f)
		}
	}
	last := a.last(func(c *streamedCall) bool { return !c.ended })
	switch {
	case f.id == "" && f.name == "": // a piece on an index of its own, or on none
		return last, false
	case f.index >= 0 || last == nil:
		return nil, true
	case f.name == "": // an id alone: a server that makes a new one for each piece, or a call whose name is late
		return last, last.whole() || f.startsValue()
	case f.id == "" && f.name == last.name && (f.args != "" || last.id != "") && !last.whole():
		return last, false // the name in each piece
	}
	return nil, true
}

func (a *assembly) last(fits func(*streamedCall) bool) *streamedCall {
	for i := len(a.calls) - 1; i >= 0; i-- {
		if fits(a.calls[i]) {
			return a.calls[i]
		}
	}
	return nil
}

// anotherOf reports whether a fragment with the id of c begins another call that has the same id.
func (a *assembly) anotherOf(c *streamedCall, f fragment) bool {
	elsewhere := f.index >= 0 && c.index >= 0 && f.index != c.index
	otherName := f.name != "" && c.name != "" && f.name != c.name
	switch {
	case otherName:
		return elsewhere || c.canBeWhole() || len(c.args) == 0 && !(c.nameOpen && !c.begun) // the names of two, or the pieces of one
	case f.name == "":
		return false
	case elsewhere:
		return f.args == "" || f.startsValue() || c.canBeWhole()
	}
	return c.isComplete() && f.startsValue() && !startsWith(f.args, c.args)
}

// anotherAt reports whether a fragment under the index of c begins another call that has the same index.
func (a *assembly) anotherAt(c *streamedCall, f fragment) bool {
	begins := f.args == "" || f.startsValue()
	switch {
	case f.id != "" && c.id != "" && f.name == "":
		return f.startsValue() && c.canBeWhole()
	case f.name == "" || c.name == "":
		return false
	case f.id != "" && c.id != "":
		return begins || f.name != c.name
	case f.name != c.name:
		return !(c.nameOpen && !c.begun)
	}
	return c.canBeWhole() && (f.startsValue() || f.args == "" && !c.repeats) && !((c.total || c.repeats) && startsWith(f.args, c.args))
}
