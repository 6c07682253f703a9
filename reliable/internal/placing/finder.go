// Package placing finds the parts of a history that notes are about.
package placing

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
)

// A Finder finds the parts of a history that notes are about: encoders name calls and quote texts, and do not know
// where these stood before the history was changed. Not safe for concurrent use.
type Finder struct {
	history []callwright.Message
	place   func(message, part int) string
	calls   map[string]partPlace // by the ids under which they are sent
	taken   map[claim]bool

	unanswered map[string]bool // calls that got a result of ours, by their ids
}

// New returns a Finder for the parts of a history as it came, and as it is sent. place is where a part of the former
// stands; a part below 0 is the whole message, and a message below 0 the whole history.
func New(came, sent []callwright.Message, place func(message, part int) string) *Finder {
	f := &Finder{history: came, place: place, calls: map[string]partPlace{}, taken: map[claim]bool{}, unanswered: map[string]bool{}}
	was := placesOf(came, isCall) // no call is ever left out or moved before another
	for n, at := range placesOf(sent, isCall) {
		if n < len(was) {
			f.calls[sent[at.message].Parts[at.part].(callwright.Call).ID] = was[n]
		}
	}
	return f
}

// A partPlace is where a part stands in a history.
type partPlace struct{ message, part int }

// A claim is a part that a note of a rule is about: the next note of the rule is about another one.
type claim struct {
	rule string
	at   partPlace
}

// placeByNumber names parts by their numbers.
func placeByNumber(message, part int) string {
	path := "/messages"
	if message >= 0 {
		path += "/" + strconv.Itoa(message)
		if part >= 0 {
			path += "/" + strconv.Itoa(part)
		}
	}
	return path
}

// Or returns place, or a function that names parts by their numbers where it is nil.
func Or(place func(message, part int) string) func(message, part int) string {
	if place == nil {
		return placeByNumber
	}
	return place
}

// placesOf lists the parts that are of a kind.
func placesOf(history []callwright.Message, is func(callwright.Part) bool) []partPlace {
	var out []partPlace
	for i, m := range history {
		for k, p := range m.Parts {
			if is(p) {
				out = append(out, partPlace{i, k})
			}
		}
	}
	return out
}

func isCall(p callwright.Part) bool { _, ok := p.(callwright.Call); return ok }

// LocateNotes returns notes with their reasons, and with their places where those are parts of the history.
func (f *Finder) LocateNotes(notes []callwright.Note) []callwright.Note {
	var out []callwright.Note
	for _, n := range notes {
		if n, ok := f.note(n); ok {
			out = append(out, n)
		}
	}
	return out
}

// note is a note with its reason, and with its place where that is a part of the history. It is not ok where it is
// about a result that was put there for a call without one: nobody sent that.
func (f *Finder) note(n callwright.Note) (out callwright.Note, ok bool) {
	if n.Why == "" {
		n.Why = callwright.RuleOf(n.Rule).Doc
	}
	if n.Rule == "history.orphan_call" {
		f.unanswered[n.Call] = true
	}
	if n.Stage != callwright.StageEncode || !strings.HasPrefix(n.Rule, "history.") {
		return n, true
	}
	if ofResults[n.Rule] && f.unanswered[n.Call] {
		return n, false
	}
	n.Path = f.place(-1, -1)
	if at, ok := f.find(&n); ok {
		f.taken[claim{n.Rule, at}] = true
		n.Path = f.place(at.message, at.part)
	}
	return n, true
}

// ofResults are the rules on results, whose notes name the calls.
var ofResults = map[string]bool{"history.result_image": true, "history.result_error": true, "history.empty_result": true,
	"history.results_first": true, "history.joined_results": true}

// find finds the subject of a note: the call or the result of the id that it names, else its quotation, else the
// subject of its rule.
func (f *Finder) find(n *callwright.Note) (partPlace, bool) {
	if call, ok := f.calls[n.Call]; ok && n.Call != "" {
		if !ofResults[n.Rule] {
			return call, true
		}
		id := f.history[call.message].Parts[call.part].(callwright.Call).ID
		if at, ok := f.next(n.Rule, call.message,
			func(p callwright.Part) bool { r, is := p.(callwright.Result); return is && r.CallID == id }); ok {
			return at, true
		}
		return call, true
	}
	if n.Was != "" {
		if at, ok := f.next(n.Rule, 0, func(p callwright.Part) bool { return quotes(p, n.Was) }); ok {
			return at, true
		}
	}
	if about := subjects[n.Rule]; about != nil {
		return f.next(n.Rule, 0, about)
	}
	return partPlace{}, false
}

// next is the first part, from a message on, that fits and that no note of the rule is about.
func (f *Finder) next(rule string, from int, fits func(callwright.Part) bool) (partPlace, bool) {
	for i := from; i < len(f.history); i++ {
		for k, p := range f.history[i].Parts {
			if at := (partPlace{i, k}); fits(p) && !f.taken[claim{rule, at}] {
				return at, true
			}
		}
	}
	return partPlace{}, false
}

// quotes reports whether a note's excerpt is one of a part.
func quotes(p callwright.Part, was string) bool {
	switch p := p.(type) {
	case callwright.Text:
		return callwright.Excerpt(p.Text) == was
	case callwright.Reasoning:
		return callwright.Excerpt(p.Text) == was || callwright.Excerpt(p.ID) == was
	case callwright.Call:
		return callwright.Excerpt(string(p.Arguments)) == was
	case callwright.Opaque:
		return callwright.Excerpt(string(p.Extra.JSON)) == was
	case callwright.Image:
		return callwright.Excerpt(p.URL) == was
	case callwright.File:
		return callwright.Excerpt(p.Name) == was || callwright.Excerpt(p.URL) == was
	}
	return false
}

// subjects are the subjects of rules whose notes need not quote anything.
var subjects = map[string]func(callwright.Part) bool{
	"history.foreign_signature":  isSigned,
	"history.unsigned_reasoning": isReasoning,
	"history.reasoning_left_out": isReasoning,
	"history.orphan_reasoning":   isReasoning,
	"history.media":              isMedia,
	"history.media_reference":    isMedia,
}

func isReasoning(p callwright.Part) bool { _, ok := p.(callwright.Reasoning); return ok }

// HasSignedReasoning reports whether a history has reasoning with opaque state.
func HasSignedReasoning(history []callwright.Message) bool {
	return len(placesOf(history, isSigned)) > 0
}

// isSigned reports whether a part is reasoning with opaque state.
func isSigned(p callwright.Part) bool {
	r, ok := p.(callwright.Reasoning)
	return ok && r.Signature+r.Redacted != ""
}

func isMedia(p callwright.Part) bool {
	switch p.(type) {
	case callwright.Image, callwright.File:
		return true
	}
	return false
}
