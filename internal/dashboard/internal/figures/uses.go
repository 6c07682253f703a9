package figures

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/outcome"
)

// A Use counts the requests with an attempt with one model. A request without attempts counts for the requested model.
type Use struct {
	Model callwright.ModelID
	Names []callwright.ModelID // other names used in these requests, such as aliases
	Outcomes
	Latency
	Tokens
	// MovedOn counts requests that another model answered or failed after an attempt with this one failed. Outcomes
	// excludes them.
	MovedOn int
	MovedBy []Fault // MovedOn by the error of the first attempt with the model
	Modes   []Count // number of attempts by mode
	Errors  []Fault // failed requests by error, most frequent first
	Classes []Count // repaired requests by the first failure class
}

// A Fault counts the requests of a model that failed with one kind of error. An empty Kind means that the answer had an
// invalid call and no error.
type Fault struct {
	Kind callwright.Kind
	N    int
}

// Words returns a description of the kind of error.
func (f *Fault) Words() string {
	if f.Kind == "" {
		return "invalid call"
	}
	return errorkind.Words(f.Kind)
}

// Requests returns the number of requests with an attempt with the model.
func (u *Use) Requests() int { return u.Total() + u.MovedOn }

// A user accumulates the counts of one model.
type user struct {
	Use
	names     map[callwright.ModelID]bool
	modes     map[string]int
	errors    map[callwright.Kind]int
	moved     map[callwright.Kind]int
	classes   map[string]int
	durations []time.Duration
}

// users maps models to their counts.
type users map[callwright.ModelID]*user

// of returns the counts of a model and creates them if necessary.
func (all users) of(m callwright.ModelID) *user {
	u := all[m]
	if u == nil {
		u = &user{Use: Use{Model: m}, names: map[callwright.ModelID]bool{}, modes: map[string]int{},
			errors: map[callwright.Kind]int{}, moved: map[callwright.Kind]int{}, classes: map[string]int{}}
		all[m] = u
	}
	return u
}

// add counts a request for the models of its attempts. usd is its cost, and known is false if its price is unknown. It
// ignores a request without a Report.
func (all users) add(r *archive.Report, came outcome.Outcome, usd float64, known bool) {
	if r.Report == nil {
		return
	}
	last := r.Report.Model
	if n := len(r.Report.Attempts); n > 0 {
		last = r.Report.Attempts[n-1].Model
	}
	for i := range r.Report.Attempts {
		a := &r.Report.Attempts[i]
		u := all.of(a.Model)
		u.modes[string(a.Mode)]++
		first := !slices.ContainsFunc(r.Report.Attempts[:i], func(b callwright.Attempt) bool { return b.Model == a.Model })
		if first && a.Model != last {
			u.MovedOn++
			u.moved[a.Kind]++
			u.names[r.Report.Model] = true
		}
	}
	u := all.of(last)
	u.names[r.Report.Model] = true
	u.Outcomes.add(came)
	u.durations = append(u.durations, r.Duration)
	u.Tokens.add(r, usd, known)
	switch came {
	case outcome.Failed:
		u.errors[r.Failed]++
	case outcome.Healed:
		u.classes[outcome.Class(r.Report)]++
	}
}

// list returns the counts of all models, most requests first.
func (all users) list() []Use {
	var out []Use
	for _, m := range slices.Sorted(maps.Keys(all)) {
		u := all[m]
		delete(u.names, m)
		delete(u.modes, "")
		u.Names, u.Modes, u.Classes, u.Latency = slices.Sorted(maps.Keys(u.names)), most(u.modes), most(u.classes), latencyOf(u.durations)
		for i := range u.Classes {
			u.Classes[i].Doc = outcome.Words(u.Classes[i].Name)
		}
		u.Errors, u.MovedBy = faults(u.errors), faults(u.moved)
		out = append(out, u.Use)
	}
	slices.SortStableFunc(out, func(a, b Use) int { return cmp.Compare(b.Requests(), a.Requests()) })
	return out
}

// faults returns counts by kind of error, highest first.
func faults(counts map[callwright.Kind]int) []Fault {
	var out []Fault
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		out = append(out, Fault{k, counts[k]})
	}
	slices.SortStableFunc(out, func(a, b Fault) int { return cmp.Compare(b.N, a.N) })
	return out
}
