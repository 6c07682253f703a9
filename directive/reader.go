package directive

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive/internal/answer"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/notes"
)

// Limits bound the parts of one answer that a Reader reads. A member that is 0 has its default.
type Limits struct {
	Directives int // directives, dropped ones included: 1000
	Bytes      int // bytes of one directive: 1 MiB
	Answer     int // bytes of the text of an answer: 16 MiB; what follows is not read
}

// The defaults of Limits.
const (
	defaultDirectives = 1000
	defaultBytes      = 1 << 20
	defaultAnswer     = 16 << 20
)

// orDefault returns the limits with their defaults.
func (l Limits) orDefault() Limits {
	for _, m := range []struct {
		limit *int
		least int
	}{{&l.Directives, defaultDirectives}, {&l.Bytes, defaultBytes}, {&l.Answer, defaultAnswer}} {
		if *m.limit <= 0 {
			*m.limit = m.least
		}
	}
	return l
}

// A Reader reads the text of one answer as it comes, for programs that ask models by means of their own. It gives the
// same turn, and the same events, joined, however the text is cut. Work is linear in the text. It is not safe for
// concurrent use; make one with NewReader.
type Reader struct {
	reg     *Registry
	limits  Limits
	text    *answer.Reader
	turn    *Turn
	events  []Event
	said    strings.Builder // text for which there is no event yet
	finish  callwright.Finish
	seen    map[string]*occurrences
	tooMany *Problem
	asked   int // how many directives were asked for; 0: any number
}

// NewReader returns a reader of one answer in which directives of these types may stand.
func NewReader(reg *Registry, limits Limits) *Reader {
	r := &Reader{reg: reg, limits: limits.orDefault(), turn: &Turn{}, seen: map[string]*occurrences{}}
	r.text = answer.NewReader(answer.Sink{Text: r.say, Directive: r.judgeDirective, Note: r.note, IsDirective: reg.isDirective}, r.limits.Answer)
	return r
}

// Feed reads the next piece of the text and returns the decided events.
func (r *Reader) Feed(piece string) []Event {
	r.text.Feed(piece)
	return r.takeEvents()
}

// Close ends the answer, with the reason as far as it is known, and returns the remaining events.
func (r *Reader) Close(finish callwright.Finish) []Event {
	r.finish = finish
	r.text.Close()
	if r.tooMany != nil {
		r.drop(r.tooMany)
		r.tooMany = nil
	}
	r.turn.Text = r.text.Text()
	return r.takeEvents()
}

// Turn returns the turn, once the reader is closed.
func (r *Reader) Turn() *Turn { return r.turn }

// Read reads the text of a whole answer: the stream fed once.
func (r *Registry) Read(text string, finish callwright.Finish) *Turn {
	d := NewReader(r, Limits{})
	d.Feed(text)
	d.Close(finish)
	return d.Turn()
}

// takeEvents returns the events that were not given yet.
func (r *Reader) takeEvents() []Event {
	r.endText()
	out := r.events
	r.events = nil
	return out
}

func (r *Reader) say(text string) { r.said.WriteString(text) }

// endText makes an event of the text so far.
func (r *Reader) endText() {
	if r.said.Len() > 0 {
		r.events = append(r.events, Event{Kind: EventText, Text: r.said.String()})
		r.said.Reset()
	}
}

// tell adds an event.
func (r *Reader) tell(ev Event) {
	r.endText()
	r.events = append(r.events, ev)
}

func (r *Reader) note(n callwright.Note) { r.turn.Notes = notes.Fold(r.turn.Notes, n) }

// judgeDirective checks a directive against its schema and the limits, and queues it or its error.
func (r *Reader) judgeDirective(d answer.Directive) {
	switch {
	case r.tooMany != nil:
		r.tooMany.Count++
		return
	case len(r.turn.Directives)+len(r.turn.Dropped) == r.limits.Directives:
		r.tooMany = problem(ReasonTooMany, d, "maxItems", "the answer has more directives than are taken")
		r.tooMany.Count = 1
		return
	case len(d.Raw) > r.limits.Bytes:
		r.drop(problem(ReasonTooLarge, d, "maxLength", "it has more bytes than are taken"))
		return
	}
	mayClose := r.finish == callwright.FinishStop || r.finish == callwright.FinishCalls
	v := r.reg.judge(d.Raw, d.Path, !d.Whole, mayClose)
	for _, n := range v.notes {
		r.note(n)
	}
	switch {
	case v.problem != nil:
		r.drop(v.problem)
	case r.isRepeated(v.directive, d.Document):
		r.drop(problem(ReasonRepeated, d, "uniqueItems", "an earlier document of the answer has it").of(v.directive))
	case r.asked > 0 && len(r.turn.Directives) == r.asked:
		r.drop(problem(ReasonUnasked, d, "maxItems", "the correction has more directives than were asked for").of(v.directive))
	default:
		r.turn.Directives = append(r.turn.Directives, v.directive)
		r.tell(Event{Kind: EventDirective, Directive: &v.directive})
	}
}

// problem is one of a directive that was not judged, or judged to be good.
func problem(why Reason, d answer.Directive, keyword, message string) *Problem {
	return &Problem{Reason: why, Path: d.Path, Raw: clipRaw(d.Raw), Violations: []callwright.Violation{{Keyword: keyword, Message: message}}}
}

// of names the type of a directive.
func (p *Problem) of(d Directive) *Problem {
	p.Type = d.Type
	return p
}

func (r *Reader) drop(p *Problem) {
	r.turn.Dropped = append(r.turn.Dropped, *p)
	r.tell(Event{Kind: EventDropped, Problem: p})
}

// An occurrences counts equal directives: in the document that is read, and in those before it.
type occurrences struct {
	document     int
	here, before int // how many were kept
	read         int // how many the document has had
}

// isRepeated counts a directive and reports whether an earlier document has it: one that repeats itself has each as
// often as before.
func (r *Reader) isRepeated(d Directive, document int) bool {
	key := d.Type + " " + string(jsonx.Canonical(nil, d.Payload))
	s := r.seen[key]
	if s == nil {
		s = &occurrences{}
		r.seen[key] = s
	}
	if s.document != document {
		s.document, s.before, s.here, s.read = document, s.before+s.here, 0, 0
	}
	if s.read++; s.read <= s.before {
		return true
	}
	s.here++
	return false
}
