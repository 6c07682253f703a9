package dialect

import "strings"

// take reads the value that ends at end.
func (s *Scanner) take(end int) {
	v, r := s.view(), &s.r
	text := v[r.body:end]
	open := 0
	if r.delimited {
		text = quoteDelimited(text)
	}
	cutText := r.inText && s.ended && end == len(v)
	r.inText, r.delimited = false, false
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
		if !s.pythonArgs(c, text) {
			c.JSON = text
			r.extra.name, r.extra.truncated = r.name, open > 0
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

// openBrackets tells how deep the end of the text left a value open.
func (r *region) openBrackets(text string) int {
	n := len(r.track.open)
	around := 0
	if !r.named {
		around = 1 + strings.Count(text[:min(2, len(text))], "[")
	}
	switch {
	case n == 0:
		return 0
	case n <= around:
		return 1
	case n == around+1:
		return 2
	}
	return 3
}

// takeCalls reads calls that carry their names.
func (s *Scanner) takeCalls(text string, open int, end int) {
	r := &s.r
	b := s.read(text)
	b.name = first(b.name, r.prior)
	if r.marked {
		s.q.extras(&b)
	} else {
		r.extra = b
	}
	for _, c := range b.calls {
		c.open = open
		s.emit(c, end)
	}
	if len(b.calls) == 0 && r.prior != "" && !b.unreadable {
		s.emit(&Call{Written: r.prior, JSON: text, open: open}, end)
		return
	}
	if len(b.calls) == 0 && r.marked && (b.truncated || b.name != "") {
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
	s.clear(end)
	switch {
	case s.ignores(c):
		r.ignored = true
	case !r.marked:
		r.bare = append(r.bare, c)
	default:
		s.found++
		r.given = true
		s.q.call(c, s.judge(c))
	}
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
	s.clear(end)
	if !s.r.marked {
		return
	}
	if c.Truncated {
		why = Truncated
	}
	s.found++
	s.q.call(c, why)
}

// place notes where a call stands.
func (s *Scanner) place(c *Call, end int) {
	r := &s.r
	c.Format = first(c.Format, first(r.shape, r.format))
	raw := s.t[s.from+r.at : s.from+end]
	if len(raw) > MaxRaw {
		raw = strings.ToValidUTF8(raw[:MaxRaw], "")
	}
	c.Raw, c.Offset = raw, s.base+s.from+r.at
	c.InReasoning = s.think != ""
}

// clear makes the region ready for its next call.
func (s *Scanner) clear(end int) {
	r := &s.r
	r.got++
	r.name, r.named, r.parted, r.prior, r.id, r.args, r.keys, r.key, r.keyed, r.at = "", false, false, "", "", nil, nil, "", false, end
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
