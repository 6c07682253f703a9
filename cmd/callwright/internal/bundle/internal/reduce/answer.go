package reduce

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/internal/jsonx"
)

// answers leaves out parts of the providers' answers: fields of the header, events or lines of a stream, and members.
func (s *search) answers() {
	for i := range s.best.Turns {
		if s.best.Turns[i].Received == nil {
			continue
		}
		s.header(i)
		s.events(i)
		for _, p := range s.documents(i) {
			s.tree(p)
		}
	}
}

// header leaves out fields of the header of an answer and of the request to it.
func (s *search) header(turn int) {
	for _, name := range sortedNames(s.best.Turns[turn].Received.Header) {
		c := s.best.Clone()
		r := c.Turns[turn].Received
		r.Header = r.Header.Clone()
		r.Header.Del(name)
		s.try(c)
	}
	if len(s.best.Turns[turn].Received.Sent) > 0 {
		c := s.best.Clone()
		c.Turns[turn].Received.Sent = nil
		s.try(c)
	}
}

func sortedNames(h map[string][]string) (out []string) {
	for name := range h {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// events leaves out events of a stream.
func (s *search) events(turn int) {
	whole := s.best.Turns[turn].Received.Body
	if jsonx.Valid(whole) == nil {
		return
	}
	parts := eventsOf(whole)
	if len(parts) < 2 {
		return
	}
	minimize(len(parts), func(stay []bool) bool {
		var next []byte
		for i, p := range parts {
			if stay[i] {
				next = append(next, p...)
			}
		}
		c := s.best.Clone()
		setBody(c, turn, next)
		return s.try(c)
	}, s.over)
}

// eventsOf parts a stream into events, each with the blank line that ends it, or into lines.
func eventsOf(body []byte) (out [][]byte) {
	if !bytes.Contains(body, []byte("\n\n")) {
		return slices.Collect(bytes.Lines(body))
	}
	for len(body) > 0 {
		end := bytes.Index(body, []byte("\n\n"))
		if end < 0 {
			return append(out, body)
		}
		out = append(out, body[:end+2])
		body = body[end+2:]
	}
	return out
}

// setBody changes the body of an answer. Of one that was not recorded whole as much is missing as before.
func setBody(c *casefile.Case, turn int, text []byte) {
	r := c.Turns[turn].Received
	r.Size = r.Size - int64(len(r.Body)) + int64(len(text))
	r.Body = text
}

// documents returns the JSON texts of an answer: it is one, or has one in some of its lines.
func (s *search) documents(turn int) (out []place) {
	whole := s.best.Turns[turn].Received.Body
	if jsonx.Valid(whole) == nil {
		return []place{{func(c *casefile.Case) []byte { return c.Turns[turn].Received.Body },
			func(c *casefile.Case, text []byte) { setBody(c, turn, text) }}}
	}
	for n, line := range slices.Collect(bytes.Lines(whole)) {
		if from, to := documentIn(line); to > from {
			out = append(out, lineOf(turn, n))
		}
	}
	return out
}

// lineOf is the place of the JSON text in a line of an answer.
func lineOf(turn, n int) place {
	lines := func(c *casefile.Case) [][]byte { return slices.Collect(bytes.Lines(c.Turns[turn].Received.Body)) }
	return place{
		get: func(c *casefile.Case) []byte {
			line := lines(c)[n]
			from, to := documentIn(line)
			return line[from:to]
		},
		put: func(c *casefile.Case, text []byte) {
			all := lines(c)
			from, to := documentIn(all[n])
			all[n] = slices.Concat(all[n][:from], text, all[n][to:])
			setBody(c, turn, bytes.Join(all, nil))
		},
	}
}

// documentIn returns where a JSON object or array stands in a line, nothing where there is none.
func documentIn(line []byte) (from, to int) {
	from = bytes.IndexAny(line, "{[")
	if from < 0 {
		return 0, 0
	}
	to = len(bytes.TrimRight(line, "\r\n \t,"))
	if to <= from || jsonx.Valid(line[from:to]) != nil {
		return 0, 0
	}
	return from, to
}

// Bounds of strings.
const (
	longString = 24 // bytes from which a string is made shorter
	mostCuts   = 12 // of one string
)

// strings makes long strings shorter, in the request and in the answers.
func (s *search) strings() {
	places := []place{}
	if s.best.Body != nil {
		places = append(places, body)
	}
	if s.best.Conversation != nil {
		places = append(places, conversation)
	}
	for i := range s.best.Turns {
		if s.best.Turns[i].Received != nil {
			places = append(places, s.documents(i)...)
		}
	}
	for _, p := range places {
		for nth := 0; !s.over(); nth++ {
			if !s.shorten(p, nth) {
				break
			}
		}
	}
}

// shorten makes the nth string of a text shorter. It is false where there is none.
func (s *search) shorten(p place, nth int) bool {
	for range mostCuts {
		text := p.get(s.best)
		at, ok := stringAt(text, nth)
		if !ok {
			return false
		}
		said, _ := jsonx.String(text[at.from:at.to])
		if len(said) < longString || !s.cut(p, text, at, said) {
			return true
		}
	}
	return true
}

// cut tries shorter texts in place of a string: nothing, its first half, its second half.
func (s *search) cut(p place, text []byte, at span, said string) bool {
	half := len(said) / 2
	for half > 0 && !utf8.RuneStart(said[half]) {
		half--
	}
	for _, shorter := range []string{"", said[:half], said[half:]} {
		if s.put(p, slices.Concat(text[:at.from], jsonx.AppendQuote(nil, shorter), text[at.to:])) {
			return true
		}
	}
	return false
}

// stringAt returns the nth string of a text that is a value.
func stringAt(text []byte, nth int) (found span, ok bool) {
	var visit func(from int)
	visit = func(from int) {
		_, values := children(text, from)
		for _, at := range values {
			switch {
			case ok || at >= len(text):
				return
			case text[at] == '"':
				if nth--; nth < 0 {
					found, ok = span{at, jsonx.Skip(text, at)}, true
				}
			case text[at] == '{' || text[at] == '[':
				visit(at)
			}
		}
	}
	if start := jsonx.Space(text, 0); start < len(text) && (text[start] == '{' || text[start] == '[') {
		visit(start)
	}
	return found, ok
}
