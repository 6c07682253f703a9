package dialect

import (
	"slices"
	"strings"
)

// take reads the value that ends at end.
func (s *Scanner) take(end int) {
	v, r := s.view(), &s.r
	text := v[r.body:end]
	open := 0
	cutText := r.inDelimited && s.ended && end == len(v)
	if r.named && !cutText && s.hasLiterals() {
		if s.takeLiteral(text, end) {
			return
		}
	}
	if r.delimited {
		text = quoteDelimited(text)
	}
	r.inDelimited, r.delimited = false, false
	if cutText && r.named {
		s.refuseCall(&Call{Written: r.name, JSON: text, Truncated: true}, Truncated, end)
		return
	}
	if s.ended && end == len(v) {
		open = r.openBrackets(text)
	}
	switch {
	case text[0] == '(':
		c := &Call{Written: r.name, open: open}
		if !pythonArgs(s.tools.named(c.Written), c, text) {
			c.JSON = text
			r.bare.extra.name, r.bare.extra.truncated = r.name, open > 0
			s.refuseCall(c, Malformed, end)
			return
		}
		s.emit(c, end)
	case r.named:
		s.emit(&Call{Written: r.name, JSON: text, open: open}, end)
	default:
		s.takeCalls(text, open, end)
	}
}

// hasLiterals reports whether the call at hand is written in literals of its format's own.
func (s *Scanner) hasLiterals() bool {
	r := &s.r
	f := s.marks.rows[r.format]
	return r.delimited || f != nil && f.literals || strings.HasPrefix(r.name, "call:")
}

// takeLiteral reads arguments that are no JSON, in the literals of their format.
func (s *Scanner) takeLiteral(text string, end int) bool {
	r := &s.r
	if s.ended && end == len(s.view()) && r.openBrackets(text) > 0 {
		return false
	}
	json, fixes, ok := readLiteral(text, s.tools.named(r.name))
	if !ok {
		return false
	}
	r.inDelimited, r.delimited = false, false
	s.emit(&Call{Written: r.name, JSON: json, Fixes: fixes}, end)
	return true
}

// takeCalls reads calls that carry their names.
func (s *Scanner) takeCalls(text string, open int, end int) {
	r := &s.r
	b := readValue(&s.tools, s.o.Hint, text)
	b.name = first(b.name, r.prior)
	r.ignored = r.ignored || b.defines || b.strange && s.r.isOpen(catalogue)
	if r.marked {
		s.giveLate()
		s.q.extras(&b)
	} else {
		r.bare.extra = b
	}
	for i, c := range b.calls {
		if i == len(b.calls)-1 {
			c.open = open
		}
		s.emit(c, end)
	}
	if len(b.calls) == 0 && r.prior != "" && !b.unreadable {
		s.emit(&Call{Written: r.prior, JSON: text, open: open}, end)
		return
	}
	if len(b.calls) == 0 && r.marked && !r.ignored && (b.truncated || b.name != "" || b.strange) {
		s.refuseCall(&Call{Written: b.name, JSON: text, Truncated: b.truncated}, Malformed, end)
	}
}

// emit gives a call of the region out, whose text ends at end.
func (s *Scanner) emit(c *Call, end int) {
	r := &s.r
	c.ID = first(c.ID, r.id)
	if name, ok := idName(c.Written); ok && r.section {
		c.ID, c.Written = c.Written, name
	}
	s.place(c, end)
	s.r.nextCall(end)
	before := r.last
	r.last = c
	switch {
	case r.reopened && before != nil && before.repeats(c):
	case s.ignores(c), !r.marked && c.isSignature():
		r.ignored = true
	case !r.marked:
		r.bare.calls = append(r.bare.calls, c)
	default:
		r.given = true
		if r.inSentence {
			r.late = append(r.late, c)
			return
		}
		s.found++
		s.q.call(c, s.judge.why(c))
	}
}

// giveLate gives the calls out that waited for the end of their region.
func (s *Scanner) giveLate() {
	for _, c := range s.r.late {
		s.found++
		s.q.call(c, s.judge.why(c))
	}
	s.r.late = nil
}

// typeWords are types as they stand behind a parameter in a signature.
var typeWords = []string{"str", "string", "int", "integer", "float", "number", "bool", "boolean", "list", "array", "dict", "object", "any"}

// isSignature reports whether a call in Python's way names its parameters, or their types, where values should be.
func (c *Call) isSignature() bool {
	if len(c.Args) == 0 || c.Format != "pythonic" && c.Format != "markdown_fence" {
		return false
	}
	return !slices.ContainsFunc(c.Args, func(a Arg) bool {
		return a.Kind != Literal || a.Text != a.Key && !slices.Contains(typeWords, strings.ToLower(a.Text))
	})
}

// repeats reports whether another call is written like c.
func (c *Call) repeats(d *Call) bool {
	return c.Written == d.Written && strings.TrimSpace(c.JSON) == strings.TrimSpace(d.JSON) && slices.Equal(c.Args, d.Args)
}

// idName is the tool's name in a call id such as functions.name:3.
func idName(id string) (name string, ok bool) {
	i := strings.LastIndexByte(id, ':')
	if i <= 0 || i == len(id)-1 || strings.Trim(id[i+1:], "0123456789") != "" {
		return "", false
	}
	return strings.TrimPrefix(id[:i], "functions."), true
}

// refuseCall reports something that was meant as a call.
func (s *Scanner) refuseCall(c *Call, why Why, end int) {
	s.place(c, end)
	s.r.nextCall(end)
	if !s.r.marked {
		return
	}
	if c.Truncated {
		why = Truncated
	}
	s.giveLate()
	s.found++
	s.q.call(c, why)
}

// place notes where a call stands.
func (s *Scanner) place(c *Call, end int) {
	r := &s.r
	c.Format = s.hinted(first(c.Format, first(r.shape, r.format)))
	raw := s.t[s.from+r.at : s.from+end]
	if len(raw) > MaxRaw {
		raw = strings.ToValidUTF8(raw[:MaxRaw], "")
	}
	c.Raw, c.Offset = raw, s.base+s.from+r.at
	c.InReasoning = s.think != ""
}

// hinted is the format that was asked for by name, when it shares its marks with the one that was met.
func (s *Scanner) hinted(format string) string {
	if f := s.marks.rows[s.o.Hint]; f != nil && f.kin == format {
		return f.Name
	}
	return format
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
