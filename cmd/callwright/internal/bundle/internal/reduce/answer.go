package reduce

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/callwright/callwright/cmd/callwright/internal/casefile"
	"github.com/callwright/callwright/internal/jsonx"
)

// answers removes parts of the providers' responses: headers, events or lines of a stream, and JSON members.
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

// header removes HTTP headers of a recorded response and of its request.
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

// events removes events of a recorded streamed response.
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

// eventsOf splits a stream into events, each with the blank line after it, or into lines if it has no blank lines.
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

// setBody replaces the body of a response. The number of bytes that were not recorded (Size minus body) does not
// change.
func setBody(c *casefile.Case, turn int, text []byte) {
	r := c.Turns[turn].Received
	r.Size = r.Size - int64(len(r.Body)) + int64(len(text))
	r.Body = text
}

// documents returns the JSON documents in a response: the whole body, or one in each line that contains one.
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

// lineOf returns the place of the JSON document in line n of a response.
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

// documentIn returns the byte range of the JSON object or array in a line, 0 and 0 if there is none.
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

// Limits for shortening strings.
const (
	longString = 24 // minimum length in bytes of a string to shorten
	mostCuts   = 12 // maximum number of cuts per string
)

// strings shortens long strings in the request and in the responses.
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

// shorten shortens the nth string value of a document. It returns false if there is no such string.
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

// cut tries to replace the string value said, which is at the position at of the document text, by the empty string,
// its first half or its second half. It returns true if a smaller case is accepted.
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

// stringAt returns the position of the nth long string value in a document. ok is false if there is none.
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
