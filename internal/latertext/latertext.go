// Package latertext appends the text of a later attempt to the texts of earlier attempts that the client has received.
package latertext

import (
	"strings"

	"github.com/callwright/callwright"
)

// Rule is the rule ID of notes on text that was removed because it repeats the text of an earlier attempt.
const Rule = "correct.repeated_text"

// A Text removes repetitions from the text of an attempt after the client has received texts of earlier attempts. If
// the text begins with a complete earlier text, that part is removed. The rest begins on a new line. Text is buffered
// only while it may be such a repetition. The zero Text has no earlier texts and returns its input unchanged.
type Text struct {
	Note func(callwright.Note) // called for each removed text
	Keep bool                  // repetitions are not removed

	earlier  []string // texts that the client has, without surrounding white space
	possible []string // earlier texts of which the buffered text may be a repetition
	held     []byte
	state    state
	ownPart  bool // the attempt has its own TextBegin event
}

// whiteSpace contains the characters that separate words and lines.
const whiteSpace = " \t\r\n"

type state uint8

const (
	followsNothing state = iota // there is no earlier text
	mayRepeat                   // the text so far is the beginning of an earlier text
	isNew                       // skips white space before the first word
	isFlowing                   // the first word was returned
)

// After adds an earlier text, which the client has received. The next call of Feed begins the text of a later attempt.
func (l *Text) After(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	l.earlier, l.held, l.state = append(l.earlier, text), l.held[:0], mayRepeat
	l.possible = append(l.possible[:0], l.earlier...)
	if l.Keep {
		l.state = isNew
	}
}

// Follows reports whether there is an earlier text and nothing of the current text was returned yet.
func (l *Text) Follows() bool { return l.state == mayRepeat || l.state == isNew }

// Feed returns the text to send to the client after the next text delta: "" while the text may repeat an earlier one.
func (l *Text) Feed(piece string) string {
	switch l.state {
	case followsNothing, isFlowing:
		return piece
	case isNew:
		return l.begin(piece)
	}
	if len(l.held) == 0 {
		piece = strings.TrimLeft(piece, whiteSpace)
	}
	at := len(l.held)
	l.held = append(l.held, piece...)
	matching, waits := l.possible[:0], false
	for _, text := range l.possible {
		if at < len(text) && !strings.HasPrefix(text[at:], piece[:min(len(piece), len(text)-at)]) {
			continue
		}
		matching, waits = append(matching, text), waits || len(l.held) <= len(text)
	}
	if l.possible = matching; waits {
		return ""
	}
	return l.decide()
}

// Close ends the text and returns its buffered rest.
func (l *Text) Close() string {
	if l.state != mayRepeat || len(l.held) == 0 {
		return ""
	}
	return l.decide()
}

// decide removes the longest complete earlier text from the beginning of the buffered text and returns the rest.
func (l *Text) decide() string {
	held, longest := string(l.held), ""
	for _, text := range l.possible {
		if rest, ok := strings.CutPrefix(held, text); ok && len(text) > len(longest) &&
			(rest == "" || strings.ContainsAny(rest[:1], whiteSpace)) {
			longest = text
		}
	}
	l.held, l.state = l.held[:0], isNew
	if longest != "" {
		l.Note(callwright.Note{Rule: Rule, Stage: callwright.StageCorrect, Was: longest})
	}
	return l.begin(held[len(longest):])
}

// begin returns piece without leading white space, on a new line. It returns "" if only white space is left.
func (l *Text) begin(piece string) string {
	if piece = strings.TrimLeft(piece, whiteSpace); piece == "" {
		return ""
	}
	l.state = isFlowing
	return "\n" + piece
}

// Events returns the events of a batch with their text deltas processed by Feed. It adds a TextBegin event before the
// text if the attempt has none.
func (l *Text) Events(events []callwright.Event) []callwright.Event {
	out := make([]callwright.Event, 0, len(events)+1)
	add := func(text string) {
		if text == "" {
			return
		}
		if !l.ownPart {
			out = append(out, callwright.TextBegin{})
		}
		out = append(out, callwright.TextDelta{Text: text})
	}
	for _, ev := range events {
		switch e := ev.(type) {
		case callwright.TextDelta:
			if l.Follows() {
				add(l.Feed(e.Text))
				continue
			}
		case callwright.UsageDelta, callwright.Begin:
		default:
			add(l.Close())
			_, l.ownPart = ev.(callwright.TextBegin)
		}
		out = append(out, ev)
	}
	return out
}
