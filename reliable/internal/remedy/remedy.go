package remedy

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/remedystat"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// Fresh is the greatest number of remedies in one correction that were not tried before for the request. The remedy
// that starts the conversation afresh is not counted.
const Fresh = 2

// A Case is an answer that has to be corrected, with its failure and its request.
type Case struct {
	Failure  Failure
	Out      *inbound.Outcome
	Params   *callwright.Params // of the client's request
	To       *outbound.Receiver // that answered, without remedies
	Tool     string             // the one declared tool whose calls failed, "" where it is none or several
	Marks    bool               // the place of the failure can be shown in the model's own bytes
	Repeated bool               // the answer before had the same invalid calls
	Modes    []caps.Mode        // in which the model may be asked
	Words    bool               // the client has text of the answer, which another mode could not follow
	Asked    int                // how many corrections were asked for
	Nothing  bool               // the client has nothing of the answers
}

// A Change is the request of a correction with the changes of remedies.
type Change struct {
	Params callwright.Params
	To     outbound.Receiver
	Marked bool // the words of the correction show the place of the failure
	Afresh bool // the conversation is sent as the client sent it, without the answer and the words about it
}

// A Remedy is one change of the request of a correction.
type Remedy struct {
	Name string
	Rule string // of the note
	For  []Failure
	Part string // of the request that it changes; a correction makes one remedy for each part
	// Apply makes the change and returns a description of it. Apply returns "" and changes nothing where the receiver does
	// not support the change, or where the request has it already.
	Apply func(c *Case, to *Change) string
}

// An Applied is a remedy that a correction made.
type Applied struct {
	*Remedy
	Now   string // the description of the change
	Fresh bool   // it was not tried before for this request
}

// Plan makes the remedies for a case: fresh ones in the order of their success, then earlier ones, as far as their
// parts of the request are free. tried are the names of the remedies that were tried for the request. may reports
// whether a rule is allowed. to is the request and the receiver without remedies, and is changed.
func Plan(c *Case, to *Change, known *remedystat.Table, tried []string, may func(rule string) bool) (made []Applied) {
	if c.Failure == "" {
		return nil
	}
	ordered := orderOf(c.Failure, known)
	for _, fresh := range []bool{true, false} {
		for _, r := range ordered {
			if fresh == slices.Contains(tried, r.Name) || fresh && len(made) == Fresh || hasPart(made, r.Part) || !may(r.Rule) {
				continue
			}
			if now := r.Apply(c, to); now != "" {
				made = append(made, Applied{Remedy: r, Now: now, Fresh: fresh})
			}
		}
	}
	if slices.Contains(afresh.For, c.Failure) && may(afresh.Rule) && known.Trusts(string(c.Failure), afresh.Name) {
		if now := startAfresh(c, to, made); now != "" {
			made = append(made, Applied{Remedy: &afresh, Now: now, Fresh: !slices.Contains(tried, afresh.Name)})
		}
	}
	return made
}

// startAfresh leaves out the failed answer and the words about it: a small model continues with a repetition that it is
// shown, and repeats the words. It does so where another fresh remedy sets the request apart.
func startAfresh(c *Case, to *Change, made []Applied) string {
	binds := func(a Applied) bool {
		return a.Fresh && a.Part != partWords
	}
	if !c.Nothing || hasPart(made, partWords) || !slices.ContainsFunc(made, binds) {
		return ""
	}
	to.Afresh = true
	return "the failed answer is left out"
}

// orderOf are the remedies for a failure in the order in which they are tried.
func orderOf(f Failure, known *remedystat.Table) []*Remedy {
	var names []string
	for i := range table {
		if slices.Contains(table[i].For, f) {
			names = append(names, table[i].Name)
		}
	}
	names = known.Order(string(f), names)
	out := make([]*Remedy, len(names))
	for i, name := range names {
		out[i] = &table[slices.IndexFunc(table, func(r Remedy) bool { return r.Name == name })]
	}
	return out
}

func hasPart(made []Applied, part string) bool {
	return slices.ContainsFunc(made, func(a Applied) bool { return a.Part == part })
}

// All are the remedies, in the order in which they are tried where nothing was counted. The list is the caller's.
func All() []Remedy { return append(slices.Clone(table), afresh) }

// IsWordsOnly reports whether a change is in the words of the correction alone: such a request is refused by no
// provider for its remedies.
func IsWordsOnly(made []Applied) bool {
	return !slices.ContainsFunc(made, func(a Applied) bool { return a.Part != partWords })
}
