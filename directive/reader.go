package directive

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive/internal/answer"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/notes"
)

// Limits are the size limits of a response. A zero field means the default.
type Limits struct {
	Directives int // number of directives, including dropped ones; default 1000
	Bytes      int // bytes of one directive; default 1 MiB
	Answer     int // bytes of the response text; default 16 MiB; the excess is ignored
}

// Default values of the fields of [Limits].
const (
	defaultDirectives = 1000
	defaultBytes      = 1 << 20
	defaultAnswer     = 16 << 20
)

// orDefault returns l with the defaults in place of zero fields.
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

// A Reader reads the text of one response in chunks, for programs with their own model client. The turn and the
// concatenated events do not depend on the chunking. It takes linear time. It is not safe for concurrent use. Use
// NewReader.
type Reader struct {
	reg     *Registry
	limits  Limits
	text    *answer.Reader
	turn    *Turn
	events  []Event
	said    strings.Builder // text without an event yet
	finish  callwright.Finish
	seen    map[string]*occurrences
	tooMany *Problem
	asked   int // number of directives that a correction requested, 0 for no limit
}

// NewReader returns a Reader of one response with directives of the types in reg.
func NewReader(reg *Registry, limits Limits) *Reader {
	r := &Reader{reg: reg, limits: limits.orDefault(), turn: &Turn{}, seen: map[string]*occurrences{}}
	r.text = answer.NewReader(answer.Sink{Text: r.say, Directive: r.judgeDirective, Note: r.note, IsDirective: reg.isDirective}, r.limits.Answer)
	return r
}

// Feed processes the next chunk of the text and returns new events.
func (r *Reader) Feed(piece string) []Event {
	r.text.Feed(piece)
	return r.takeEvents()
}

// Close processes the end of the response and returns the remaining events. finish is the finish reason, "" if
// unknown.
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

// Turn returns the turn. It is complete after Close.
func (r *Reader) Turn() *Turn { return r.turn }

// Read reads the complete text of a response. finish is the finish reason, "" if unknown.
func (r *Registry) Read(text string, finish callwright.Finish) *Turn {
	d := NewReader(r, Limits{})
	d.Feed(text)
	d.Close(finish)
	return d.Turn()
}

// takeEvents returns and removes the pending events.
func (r *Reader) takeEvents() []Event {
	r.endText()
	out := r.events
	r.events = nil
	return out
}

func (r *Reader) say(text string) { r.said.WriteString(text) }

// endText converts the pending text to an event.
func (r *Reader) endText() {
	if r.said.Len() > 0 {
		r.events = append(r.events, Event{Kind: EventText, Text: r.said.String()})
		r.said.Reset()
	}
}

// tell appends an event to r.events, after the pending text.
func (r *Reader) tell(ev Event) {
	r.endText()
	r.events = append(r.events, ev)
}

func (r *Reader) note(n callwright.Note) { r.turn.Notes = notes.Fold(r.turn.Notes, n) }

// judgeDirective validates a directive, applies the limits, and appends an event for the directive or its problem.
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

// problem returns the Problem for a directive that is dropped for a reason other than its validation.
func problem(why Reason, d answer.Directive, keyword, message string) *Problem {
	return &Problem{Reason: why, Path: d.Path, Raw: clipRaw(d.Raw), Violations: []callwright.Violation{{Keyword: keyword, Message: message}}}
}

// of sets p.Type to the type of d and returns p.
func (p *Problem) of(d Directive) *Problem {
	p.Type = d.Type
	return p
}

func (r *Reader) drop(p *Problem) {
	r.turn.Dropped = append(r.turn.Dropped, *p)
	r.tell(Event{Kind: EventDropped, Problem: p})
}

// An occurrences counts equal directives in the current document and in previous ones.
type occurrences struct {
	document     int
	here, before int // number of kept directives
	read         int // number of occurrences in the current document
}

// isRepeated counts a directive. It reports whether the directive repeats one of an earlier document. If n equal
// directives of earlier documents were kept, the first n in the current document are repetitions.
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
