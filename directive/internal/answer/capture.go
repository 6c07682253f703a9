package answer

import (
	"strings"

	"github.com/callwright/callwright/repair"
)

// A Finder does not find the end of values nested deeper than jsonx.MaxDepth. From maxDepth on, brackets are counted
// instead.
const (
	maxDepth = 128
	stride   = 256 // bytes between looks at the depth
)

// A capture keeps one JSON value that comes in pieces, broken or not, until it has ended.
type capture struct {
	raw    strings.Builder
	finder repair.Finder
	text   repair.TextReader
	begun  bool
	kind   byte // its first byte, '"' for all kinds of quotes
	deep   bool
	// Of a value that is too deep, whose brackets are counted:
	open            int
	inText, escaped bool
}

// feed reads more of the value. At its end, done is true and rest is the text behind it; final says that nothing more
// comes.
func (c *capture) feed(in string, final bool) (rest string, done bool) {
	switch {
	case in == "" && !final:
		return "", false
	case !c.begun && isQuote(in):
		c.begun, c.kind = true, '"'
	case !c.begun && in != "":
		c.begun, c.kind = true, in[0]
	}
	switch c.kind {
	case '"', '{', '[':
		return c.pieces(in, final)
	}
	return c.word(in, final)
}

// pieces feeds a value to the finder of its end.
func (c *capture) pieces(in string, final bool) (rest string, done bool) {
	at := 0
	for at < len(in) && !c.deep {
		n := min(stride-c.raw.Len()%stride, len(in)-at) // the same places however it comes
		end, over := c.find(in[at : at+n])
		c.raw.WriteString(in[at : at+n])
		if at += n; over {
			return c.cutAt(end, in, at), true
		}
		if c.raw.Len()%stride == 0 && c.finder.Depth() > maxDepth {
			c.deep, c.open, c.inText = true, c.finder.Depth(), c.finder.InString()
		}
	}
	switch {
	case c.deep:
		return c.count(in[at:])
	case final:
		if end, over := c.close(); over {
			return c.cutAt(end, in, at), true
		}
	}
	return "", false
}

// find takes a piece and tells where the value ends.
func (c *capture) find(piece string) (end int, over bool) {
	if c.kind == '"' {
		_, end, over = c.text.Feed(piece)
		return end, over
	}
	return c.finder.Feed(piece)
}

// close tells where the value ends, after which nothing more comes.
func (c *capture) close() (end int, over bool) {
	if c.kind == '"' {
		_, end, over = c.text.Close()
		return end, over
	}
	return c.finder.Close()
}

// cutAt ends the value at a place of its text, to which in[:at] was added last, and returns the text behind it.
func (c *capture) cutAt(end int, in string, at int) string {
	all := c.raw.String()
	c.raw.Reset()
	c.raw.WriteString(all[:end])
	return following(all[end:], in, at)
}

// following is the text behind a value: rest, which was taken already, the last of it from in[:at], and then in[at:].
func following(rest, in string, at int) string {
	if len(rest) <= at { // no copy of all that is left
		return in[at-len(rest):]
	}
	return rest + in[at:]
}

// word reads more of a number, a literal, or words without quotes: up to the end of a member or an element.
func (c *capture) word(in string, final bool) (rest string, done bool) {
	if n := strings.IndexAny(in, ",]}\n"); n >= 0 {
		c.raw.WriteString(in[:n])
		return in[n:], true
	}
	c.raw.WriteString(in)
	return "", final && in != ""
}

// count takes more of a value that is too deep.
func (c *capture) count(in string) (rest string, done bool) {
	for i := 0; i < len(in); i++ {
		switch b := in[i]; {
		case c.escaped:
			c.escaped = false
		case c.inText:
			c.inText, c.escaped = b != '"', b == '\\'
		case b == '"':
			c.inText = true
		case b == '{', b == '[':
			c.open++
		case b == '}', b == ']':
			if c.open--; c.open == 0 {
				c.raw.WriteString(in[:i+1])
				return in[i+1:], true
			}
		}
	}
	c.raw.WriteString(in)
	return "", false
}

// isQuote reports whether a string begins at in, whose first character is whole.
func isQuote(in string) bool {
	return in != "" && strings.ContainsAny(in[:1], "\"'") ||
		len(in) >= 3 && strings.Contains("“”„‟‘’‚‛", in[:3]) && in[0] == 0xE2
}

// keepAfterSpace is keep for a value with white space before it.
func (r *Reader) keepAfterSpace(then func(r *Reader, raw string, whole bool) state) state {
	return func(r *Reader) state {
		if !r.space() {
			return r.orCut()
		}
		return r.keep(then)
	}
}

// keep reads the value that comes next as a whole. then is called with it; whole is false where the answer ended in it.
func (r *Reader) keep(then func(r *Reader, raw string, whole bool) state) state {
	r.capture, r.captured = &capture{}, then
	return (*Reader).value
}

// keepElement is keep for an element of a list.
func (r *Reader) keepElement(then func(r *Reader, raw string, whole bool) state) state {
	r.keep(then)
	r.capture.text.InList = true
	return (*Reader).value
}

// value is inside a value that is read as a whole.
func (r *Reader) value() state {
	in, room := r.in, len(r.in)
	if r.doc.tentative {
		room = max(min(room, maxHeld-r.doc.raw.Len()-r.capture.raw.Len()), 0)
	}
	rest, done := r.capture.feed(in[:room], r.ended)
	r.in = following(rest, in, room)
	raw := r.capture.raw.String()
	switch {
	case !done && r.doc.tentative && r.doc.raw.Len()+len(raw) >= maxHeld:
		return r.release(r.doc.raw.String() + raw)
	case !done && r.doc.tentative && r.ended:
		return r.abandon(r.doc.raw.String() + raw)
	case !done && !r.ended:
		return nil
	}
	if r.capture = nil; r.doc.tentative {
		r.doc.raw.WriteString(raw)
	}
	return r.captured(r, strings.Trim(raw, white), done)
}
