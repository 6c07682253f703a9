package culprit

// A Search is a binary search, by probe requests, for the only tool whose definition a provider rejects. Next returns
// the tools of the next probe, and Tell takes its result. The most suspicious tools are probed first.
//
// A search among n tools needs at most MaxProbes(n) probes.
type Search struct {
	left   []Suspect // candidates, one of which is the culprit unless tools are rejected only in combination
	probe  int       // number of candidates at the start of left in the current probe
	proven bool      // a probe with exactly the tools in left was rejected
	asked  int
	done   bool
}

// NewSearch returns a Search among tools ranked by Rank.
func NewSearch(ranked []Suspect) *Search {
	return &Search{left: ranked, done: len(ranked) == 0}
}

// weighted is the number of initial probes that have tools with half of the total weight. Later probes have half of the
// tools, which limits the cost of wrong weights.
const weighted = 2

// Next returns the indexes of the tools for the next probe, nil at the end of the search.
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

// Tell records the result of the probe from the last Next: refused is true if the provider rejected it.
func (s *Search) Tell(refused bool) {
	s.asked++
	switch {
	case refused:
		s.left, s.proven = s.left[:s.probe], true
	case s.probe == len(s.left):
		s.done = true // these tools are rejected only in combination
	default:
		s.left, s.proven = s.left[s.probe:], false
	}
}

// Result returns the tool that was found. ok is false if the search is not complete or no single tool is rejected.
func (s *Search) Result() (found Suspect, ok bool) {
	if s.done || len(s.left) != 1 || !s.proven {
		return Suspect{}, false
	}
	return s.left[0], true
}

// heavier returns the smallest number of suspects at the start of list with at least half of the total weight. It
// leaves one out if there are several.
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

// Dominates reports whether the first of the ranked suspects has half of the total weight and a trait.
func Dominates(ranked []Suspect) bool {
	return len(ranked) > 0 && ranked[0].Trait != "" && heavier(ranked) == 1
}

// MaxProbes returns the maximum number of probes for n tools: two by weight, which may exclude only one tool, one for
// each halving of the rest, and one to confirm the last tool.
func MaxProbes(n int) int {
	out := weighted + 1
	for rest := n - 1; rest > 1; rest = (rest + 1) / 2 {
		out++
	}
	return out
}
