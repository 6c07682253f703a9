package dialect

import "strings"

// readAll reads a text that is nothing but calls, such as the body of a fence. ok is false when there is anything else.
func (s *Scanner) readAll(text string) (calls []*Call, extra body, ok bool) {
	t := strings.TrimSpace(text)
	switch {
	case t == "":
		return nil, extra, false
	case t[0] == '<' || t[0] == '&':
		return s.readMarked(t)
	}
	r := reader{tools: &s.tools, hint: s.o.Hint}
	for t != "" {
		n := r.next(t)
		if n <= 0 {
			return nil, extra, false
		}
		t = strings.TrimLeft(t[n:], " \t\r\n,;+")
	}
	return r.calls, r.body, len(r.calls) > 0 || r.envelope
}

// next reads the calls at the beginning of t and returns how much of it they are.
func (r *reader) next(t string) int {
	if strings.HasPrefix(t, "#") || strings.HasPrefix(t, "//") {
		if n := strings.IndexByte(t, '\n'); n >= 0 && len(r.calls) == 0 {
			return n + 1
		}
		return len(t)
	}
	if t[0] == '{' || t[0] == '[' {
		k := tracker{}
		end, _ := k.run(t, 0, "")
		b := readValue(r.tools, r.hint, t[:end])
		if n := len(b.calls); n > 0 {
			b.calls[n-1].open = openness(len(k.open), aroundCall(t))
		}
		r.take(&b)
		if len(b.calls) == 0 && !b.envelope {
			return -1
		}
		return end
	}
	end := 0
	for end < len(t) && isNameByte(t[end]) && end < maxName {
		end++
	}
	name := end
	for end < len(t) && isSpace(t[end]) {
		end++
	}
	if end < len(t) && t[end] == '{' {
		k := tracker{}
		stop, why := k.run(t, end, "")
		if _, ok := r.tools.names.plain(t[:name]); !ok || why != closed {
			return -1
		}
		r.calls = append(r.calls, &Call{Written: t[:name], JSON: t[end:stop]})
		return stop
	}
	p := python{r: r, t: t}
	if !p.one() {
		return -1
	}
	for _, c := range p.calls {
		if _, ok := r.tools.names.plain(c.Written); !ok {
			return -1
		}
	}
	r.calls = append(r.calls, p.calls...)
	return p.i
}

// take adds what was read from a part.
func (r *reader) take(b *body) {
	r.calls = append(r.calls, b.calls...)
	r.content, r.reasoning, r.more = first(r.content, b.content), first(r.reasoning, b.reasoning), first(r.more, b.more)
	r.envelope = r.envelope || b.envelope
	r.name, r.truncated = first(r.name, b.name), r.truncated || b.truncated
}

// readMarked reads a text that is nothing but calls with marks.
func (s *Scanner) readMarked(t string) (calls []*Call, extra body, ok bool) {
	o := s.o
	o.Names, o.ReasoningPrimed = s.names, false
	in := NewScanner(o)
	in.nested = true
	for _, it := range in.Close(in.Feed(t, nil)) {
		switch it.Kind {
		case CallFound:
			calls = append(calls, it.Call)
		case Text:
			if strings.TrimSpace(it.Text) != "" {
				return nil, extra, false
			}
		}
	}
	return calls, extra, len(calls) > 0
}
