package report

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report/internal/grid"
)

// Limits of a ranking.
const (
	maxCauses   = 200 // causes of a ranking
	maxExamples = 3   // examples of a cause
	maxReason   = 300 // bytes of a reason that distinguish causes
)

// A Ranking lists why trials had one outcome, the most frequent cause first.
type Ranking struct {
	Trials int     `json:"trials"`
	Causes []Cause `json:"causes"`
	// More is the number of trials whose causes are beyond the first 200.
	More int `json:"more,omitempty"`
}

// A Cause is a reason with the number of trials that ended for it.
type Cause struct {
	Class    string          `json:"class,omitempty"`
	Reason   string          `json:"reason"` // at most 300 bytes
	Kind     callwright.Kind `json:"kind,omitempty"`
	Status   int             `json:"status,omitempty"`
	Trials   int             `json:"trials"`
	Models   int             `json:"models"` // number of models with such a trial
	Examples []Example       `json:"examples"`
}

// An Example is one trial.
type Example struct {
	Cell  eval.CellID `json:"cell"`
	Trace string      `json:"trace,omitempty"` // trace file, relative to the state directory of the run
}

// A Class counts the trials of one failure class.
type Class struct {
	Class  string `json:"class"`
	Trials int    `json:"trials"`
	Models int    `json:"models"`
}

// unclassified is the class of reasons without one.
const unclassified = "other"

func classOf(r *eval.Result) string { return cmp.Or(r.Class, unclassified) }

// A causeKey identifies a cause.
type causeKey struct {
	class, reason string
	kind          callwright.Kind
	status        int
}

func causeOf(r *eval.Result) causeKey {
	key := causeKey{reason: grid.Clip(cmp.Or(r.Reason, "no reason is given"), maxReason), kind: r.Kind, status: r.Status}
	if r.Outcome == eval.Failed || r.Class != "" {
		key.class = classOf(r)
	}
	return key
}

// A ranker counts the causes of one outcome. The results must be added in the order of models.
type ranker struct {
	causes map[causeKey]*Cause
	last   map[*Cause]callwright.ModelID
	trials int
}

func newRanker() *ranker {
	return &ranker{causes: map[causeKey]*Cause{}, last: map[*Cause]callwright.ModelID{}}
}

func (k *ranker) add(key causeKey, r *eval.Result) {
	k.trials++
	c := k.causes[key]
	if c == nil {
		c = &Cause{Class: key.class, Reason: key.reason, Kind: key.kind, Status: key.status}
		k.causes[key] = c
	}
	if c.Trials == 0 || k.last[c] != r.Model {
		c.Models++
		k.last[c] = r.Model
	}
	c.Trials++
	if len(c.Examples) < maxExamples {
		c.Examples = append(c.Examples, Example{Cell: r.ID, Trace: r.Trace})
	}
}

func (k *ranker) ranking() Ranking {
	out := Ranking{Trials: k.trials, Causes: make([]Cause, 0, len(k.causes))}
	for _, c := range k.causes {
		out.Causes = append(out.Causes, *c)
	}
	slices.SortFunc(out.Causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(b.Trials, a.Trials), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Reason, b.Reason),
			cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Status, b.Status))
	})
	if len(out.Causes) > maxCauses {
		for _, c := range out.Causes[maxCauses:] {
			out.More += c.Trials
		}
		out.Causes = out.Causes[:maxCauses]
	}
	return out
}

// addCauses ranks why trials were not OK. results must be sorted.
func (s *Summary) addCauses(results []eval.Result) {
	failed, classes, refused, broken, skipped := newRanker(), newRanker(), newRanker(), newRanker(), newRanker()
	for i := range results {
		r := &results[i]
		switch r.Outcome {
		case eval.Failed:
			failed.add(causeOf(r), r)
			classes.add(causeKey{class: classOf(r)}, r)
		case eval.Refused:
			refused.add(causeOf(r), r)
		case eval.Broken:
			broken.add(causeOf(r), r)
		case eval.Skipped:
			skipped.add(causeOf(r), r)
		case eval.OK:
		}
	}
	s.Failures, s.Refusals, s.Broken, s.Skipped = failed.ranking(), refused.ranking(), broken.ranking(), skipped.ranking()
	s.Classes = []Class{}
	for _, c := range classes.ranking().Causes {
		s.Classes = append(s.Classes, Class{Class: c.Class, Trials: c.Trials, Models: c.Models})
	}
}
