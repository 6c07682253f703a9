package culprit

// A Search finds, by probes, the one tool of a refused request with which alone a request is refused. It asks for a
// probe with some of the tools (Next), and is told the outcome (Tell). The most suspicious tools are probed first.
//
// Of n tools it asks for at most MaxProbes(n) probes.
type Search struct {
	left   []Suspect // one of them is the culprit, unless several are only together
	probe  int       // how many of the first of left are probed
	proven bool      // a probe with those in left, and no other, was refused
	asked  int
	done   bool
}

// NewSearch begins a search among ranked suspects.
func NewSearch(ranked []Suspect) *Search {
	return &Search{left: ranked, done: len(ranked) == 0}
}

// weighted is how many probes go by weight. Further ones halve the number of tools, so that wrong weights cost little.
const weighted = 2

// Next is the tools of the next probe, nil when the search is over.
func (s *Search) Next() []int {
	if s.done || len(s.left) == 1 && s.proven {
		return nil
	}
	s.probe = len(s.left) / 2
	if s.asked < weighted {
		s.probe = heavier(s.left)
	}
	s.probe = max(1, s.probe)
	out := make([]int, s.probe)
	for i := range out {
		out[i] = s.left[i].Tool
	}
	return out
}

// Tell says whether the probe that Next asked for was refused.
func (s *Search) Tell(refused bool) {
	s.asked++
	switch {
	case refused:
		s.left, s.proven = s.left[:s.probe], true
	case s.probe == len(s.left):
		s.done = true // they are refused together alone
	default:
		s.left, s.proven = s.left[s.probe:], false
	}
}

// Result is the tool that was found. ok is false where the search is not over, or no tool alone is refused.
func (s *Search) Result() (found Suspect, ok bool) {
	if s.done || len(s.left) != 1 || !s.proven {
		return Suspect{}, false
	}
	return s.left[0], true
}

// heavier is how many of the first suspects have half of the weight of all, at most all but one.
func heavier(list []Suspect) int {
	total, sum := 0.0, 0.0
	for i := range list {
		total += list[i].Weight
	}
	for i := range list {
		if sum += list[i].Weight; sum >= total/2 {
			return min(i+1, max(1, len(list)-1))
		}
	}
	return max(1, len(list)-1)
}

// Dominates reports whether the first of ranked suspects has half of the weight of all, and has a trait that the others
// lack.
func Dominates(ranked []Suspect) bool {
	return len(ranked) > 0 && ranked[0].Trait != "" && heavier(ranked) == 1
}

// MaxProbes is the most probes of a search among n tools: two by weight, which may leave all tools but one, one for
// each halving of the rest, and one to prove the last.
func MaxProbes(n int) int {
	out := weighted + 1
	for rest := n - 1; rest > 1; rest = (rest + 1) / 2 {
		out++
	}
	return out
}
