// Package latertext lets the text of an attempt follow the texts of earlier attempts.
package latertext

import (
	"strings"

	"github.com/callwright/callwright"
)

// Rule is the rule for text that is left out because it repeats text of an earlier attempt.
const Rule = "correct.repeated_text"

// A Text is the text of an attempt for a client that has texts of earlier attempts. A text that repeats an earlier one
// from its beginning is left out as far as it does; the rest follows on a line of its own. Text is held only while it
// may be such a repetition. The zero Text follows no text.
type Text struct {
	Note func(callwright.Note) // receives a note on each text that is left out
	Keep bool                  // repetitions are not left out

	earlier  []string // texts that the client has, without white space around them
	possible []string // those that the text may repeat: they have held as a prefix, or are one of held
	held     []byte
	state    state
	ownPart  bool // a TextBegin came for it
}

// whiteSpace separates words and lines.
const whiteSpace = " \t\r\n"

type state uint8

const (
	followsNothing state = iota // no text came before
	mayRepeat                   // the text so far is the beginning of an earlier one
	isNew                       // white space before the first word is left out
	isFlowing                   // the first word was returned
)

// After makes the text that comes next follow another.
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

// Follows reports whether the text so far is to follow another and nothing of it was returned yet.
func (l *Text) Follows() bool { return l.state == mayRepeat || l.state == isNew }

// Feed reads a piece of text and returns the part that can be handed on.
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

// Close ends the text and returns the rest of it.
func (l *Text) Close() string {
	if l.state != mayRepeat || len(l.held) == 0 {
		return ""
	}
	return l.decide()
}

// decide leaves out the longest repeated earlier text, and returns the text behind it.
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

// begin returns text on a line of its own from its first word on.
func (l *Text) begin(piece string) string {
	if piece = strings.TrimLeft(piece, whiteSpace); piece == "" {
		return ""
	}
	l.state = isFlowing
	return "\n" + piece
}

// Events returns the events of a batch with the text in them as it follows the earlier ones, in a part of its own.
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
