package answer

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
)

// A Sink gets the findings of a Reader, in the order of the answer; the text of a document comes before its directives,
// wherever it stands.
type Sink struct {
	Text      func(piece string)
	Directive func(Directive)
	Note      func(callwright.Note)
	// IsDirective reports whether an object that stands outside of documents, valid JSON, is a directive.
	IsDirective func(obj []byte) bool
}

// A Directive is one as it was written.
type Directive struct {
	Raw      string
	Path     string // JSON pointer to it in its document
	Document int    // the number of the document, from 1; directives that stand outside of documents, in a row, count as one
	Whole    bool   // its end was found
}

// A Reader reads the text of one answer as it comes. It finds the same, joined, however the text is cut. Work is linear
// in the text. It is not safe for concurrent use; make one with NewReader.
type Reader struct {
	sink   Sink
	limit  int
	output output

	in    string // what was not read yet
	part  []byte // the beginning of a character, at the end of the last piece
	bytes int    // of the answer that were taken
	ended bool   // in is all that is left
	state state

	outside  outside
	doc      document
	capture  *capture
	captured func(r *Reader, raw string, whole bool) state
	count    int  // documents, and rows of directives that stand alone
	row      bool // directives that stand alone are read
	thoughts strings.Builder
	close    string // the mark that ends the reasoning
	hidden   bool   // text outside of documents is reasoning
	broken   bool   // bytes were no UTF-8
}

// A state reads the text in r.in and returns the next state; nil where more text is needed.
type state func(r *Reader) state

// NewReader returns a reader of an answer of at most so many bytes: text behind them is not read.
func NewReader(sink Sink, limit int) *Reader {
	return &Reader{sink: sink, limit: limit, output: output{out: sink.Text}, state: (*Reader).start, outside: outside{blank: true}}
}

// Feed takes the next piece of the text.
func (r *Reader) Feed(piece string) {
	if r.ended {
		return
	}
	if room := r.limit - r.bytes; len(piece) > room {
		r.take(piece[:room])
		r.run()
		r.note(ruleCut, "", "", "", "the answer is longer than is read")
		r.Close()
		return
	}
	r.take(piece)
	r.run()
}

// Close ends the answer: the remaining text is read as its end.
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

// Text returns the text so far.
func (r *Reader) Text() string { return r.output.all.String() }

// Documents returns how many documents began so far. Directives that stand outside of documents, in a row, count as
// one.
func (r *Reader) Documents() int { return r.count }

// take adds a piece to the unread text. Bytes that are no UTF-8 become U+FFFD.
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

// cutRune is the length of s without a character at its end that is not whole.
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

// sound is a text with U+FFFD for each byte that is no UTF-8.
func (r *Reader) sound(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, c := range s { // each such byte comes as one
		b.WriteRune(c)
	}
	r.broken = true
	return b.String()
}

// run reads as far as it is certain.
func (r *Reader) run() {
	for next := r.state(r); next != nil; next = r.state(r) {
		r.state = next
	}
}

// finalize gives the notes that are about the answer as a whole.
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

// skip drops n bytes of the unread text.
func (r *Reader) skip(n int) {
	if r.doc.tentative {
		r.doc.raw.WriteString(r.in[:n])
	}
	r.in = r.in[n:]
}

// space passes white space and reports whether anything is left.
func (r *Reader) space() bool {
	r.skip(len(r.in) - len(strings.TrimLeft(r.in, white)))
	return r.in != ""
}

// thinkMarks are the marks around reasoning, of all families.
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

// start is the beginning of the answer, where reasoning may stand.
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

// orEnd is the next state once the answer has ended, nil before.
func (r *Reader) orEnd(next state) state {
	if r.ended {
		return next
	}
	return nil
}

// markAt finds the longest mark at the beginning of s. maybe says that s may still become the beginning of a longer
// one.
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

// thinking is inside reasoning.
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
	// Nothing else was said: a document inside is the answer.
	r.note("reasoning.split", "", "", "", "it was not closed")
	r.in, r.hidden = r.thoughts.String()+r.in, true
	return (*Reader).prose
}
