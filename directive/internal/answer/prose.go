package answer

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/notes"
)

const (
	ahead   = 256      // maximum lookahead in bytes
	maxHeld = 64 << 10 // maximum buffered bytes of an object that may be a document
)

// outside is the state of the text outside documents.
type outside struct {
	open    bool
	blank   bool   // the current line has only white space so far
	fence   string // the opening line of a code block that may contain a document
	code    bool   // inside a code block without a document
	fenced  bool   // inside a code block with a document
	wrapped bool   // the previous document was a member of another object
	notes   []callwright.Note
}

// loose writes text outside documents.
func (r *Reader) loose(text string) {
	o := &r.outside
	line := text
	if n := strings.LastIndexByte(text, '\n'); n >= 0 {
		line, o.blank = text[n+1:], true
	}
	o.blank = o.blank && strings.Trim(line, white) == ""
	if r.hidden {
		return
	}
	if !o.open {
		o.open = true
		r.output.begin(true)
	}
	r.output.say(text)
}

// endOutside ends a passage outside documents.
func (r *Reader) endOutside() {
	o := &r.outside
	if !o.open {
		return
	}
	o.open = false
	switch text, repeated := r.output.end(); {
	case repeated:
		r.note(ruleRepeated, "", text, "", "the text is a repetition")
	case text != "":
		n := callwright.Note{Rule: ruleOutside, Stage: callwright.StageNormalise, Was: text}
		o.notes = notes.Fold(o.notes, n.Classify())
	}
}

// release writes buffered text that is not a document, with the opening line of the code block around it.
func (r *Reader) release(text string) state {
	fence := r.outside.fence
	r.outside.fence, r.doc, r.capture = "", document{}, nil
	r.loose(fence)
	r.outside.code = strings.Contains(fence, "\n")
	r.loose(text)
	return (*Reader).prose
}

// pass writes n bytes as text outside documents.
func (r *Reader) pass(n int) state {
	text := r.in[:n]
	r.skip(n)
	r.loose(text)
	return (*Reader).prose
}

// prose is the state in text outside documents.
func (r *Reader) prose() state {
	if r.in == "" {
		return nil
	}
	special := "{[`<"
	if r.outside.code {
		special = "`"
	}
	switch n := strings.IndexAny(r.in, special); {
	case n < 0:
		return r.pass(len(r.in))
	case n > 0:
		return r.pass(n)
	}
	switch c := r.in[0]; {
	case c == '{':
		return (*Reader).readOpeningBrace
	case c == '<':
		return (*Reader).mark
	case !r.outside.blank:
		return r.pass(1)
	case c == '[':
		return (*Reader).list
	}
	return (*Reader).fence
}

// mark is the state at a '<' in text. It removes a closing marker of reasoning, which lacks its opening marker.
func (r *Reader) mark() state {
	m, maybe := markAt(r.in, func(m dialect.Mark) string { return m.Close })
	switch {
	case m.Close != "":
		r.endOutside()
		r.skip(len(m.Close))
		r.note("mark.unopened", "", m.Close, "", "")
		r.outside.blank = true
		return (*Reader).prose
	case maybe && !r.ended:
		return nil
	}
	return r.pass(1)
}

// fence is the state at a backquote at the beginning of a line. It reads the opening line or the end of a code block.
func (r *Reader) fence() state {
	const mark = "```"
	switch {
	case len(r.in) < len(mark) && strings.HasPrefix(mark, r.in) && !r.ended:
		return nil
	case !strings.HasPrefix(r.in, mark):
		return r.pass(1)
	case r.outside.code:
		r.outside.code = false
		return r.pass(len(mark))
	case r.outside.fenced:
		r.outside.fenced = false
		r.skip(len(mark))
		return (*Reader).prose
	}
	i := len(mark)
	for i < len(r.in) && i < ahead && (!notOfKey(rune(r.in[i])) || strings.IndexByte(white, r.in[i]) >= 0) {
		i++
	}
	switch {
	case i == len(r.in) && i < ahead && !r.ended:
		return nil
	case i < len(r.in) && (r.in[i] == '{' || r.in[i] == '['):
		r.outside.fence = r.in[:i]
		r.skip(i)
		if r.in[0] == '[' {
			return (*Reader).list
		}
		return (*Reader).readOpeningBrace
	}
	r.outside.code = strings.Contains(r.in[:i], "\n")
	return r.pass(len(mark))
}

// next skips the first byte of the input and white space, and returns the offset of the byte after them. known is false
// if no such byte is within the lookahead. ok is false if more input is needed.
func (r *Reader) next() (at int, known, ok bool) {
	at = len(r.in) - len(strings.TrimLeft(r.in[1:], white))
	switch {
	case at < len(r.in):
		return at, at <= ahead, true
	case at <= ahead && !r.ended:
		return at, false, false
	}
	return at, false, true
}

// readOpeningBrace is the state at a brace that may open a document.
func (r *Reader) readOpeningBrace() state {
	at, known, ok := r.next()
	if !ok {
		return nil
	}
	if !known {
		if r.ended && r.startsDocument(at) {
			return r.cutAtOnce()
		}
		return r.release(r.takeByte())
	}
	switch c := r.in[at]; {
	case strings.IndexByte(`\{&`, c) >= 0, c == 0xE2, c == '`':
		r.doc = document{tentative: true, apart: r.standsApart()}
		return r.keep((*Reader).settle)
	}
	switch name, _, found := memberKey(r.in[at:], r.ended); {
	case found == more:
		return nil
	case found == no && r.ended && r.startsDocument(at):
		return r.cutAtOnce()
	case found == no, r.in[at] != '"' && r.in[at] != '\'' && !isMember(Plain(name)):
		return r.release(r.takeByte())
	}
	r.doc = document{tentative: true, apart: r.standsApart()}
	r.skip(1)
	return (*Reader).member
}

// takeByte removes and returns the first byte of the input.
func (r *Reader) takeByte() string {
	c := r.in[:1]
	r.in = r.in[1:]
	return c
}

// standsApart reports whether the next text begins a line or a code block.
func (r *Reader) standsApart() bool { return r.outside.blank || r.outside.fence != "" }

// startsDocument reports whether the response ended within the first member name of a document. at is the offset of
// the name.
func (r *Reader) startsDocument(at int) bool {
	if !r.standsApart() {
		return false
	}
	key := r.in[at:]
	if key == "" {
		return true
	}
	key, quoted := strings.CutPrefix(key, `"`)
	key = strings.TrimRight(strings.TrimRight(key, white), `"`)
	return quoted && (strings.HasPrefix(TextMember, key) || strings.HasPrefix(DirectivesMember, key))
}

// cutAtOnce begins and ends a document that was truncated before its first member.
func (r *Reader) cutAtOnce() state {
	r.skip(len(r.in))
	r.doc = document{}
	r.beginDocument()
	return r.cut()
}
