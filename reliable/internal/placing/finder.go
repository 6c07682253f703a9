// Package placing finds the message parts that notes of encoders refer to, so that the notes get a path.
package placing

import (
	"strconv"
	"strings"

	"github.com/callwright/callwright"
)

// A Finder finds the part of the client's history that a note refers to. Encoders work on a changed history. Their
// notes have only the ID of a call or an excerpt of a part, without a path. A Finder is not safe for concurrent use.
type Finder struct {
	history []callwright.Message
	place   func(message, part int) string
	calls   map[string]partPlace // parts of calls in the client's history, by the IDs that are sent
	taken   map[claim]bool

	unanswered map[string]bool // IDs of calls without a result in the history, for which a result was added
}

// New returns a Finder. came is the history as the client sent it, sent the history as the provider receives it. place
// returns the JSON pointer of a message part in the client's document. A negative part means the whole message, and a
// negative message the whole history.
func New(came, sent []callwright.Message, place func(message, part int) string) *Finder {
	f := &Finder{history: came, place: place, calls: map[string]partPlace{}, taken: map[claim]bool{}, unanswered: map[string]bool{}}
	was := placesOf(came, isCall) // calls are never removed or reordered
	for n, at := range placesOf(sent, isCall) {
		if n < len(was) {
			f.calls[sent[at.message].Parts[at.part].(callwright.Call).ID] = was[n]
		}
	}
	return f
}

// A partPlace is the position of a part in a history, as indexes.
type partPlace struct{ message, part int }

// A claim records that a note of a rule refers to a part. The next note of the same rule refers to another part.
type claim struct {
	rule string
	at   partPlace
}

// placeByNumber returns a JSON pointer with the indexes of a message and a part, such as /messages/2/0. A negative
// index is omitted.
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

// Or returns place, or if place is nil a function that returns pointers such as /messages/2/0.
func Or(place func(message, part int) string) func(message, part int) string {
	if place == nil {
		return placeByNumber
	}
	return place
}

// placesOf returns the positions of the parts for which the function is returns true.
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

// LocateNotes sets the path and the reason (Why) of notes. It removes notes about tool results that the client did not
// send.
func (f *Finder) LocateNotes(notes []callwright.Note) []callwright.Note {
	var out []callwright.Note
	for _, n := range notes {
		if n, ok := f.note(n); ok {
			out = append(out, n)
		}
	}
	return out
}

// note returns a note with its reason, and for a note of an encoder about the history also with its path. ok is false
// if the note is about a tool result that was added for a call without one.
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

// ofResults has the rules about tool results. Their notes have the ID of the call.
var ofResults = map[string]bool{"history.result_image": true, "history.result_error": true, "history.empty_result": true,
	"history.results_first": true, "history.joined_results": true}

// find returns the part that a note refers to. It first uses the call ID, then the excerpt in Was, then the parts that
// the note's rule is about. ok is false if there is none.
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

// next returns the first part, in the message with the index from or a later one, for which fits returns true and which
// no note of the rule refers to. The result is false if there is none.
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

// quotes reports whether was is the excerpt of a part, as made by callwright.Excerpt.
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

// subjects has the parts that rules refer to, for rules whose notes may lack a call ID and an excerpt.
var subjects = map[string]func(callwright.Part) bool{
	"history.foreign_signature":  isSigned,
	"history.unsigned_reasoning": isReasoning,
	"history.reasoning_left_out": isReasoning,
	"history.orphan_reasoning":   isReasoning,
	"history.media":              isMedia,
	"history.media_reference":    isMedia,
}

func isReasoning(p callwright.Part) bool { _, ok := p.(callwright.Reasoning); return ok }

// HasSignedReasoning reports whether a history has reasoning with opaque state (a signature or redacted content).
func HasSignedReasoning(history []callwright.Message) bool {
	return len(placesOf(history, isSigned)) > 0
}

// isSigned reports whether a part is reasoning with a signature or redacted content.
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
