package answer

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
)

// A Sink receives the results of a Reader in the order of the response, except in a document, the JSON object with text
// and directives. The text of a document precedes its directives, even if the model wrote it after them.
type Sink struct {
	Text      func(piece string)
	Directive func(Directive)
	Note      func(callwright.Note)
	// IsDirective reports whether obj, a JSON object outside a document, is a directive.
	IsDirective func(obj []byte) bool
}

// A Directive is a directive as the model wrote it.
type Directive struct {
	Raw      string
	Path     string // JSON pointer in the document
	Document int    // number of the document, from 1; consecutive directives outside documents count as one document
	Whole    bool   // the directive is not truncated
}

// A Reader parses the text of one response in chunks. Its results, concatenated, do not depend on the chunking. It
// takes linear time. It is not safe for concurrent use. Use NewReader.
type Reader struct {
	sink   Sink
	limit  int
	output output

	in    string // unparsed input
	part  []byte // an incomplete UTF-8 sequence at the end of the last chunk
	bytes int    // number of bytes of the response received
	ended bool   // no more input follows
	state state

	outside  outside
	doc      document
	capture  *capture
	captured func(r *Reader, raw string, whole bool) state
	count    int  // number of documents and of groups of directives outside documents
	row      bool // in a group of directives outside documents
	thoughts strings.Builder
	close    string // closing marker of the reasoning
	hidden   bool   // text outside documents is reasoning
	broken   bool   // the response has invalid UTF-8
}

// A state parses r.in and returns the next state, or nil if it needs more input.
type state func(r *Reader) state

// NewReader returns a Reader. It ignores text after the first limit bytes.
func NewReader(sink Sink, limit int) *Reader {
	return &Reader{sink: sink, limit: limit, output: output{out: sink.Text}, state: (*Reader).start, outside: outside{blank: true}}
}

// Feed processes the next chunk of the response text.
func (r *Reader) Feed(piece string) {
	if r.ended {
		return
	}
	if room := r.limit - r.bytes; len(piece) > room {
		r.take(piece[:room])
		r.run()
		r.note(ruleCut, "", "", "", "the answer exceeds the size limit")
		r.Close()
		return
	}
	r.take(piece)
	r.run()
}

// Close ends the response and delivers the remaining results. Later calls of Feed have no effect.
func (r *Reader) Close() {
	if r.ended {
		return
	}
	if len(r.part) > 0 {
		r.in += r.sound(string(r.part))
	}
	r.run()
	r.ended = true
	r.run()
	r.finalize()
}

// Text returns the text for the user so far.
func (r *Reader) Text() string { return r.output.all.String() }

// Documents returns the number of documents so far. Consecutive directives outside documents count as one.
func (r *Reader) Documents() int { return r.count }

// take appends a chunk to the input. Invalid UTF-8 becomes U+FFFD.
func (r *Reader) take(piece string) {
	r.bytes += len(piece)
	if len(r.part) > 0 {
		piece = string(r.part) + piece
		r.part = r.part[:0]
	}
	if cut := cutRune(piece); cut < len(piece) {
		r.part = append(r.part, piece[cut:]...)
		piece = piece[:cut]
	}
	r.in += r.sound(piece)
}

// cutRune returns the length of s without an incomplete UTF-8 sequence at its end.
func cutRune(s string) int {
	for i := len(s) - 1; i >= 0 && i > len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return i
			}
			break
		}
	}
	return len(s)
}

// sound returns s with each invalid UTF-8 byte replaced by U+FFFD.
func (r *Reader) sound(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, c := range s { // range yields U+FFFD for each invalid byte
		b.WriteRune(c)
	}
	r.broken = true
	return b.String()
}

// run runs the states until one needs more input.
func (r *Reader) run() {
	for next := r.state(r); next != nil; next = r.state(r) {
		r.state = next
	}
}

// finalize delivers the notes about the whole response.
func (r *Reader) finalize() {
	r.endOutside()
	if r.broken {
		r.note("json.invalid_utf8", "", "", "", "")
	}
	if r.count == 0 && len(r.outside.notes) > 0 {
		r.outside.notes = r.outside.notes[:1]
		r.outside.notes[0].Why = "the answer is plain text"
	}
	if r.hidden && r.count > 0 {
		r.note(ruleInReasoning, "", "", "", "")
	}
	r.addNotes(r.outside.notes)
}

func (r *Reader) note(rule, path, was, now, why string) {
	n := callwright.Note{Rule: rule, Stage: callwright.StageNormalise, Path: path, Was: was, Now: now, Why: why}
	r.sink.Note(n.Classify())
}

func (r *Reader) addNotes(notes []callwright.Note) {
	for _, n := range notes {
		r.sink.Note(n)
	}
}

// skip removes n bytes of the input. In a tentative document it buffers them.
func (r *Reader) skip(n int) {
	if r.doc.tentative {
		r.doc.raw.WriteString(r.in[:n])
	}
	r.in = r.in[n:]
}

// space skips white space. It reports whether any input is left.
func (r *Reader) space() bool {
	r.skip(len(r.in) - len(strings.TrimLeft(r.in, white)))
	return r.in != ""
}

// thinkMarks returns the reasoning markers of all model families.
var thinkMarks = sync.OnceValue(func() []dialect.Mark {
	var out []dialect.Mark
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			if m.Role == dialect.Think && m.Close != "" {
				out = append(out, m)
			}
		}
	}
	return out
})

// start is the state at the beginning of the response, where reasoning may begin.
func (r *Reader) start() state {
	const mark = "\uFEFF"
	if !r.space() {
		return r.orEnd((*Reader).prose)
	}
	if strings.HasPrefix(r.in, mark) {
		r.skip(len(mark))
		return (*Reader).start
	}
	m, maybe := markAt(r.in, func(m dialect.Mark) string { return m.Open })
	switch {
	case m.Open != "":
		r.skip(len(m.Open))
		r.close = m.Close
		r.thoughts.Reset()
		return (*Reader).thinking
	case maybe && !r.ended:
		return nil
	}
	return (*Reader).prose
}

// orEnd returns next if the response has ended, otherwise nil.
func (r *Reader) orEnd(next state) state {
	if r.ended {
		return next
	}
	return nil
}

// markAt returns the longest reasoning marker at the start of s. side selects the opening or closing marker. maybe
// reports that s is a prefix of a longer marker.
func markAt(s string, side func(dialect.Mark) string) (found dialect.Mark, maybe bool) {
	for _, m := range thinkMarks() {
		switch text := side(m); {
		case strings.HasPrefix(s, text) && len(text) > len(side(found)):
			found = m
		case len(s) < len(text) && strings.HasPrefix(text, s):
			maybe = true
		}
	}
	return found, maybe
}

// thinking is the state inside reasoning.
func (r *Reader) thinking() state {
	n := strings.Index(r.in, r.close)
	switch {
	case n >= 0:
		r.skip(n + len(r.close))
		r.note("reasoning.split", "", "", "", "")
		return (*Reader).start
	case !r.ended:
		keep := min(len(r.in), len(r.close)-1)
		r.thoughts.WriteString(r.in[:len(r.in)-keep])
		r.skip(len(r.in) - keep)
		return nil
	}
	// The response has only reasoning: look for a document inside it.
	r.note("reasoning.split", "", "", "", "the reasoning was not closed")
	r.in, r.hidden = r.thoughts.String()+r.in, true
	return (*Reader).prose
}
