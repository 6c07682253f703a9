package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/harmony"
	"github.com/callwright/callwright/dialect/internal/shown"
)

// thoughts is the state of the current reasoning.
type thoughts struct {
	think      string // tag of the open reasoning, "" outside reasoning
	fresh      bool   // reasoning was closed and no text followed yet
	unsaid     Note   // note about the opening marker, until reasoning text follows
	primed     bool   // at the start of reasoning that the prompt opened
	spelled    bool   // a reasoning marker was text, so its closing marker is text too
	answers    bool   // a channel with the response text is open
	thought    bool   // the response had reasoning already, so more may directly follow text
	thoughtEnd thoughtEnd
}

// lookThink begins reasoning at a marker in visible text, or removes a closing marker. In a sentence they are text.
func (s *Scanner) lookThink(i int, x token) tristate {
	switch {
	case x.close && s.spelled:
		s.spelled = false
		return no
	case x.close && s.answers && x.tag == channel:
		s.answers = false
		s.cut("mark.template", i, x.n)
		return yes
	case x.close:
		return s.orphan(i, x)
	case !s.standsApart(i) && !s.thought:
		s.spelled = true
		return no
	}
	n, isAnswer, found := s.channelLabel(i, x)
	if found == maybe {
		return maybe
	}
	s.flush(s.blank(i))
	if isAnswer {
		s.openAnswer(i, n)
		return yes
	}
	s.unsaid = Note{Rule: "mark.reasoning", Offset: s.base + i, Was: strings.Clone(s.t[i : i+n])}
	s.drop(i + n)
	s.think, s.thought, s.primed, s.state = x.tag, true, true, inReasoning
	return yes
}

// reasoning is the state in reasoning text.
func (s *Scanner) reasoning() bool {
	for {
		n := strings.IndexAny(s.t[s.pos:], "<[]")
		if n < 0 {
			s.pos = len(s.t)
			if s.ended {
				s.flush(s.pos)
				return false
			}
			return s.wait(s.pos)
		}
		i := s.pos + n
		x, v := s.lex(s.t, i, s.ended)
		if v == maybe {
			return s.wait(i)
		}
		if v == yes && (s.isQuotedOpener(i, x) == maybe || x.role == Think && x.close &&
			s.sentenceRest(s.t[i+x.n:]).IsQuoted(s.line(i)) == maybe) {
			return s.wait(i)
		}
		if v == yes {
			if _, _, found := s.channelLabel(i, x); found == maybe {
				return s.wait(i)
			}
		}
		if v == yes && x.role == Channel {
			if v = not(s.isNamedToken(i, x)); v == maybe {
				return s.wait(i)
			}
		}
		s.pos = i + 1
		if v == no {
			continue
		}
		if s.reasoningMark(i, x) {
			return true
		}
	}
}

// isNamedToken reports whether a harmony token at t[i:] is a word of a sentence in reasoning.
func (s *Scanner) isNamedToken(i int, x token) tristate {
	if x.tag != "|call" && x.tag != "|channel" && x.tag != "|start" || s.before(i, 0) != ' ' || !chars.IsLower(s.before(i, 1)) {
		return no
	}
	rest := s.t[i+x.n:]
	end := strings.IndexByte(rest[:min(len(rest), chars.MaxName)], '<')
	if end < 0 {
		if end = min(len(rest), chars.MaxName); end == len(rest) && !s.ended {
			return maybe
		}
	}
	words := strings.Fields(rest[:end])
	if x.tag == "|call" {
		return yesIf(len(words) > 0 && rest[0] == ' ')
	}
	return yesIf(len(words) > 1 && !slices.ContainsFunc(words[1:], harmony.IsHeaderWord))
}

// reasoningMark acts on a marker inside reasoning: it may end the reasoning or begin a call. It returns false for text.
func (s *Scanner) reasoningMark(i int, x token) bool {
	if x.close && x.role != Think && slices.Contains(x.also, s.think) {
		x.role = Think
	}
	switch x.role {
	case Cite:
		s.cut("mark.citation", i, x.n)
		return true
	case Think:
		n, isAnswer, _ := s.channelLabel(i, x)
		if n > x.n {
			s.passLabel(i, n, x, isAnswer)
			return true
		}
		if !x.close && strings.TrimSpace(s.t[s.from:i]) == "" && s.primed {
			s.q.note("mark.reasoning", s.base+i, s.t[i:i+x.n])
			s.drop(i + x.n) // the model repeats the marker of the prompt
			return true
		}
		if !x.close || s.sentenceRest(s.t[i+x.n:]).IsQuoted(s.line(i)) == yes {
			return false
		}
		s.flush(s.blank(i))
		s.noteUnsaid()
		if s.o.ReasoningPrimed { // no marker in the text shows where the reasoning began
			s.q.note("mark.reasoning", s.base+i, s.t[i:i+x.n])
		}
		s.drop(i + x.n)
		s.endThought()
		return true
	case Wrap, Section:
		if x.close || x.named || shown.IsQuoted(s.line(i)) && s.isQuotedOpener(i, x) == no {
			return false
		}
		if x.prefixed {
			s.beginElements(i, x)
		} else {
			s.begin(i, x)
		}
		return true
	case Noise:
		s.flush(i)
		s.q.note("mark.template", s.base+i, s.t[i:i+x.n])
		s.drop(i + x.n)
		isAnswer := !x.close && strings.HasSuffix(strings.ToLower(strings.Trim(x.tag, "|")), "response") // the response's marker
		if isAnswer || s.think == "|channel" && x.format == "template" {
			s.endThought()
		}
		return true
	case Channel:
		if s.think != "|channel" {
			return false
		}
		s.flush(s.blank(i))
		s.endThought()
		s.endMessage(i, x)
		return true
	}
	return false
}

// endsThinking reports whether the marker x, inside or between calls, ends the enclosing reasoning.
func (s *Scanner) endsThinking(x token) bool {
	switch {
	case s.think == "":
		return false
	case x.role == Channel:
		return s.think == "|channel"
	}
	return x.close && (x.role == Think || slices.Contains(x.also, s.think))
}

// noteUnsaid notes the opening marker of empty reasoning.
func (s *Scanner) noteUnsaid() {
	if s.unsaid.Rule != "" {
		s.q.put(Item{Kind: Noted, Note: s.unsaid})
		s.unsaid = Note{}
	}
}

// endThought continues with visible text.
func (s *Scanner) endThought() {
	s.think, s.primed, s.fresh, s.o.ReasoningPrimed = "", false, true, false
	s.q.thought = true
	s.state = inText
}
