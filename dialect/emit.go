package dialect

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/toolname"
)

// emit passes a call of the region to the queue. The text of the call ends at end.
func (s *Scanner) emit(c *Call, end int) {
	r := &s.r
	c.ID = cmp.Or(c.ID, r.id)
	if name, ok := toolname.InID(c.Written); ok && r.section {
		c.ID, c.Written = c.Written, name
	}
	s.place(c, end)
	s.r.nextCall(end)
	for _, n := range r.passed {
		if !r.isExample {
			s.q.put(Item{Kind: Noted, Note: n})
		}
	}
	r.passed = nil
	before := r.last
	r.last = c
	switch {
	case r.reopened && before != nil && before.repeats(c):
	case r.isExample, s.ignores(c), !r.marked && c.isSignature():
		r.ignored = true
	case !r.marked:
		r.bare.calls = append(r.bare.calls, c)
	default:
		r.given = true
		if r.inSentence {
			r.late = append(r.late, c)
			return
		}
		s.give(c, s.validator.why(c))
	}
}

// give emits a call, and notes text before it that belongs to no call.
func (s *Scanner) give(c *Call, why Why) {
	at := c.Offset - s.base - s.from
	s.noteRest(at)
	s.r.done = max(s.r.done, at+len(c.Raw))
	s.found++
	s.q.call(c, why)
}

// giveLate emits the calls of a region that are buffered until the region ends. A region is the part of the text from
// the opening marker of a call to its end.
func (s *Scanner) giveLate() {
	for _, c := range s.r.late {
		s.give(c, s.validator.why(c))
	}
	s.r.late = nil
}

// refuseCall emits a rejected call. Its text ends at offset end.
func (s *Scanner) refuseCall(c *Call, why Why, end int) {
	s.place(c, end)
	s.r.nextCall(end)
	s.r.passed = nil
	if !s.r.marked {
		return
	}
	if s.r.isExample {
		s.r.ignored = true
		return
	}
	if c.Truncated {
		why = Truncated
	}
	s.giveLate()
	r := &s.r
	r.given = true
	s.give(c, why)
}

// place sets the format, raw text and offset of a call that ends at end.
func (s *Scanner) place(c *Call, end int) {
	r := &s.r
	if r.lead > 0 {
		r.at = r.lead - 1
	}
	c.unreadable, c.unended = c.unreadable || r.unreadable, c.unended || r.unended
	c.Format = s.applyHint(cmp.Or(c.Format, cmp.Or(r.shape, r.format)))
	c.Raw, c.Offset = clip(s.t[s.from+r.at:s.from+end]), s.base+s.from+r.at
	c.InReasoning = s.think != ""
}

// applyHint returns the format that the prompt described if it shares its markers or body with format. Otherwise it
// returns format.
func (s *Scanner) applyHint(format string) string {
	f := s.marks.rows[s.o.Hint]
	switch {
	case f == nil:
		return format
	case s.r.format == f.Name:
		return f.Name
	}
	for kin := range strings.FieldsSeq(f.kin) {
		if kin == format || kin == s.r.format {
			return f.Name
		}
	}
	return format
}

// catalogue is the tag around tool definitions. Some models put it around calls.
const catalogue = "tools"

// ignores reports whether a candidate is not a call: it follows an invented tool result, it repeats a tool result or
// user text, it is only a name in a list of tools, or its format is disabled.
func (s *Scanner) ignores(c *Call) bool {
	return s.madeUp || s.validator.off("dialect."+c.Format) || s.r.isOpen(catalogue) && s.validator.lists(c) || s.validator.echoes(c)
}
