package simulate

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// A Share is a fault with its probability.
type Share struct {
	Fault  Fault
	P      float64 // of an answer, from 0 to 1
	Source string  // of the number, or why it is assumed; empty for one's own
}

// A Mix holds the probabilities of the faults of a model. An answer has at most one fault of Forms, the form in which
// its calls are written, and at most one of Faults. A conversation has at most one fault of Habits, in all its answers,
// those after corrections too: it is drawn by the first text of the user. The probabilities of a list add up to 1 at
// most; the rest to 1 is the probability of no fault of the list. The zero Mix has no faults.
type Mix struct {
	Forms  []Share
	Faults []Share
	Habits []Share
}

// ParseMix reads "name=p,name=p,...": models' names as [ParseFault] reads them, each with a probability; without one it
// is 1.
func ParseMix(text string) (Mix, error) {
	var m Mix
	for part := range strings.SplitSeq(text, ",") {
		name, number, given := strings.Cut(strings.TrimSpace(part), "=")
		fault, ok := ParseFault(name)
		if !ok {
			_, err := faultIn(name).rows()
			if err == nil {
				err = fmt.Errorf("no fault %q", name)
			}
			return Mix{}, err
		}
		p := 1.0
		if given {
			var err error
			if p, err = strconv.ParseFloat(number, 64); err != nil || !isShare(p) {
				return Mix{}, fmt.Errorf("fault %s: expected a probability from 0 to 1, got %q", name, number)
			}
		}
		m.Faults = append(m.Faults, Share{Fault: fault, P: p})
	}
	return m, m.Check()
}

// isShare reports whether a number is a probability.
func isShare(p float64) bool { return p >= 0 && p <= 1 }

// Check returns the error of a mix that faults cannot be drawn from, nil for a valid one.
func (m Mix) Check() error {
	for _, list := range [][]Share{m.Forms, m.Faults, m.Habits} {
		sum := 0.0
		for _, s := range list {
			if _, err := s.Fault.rows(); err != nil {
				return err
			}
			if !isShare(s.P) {
				return fmt.Errorf("fault %s: expected a probability from 0 to 1, got %g", s.Fault.Name, s.P)
			}
			sum += s.P
		}
		if sum > 1.000001 {
			return fmt.Errorf("the probabilities add up to %g, expected 1 at most", sum)
		}
	}
	return nil
}

// WithMix makes the server misbehave by a mix, beside the faults that its script or a model's name asks for. The same
// seed, request and number of earlier times of the request always give the same faults, in any order of other requests.
// Mixed panics where [Mix.Check] returns an error.
func WithMix(m Mix, seed uint64) Option {
	if err := m.Check(); err != nil {
		panic("simulate: " + err.Error())
	}
	return func(s *Server) { s.mix, s.seed = m, seed }
}

// keepDrawn bounds the requests that are counted for the draws.
const keepDrawn = 1 << 18

// draw returns the faults of an answer, and the chance that everything else about the request is drawn from.
func (s *Server) draw(seen *Seen) (faults []Fault, c chance) {
	c = chance{s.seed, digestNumber([]byte(seen.Path), seen.Body), 0}
	s.mu.Lock()
	if len(s.drawn) >= keepDrawn {
		clear(s.drawn)
	}
	c.nth = s.drawn[c.request]
	s.drawn[c.request]++
	s.mu.Unlock()
	mix := s.mix
	if f, ok := familyAsked(seen); ok {
		mix = f.Mix
	}
	faults = pick(faults, mix.Faults, c.at(0))
	faults = pick(faults, mix.Forms, c.at(1))
	return faults, c
}

// habit adds the habit of the conversation to the faults of an answer. The request has been read.
func (s *Server) habit(seen *Seen, faults []Fault) []Fault {
	mix := s.mix
	if f, ok := familyOf(seen.Model); ok {
		mix = f.Mix
	}
	if len(mix.Habits) == 0 {
		return faults
	}
	c := chance{s.seed, digestNumber([]byte(seen.Model), []byte(seen.opening())), 0}
	return pick(faults, mix.Habits, c.at(2))
}

// pick adds the fault of a list that a number from 0 up to 1 falls on, if it falls on one.
func pick(faults []Fault, list []Share, at float64) []Fault {
	for _, share := range list {
		if at -= share.P; at < 0 {
			return append(faults, share.Fault)
		}
	}
	return faults
}

// opening is the first text of the user.
func (s *Seen) opening() string {
	for _, m := range s.History {
		if m.Role == "user" && m.Text != "" {
			return m.Text
		}
	}
	return ""
}

// A chance is the source of drawn numbers: a seed, a request and the number of times that the request came before.
type chance struct{ seed, request, nth uint64 }

// at returns a number from 0 up to 1, another for each place.
func (c chance) at(place uint64) float64 {
	h := fnv.New64a()
	for _, n := range [...]uint64{c.seed, c.request, c.nth, place} {
		_ = binary.Write(h, binary.LittleEndian, n)
	}
	n := h.Sum64() // whose low bits are mixed least
	n ^= n >> 33
	n *= 0xff51afd7ed558ccd
	n ^= n >> 33
	return float64(n>>11) / (1 << 53)
}
