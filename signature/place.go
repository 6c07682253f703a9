package signature

import (
	"slices"
	"strings"
)

// A Place identifies a turn of the model by the texts around it: the beginning of the conversation and the texts
// immediately before the turn. All clients send these texts back.
type Place struct {
	Opening []Digest // digests of the texts in the first user message
	Before  []Digest // digests of the user texts and tool results immediately before the turn
}

// placeTexts is the maximum number of texts that identify a place. placeBytes is the maximum number of bytes of each
// text.
const (
	placeTexts = 16
	placeBytes = 8 << 10
)

// NewPlace returns the place of a turn. opening has the texts of the first user message. before has the texts between
// the previous turn of the model and this turn. Blank texts are ignored, and white space around texts is removed.
func NewPlace(opening, before []string) Place {
	return Place{Opening: digests(opening), Before: digests(before)}
}

func digests(texts []string) []Digest {
	var out []Digest
	for _, t := range texts {
		t = strings.TrimSpace(t)
		if t == "" || len(out) == placeTexts {
			continue
		}
		out = append(out, DigestOf(t[:min(len(t), placeBytes)]))
	}
	return out
}

// same reports whether p and q are the same place: Opening and Before each have a common text. One common text
// suffices, because clients add texts such as reminders to turns and remove them later.
func (p Place) same(q Place) bool { return common(p.Opening, q.Opening) && common(p.Before, q.Before) }

func common(a, b []Digest) bool {
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(d Digest) bool { return slices.Contains(b, d) })
}

// Pick returns the state, among those kept for one call, that has the given arguments and place. ok is false if no
// state matches, or if two different states match.
func Pick(states []State, arguments Digest, at Place) (s State, ok bool) {
	for i := range states {
		if c := &states[i]; c.Arguments != arguments || !c.Place.same(at) {
			continue
		}
		if ok && !s.equal(&states[i]) {
			return State{}, false
		}
		s, ok = states[i], true
	}
	return s, ok
}

// equal reports whether s and o have the same signature and reasoning, so that it does not matter which one is used.
func (s *State) equal(o *State) bool {
	return s.Signature == o.Signature && s.Wire == o.Wire && slices.Equal(s.Thoughts, o.Thoughts)
}
