package answer

import (
	"strings"

	"github.com/callwright/callwright/repair"
)

// A Finder does not find the end of values nested deeper than jsonx.MaxDepth. Below maxDepth levels, a capture only
// counts brackets.
const (
	maxDepth = 128
	stride   = 256 // number of bytes between checks of the depth
)

// A capture buffers one JSON value, valid or malformed, that arrives in chunks, until its end.
type capture struct {
	raw    strings.Builder
	finder repair.Finder
	text   repair.TextReader
	begun  bool
	kind   byte // first byte of the value; '"' for all kinds of quotes
	deep   bool
	// The state of bracket counting in a value that is too deep:
	open            int
	inText, escaped bool
}

// feed processes the next chunk. At the end of the value, done is true and rest is the text after the value. final
// reports the end of the input.
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

// pieces is feed for a string, object or array.
func (c *capture) pieces(in string, final bool) (rest string, done bool) {
	at := 0
	for at < len(in) && !c.deep {
		n := min(stride-c.raw.Len()%stride, len(in)-at) // the depth is checked at the same offsets for any chunking
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

// find feeds a chunk to the finder. over reports that the value is complete; end is then its end in the value's text.
func (c *capture) find(piece string) (end int, over bool) {
	if c.kind == '"' {
		_, end, over = c.text.Feed(piece)
		return end, over
	}
	return c.finder.Feed(piece)
}

// close reports the end of the input to the finder. over reports that the value is complete; end is then its end.
func (c *capture) close() (end int, over bool) {
	if c.kind == '"' {
		_, end, over = c.text.Close()
		return end, over
	}
	return c.finder.Close()
}

// cutAt ends the value at offset end of the buffered text. in[:at] was the last text buffered. It returns the text
// after the value.
func (c *capture) cutAt(end int, in string, at int) string {
	all := c.raw.String()
	c.raw.Reset()
	c.raw.WriteString(all[:end])
	return following(all[end:], in, at)
}

// following returns rest + in[at:]. rest and in[:at] end with the same bytes, so that a short rest needs no copy.
func following(rest, in string, at int) string {
	if len(rest) <= at { // avoids a copy
		return in[at-len(rest):]
	}
	return rest + in[at:]
}

// word buffers a chunk of a number, literal or unquoted words. The value ends before , ] } or \n, or at the end.
func (c *capture) word(in string, final bool) (rest string, done bool) {
	if n := strings.IndexAny(in, ",]}\n"); n >= 0 {
		c.raw.WriteString(in[:n])
		return in[n:], true
	}
	c.raw.WriteString(in)
	return "", final && in != ""
}

// count is feed for a value that is too deep for the finder. It finds the end by counting brackets.
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

// isQuote reports whether in begins with a quote. A typographic quote must be complete.
func isQuote(in string) bool {
	return in != "" && strings.ContainsAny(in[:1], "\"'") ||
		len(in) >= 3 && strings.Contains("“”„‟‘’‚‛", in[:3]) && in[0] == 0xE2
}

// keepAfterSpace returns the state that skips white space and then buffers the next JSON value, as keep does.
func (r *Reader) keepAfterSpace(then func(r *Reader, raw string, whole bool) state) state {
	return func(r *Reader) state {
		if !r.space() {
			return r.orCut()
		}
		return r.keep(then)
	}
}

// keep buffers the next value and calls the function then with it. whole is false if the response ended inside the
// value.
func (r *Reader) keep(then func(r *Reader, raw string, whole bool) state) state {
	r.capture, r.captured = &capture{}, then
	return (*Reader).value
}

// keepElement reads a value like keep. The value is an element of an array.
func (r *Reader) keepElement(then func(r *Reader, raw string, whole bool) state) state {
	r.keep(then)
	r.capture.text.InList = true
	return (*Reader).value
}

// value is the state inside a value that is being buffered.
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
