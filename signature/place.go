package signature

import (
	"slices"
	"strings"
)

// A Place identifies a turn of the model by its surroundings: the beginning of the conversation and the texts right
// before the turn, which all clients send back.
type Place struct {
	Opening []Digest // the digests of the first words of the user
	Before  []Digest // the digests of what the user and tools said right before the turn
}

// placeTexts and placeBytes bound the texts that identify a place: so many texts, so many bytes of each.
const (
	placeTexts = 16
	placeBytes = 8 << 10
)

// NewPlace is the place of a turn, from the texts of the first message of the user and from those between the turn and
// the turn of the model before it. Blank texts and white space around texts do not count.
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

// same reports whether two places are one. Clients add texts to turns and take them away again, such as reminders, so
// one common text is enough.
func (p Place) same(q Place) bool { return common(p.Opening, q.Opening) && common(p.Before, q.Before) }

func common(a, b []Digest) bool {
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(d Digest) bool { return slices.Contains(b, d) })
}

// Pick chooses, among the states kept for one call, the one that belongs to these arguments in this place. ok is false
// where none fits, and where two that differ do.
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

// equal reports whether the same would be put back.
func (s *State) equal(o *State) bool {
	return s.Signature == o.Signature && s.Wire == o.Wire && slices.Equal(s.Thoughts, o.Thoughts)
}
