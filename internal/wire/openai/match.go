package openai

// match finds the call that a fragment belongs to. fresh reports that the fragment begins a new call. If c is nil and
// fresh is false, the fragment belongs to no call.
//
// Servers identify calls by index, by id, by both or by neither. Some use the same index or id for all calls. match
// therefore looks for a call with the id of the fragment (and, among several, with its index), then for a call with its
// index, then takes the last call. It rejects a call whose arguments are complete if the fragment has more arguments.
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
	case f.id == "" && f.name == "": // arguments alone, under an unknown index or none
		return last, false
	case f.index >= 0 || last == nil:
		return nil, true
	case f.name == "": // an id alone: a server with a new id in each fragment, or a call whose name follows later
		return last, last.whole() || f.startsValue()
	case f.id == "" && f.name == last.name && (f.args != "" || last.id != "") && !last.whole():
		return last, false // the server repeats the name in each fragment
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

// anotherOf reports whether a fragment with the id of c begins a new call with the same id.
func (a *assembly) anotherOf(c *streamedCall, f fragment) bool {
	elsewhere := f.index >= 0 && c.index >= 0 && f.index != c.index
	otherName := f.name != "" && c.name != "" && f.name != c.name
	switch {
	case otherName:
		return elsewhere || c.canBeWhole() || len(c.args) == 0 && !(c.nameOpen && !c.begun) // two names or a split one
	case f.name == "":
		return false
	case elsewhere:
		return f.args == "" || f.startsValue() || c.canBeWhole()
	}
	return c.isComplete() && f.startsValue() && !startsWith(f.args, c.args)
}

// anotherAt reports whether a fragment with the index of c begins a new call with the same index.
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
