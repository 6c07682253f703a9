package simulate

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// A Share is a fault of a Mix with its probability.
type Share struct {
	Fault  Fault
	P      float64 // probability per response, from 0 to 1
	Source string  // source or assumption behind P; may be empty
}

// A Mix contains the fault probabilities of a model. Each response has at most one fault of Forms, which sets the
// format of its calls, and at most one of Faults. Each conversation has at most one fault of Habits, which affects all
// its responses, also after corrections; it is drawn by the first user message. The probabilities of each list add up
// to at most 1, and the difference to 1 is the probability of no fault. The zero Mix has no faults.
type Mix struct {
	Forms  []Share
	Faults []Share
	Habits []Share
}

// ParseMix parses "name=p,name=p,...". A name is a model name that [ParseFault] accepts, and p its probability; the
// default of p is 1. All faults are added to Mix.Faults.
func ParseMix(text string) (Mix, error) {
	var m Mix
	for part := range strings.SplitSeq(text, ",") {
		name, number, given := strings.Cut(strings.TrimSpace(part), "=")
		fault, ok := ParseFault(name)
		if !ok {
			_, err := faultIn(name).rows()
			if err == nil {
				err = fmt.Errorf("unknown fault %q", name)
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

// isShare reports whether p is a probability. NaN is none.
func isShare(p float64) bool { return p >= 0 && p <= 1 }

// Check returns an error if a fault is unknown, a probability is invalid, or the sum of a list exceeds 1.
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
			return fmt.Errorf("expected a sum of probabilities of at most 1, got %g", sum)
		}
	}
	return nil
}

// WithMix makes the server apply faults of a mix in addition to those of its script and of model names. The faults of a
// response depend only on the seed, the request, and the number of earlier equal requests. WithMix panics if
// [Mix.Check] returns an error.
func WithMix(m Mix, seed uint64) Option {
	if err := m.Check(); err != nil {
		panic("simulate: " + err.Error())
	}
	return func(s *Server) { s.mix, s.seed = m, seed }
}

// keepDrawn is the maximum number of distinct requests that are counted.
const keepDrawn = 1 << 18

// draw returns the Forms and Faults for a response, and the chance for further random numbers of the request. They are
// drawn from the mix of the family in the model name, otherwise from the server's mix.
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

// habit appends the habit of the conversation to faults. The request body must have been parsed.
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

// pick appends at most one fault of list to faults. at is a random number in [0, 1) that selects it by the
// probabilities.
func pick(faults []Fault, list []Share, at float64) []Fault {
	for _, share := range list {
		if at -= share.P; at < 0 {
			return append(faults, share.Fault)
		}
	}
	return faults
}

// opening returns the text of the first user message, "" if there is none.
func (s *Seen) opening() string {
	for _, m := range s.History {
		if m.Role == "user" && m.Text != "" {
			return m.Text
		}
	}
	return ""
}

// A chance is a deterministic source of random numbers: a seed, the hash of a request, and the number of earlier equal
// requests.
type chance struct{ seed, request, nth uint64 }

// at returns the random number in [0, 1) with index place.
func (c chance) at(place uint64) float64 {
	h := fnv.New64a()
	for _, n := range [...]uint64{c.seed, c.request, c.nth, place} {
		_ = binary.Write(h, binary.LittleEndian, n)
	}
	n := h.Sum64() // FNV mixes the low bits least
	n ^= n >> 33
	n *= 0xff51afd7ed558ccd
	n ^= n >> 33
	return float64(n>>11) / (1 << 53)
}
