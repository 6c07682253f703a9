package remedy

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/remedystat"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// Fresh is the maximum number of remedies in one correction that were not tried before for the request. The remedy
// "afresh" is not counted.
const Fresh = 2

// A Case is a response that must be corrected, with its failure and its request.
type Case struct {
	Failure      Failure
	Out          *inbound.Outcome
	Params       *callwright.Params // parameters of the client's request
	To           *outbound.Receiver // receiver of the failed request, without remedies
	Tool         string             // the declared tool whose calls failed; "" if there is none or more than one
	CanShowError bool               // the correction message can show the error in the model's own arguments
	Repeated     bool               // the previous response had the same invalid calls
	Modes        []caps.Mode        // usable modes for the next request
	TextSent     bool               // the client has received text of the response, so the mode cannot change
	Asked        int                // number of corrections so far, with this one
	NothingSent  bool               // the client has received nothing of the responses
}

// A Change is the request of a correction. Remedies modify it.
type Change struct {
	Params callwright.Params
	To     outbound.Receiver
	Marked bool // the correction message shows the position of the error
	Afresh bool // the request has neither the failed response nor a correction message
}

// A Remedy is one kind of change to the request of a correction.
type Remedy struct {
	Name string
	Rule string // rule of the note
	For  []Failure
	Part string // part of the request that it changes; a correction has at most one remedy for each part
	// Apply makes the change and returns a description of it. It returns "" and changes nothing if the change does not fit
	// the case, the receiver does not support it, or the request already has it.
	Apply func(c *Case, to *Change) string
}

// An Applied is a remedy used in a correction.
type Applied struct {
	*Remedy
	Now   string // description of the change
	Fresh bool   // not tried before for this request
}

// Plan selects and applies remedies for a case. It modifies the request in to, which must have no remedies yet.
// Remedies that were not tried come first, in the order of their past success, at most [Fresh] of them. Then come the
// remedies named in tried, if no other one changes the same part of the request. may reports whether the policy permits
// a rule. Plan returns the applied remedies.
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

// startAfresh omits the failed response and the correction message from the request, and returns a description. A
// small model continues a repetition that is in its prompt. startAfresh returns "" and changes nothing if no other new
// remedy makes the request different, the client has received content, or the correction message was changed.
func startAfresh(c *Case, to *Change, made []Applied) string {
	binds := func(a Applied) bool {
		return a.Fresh && a.Part != partWords
	}
	if !c.NothingSent || hasPart(made, partWords) || !slices.ContainsFunc(made, binds) {
		return ""
	}
	to.Afresh = true
	return "the failed answer is left out"
}

// orderOf returns the remedies for a failure in the order of their past success.
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

// All returns all remedies in their default order. The caller may modify the list.
func All() []Remedy { return append(slices.Clone(table), afresh) }

// IsWordsOnly reports whether the remedies change only the correction message. No provider rejects a request because
// of such remedies.
func IsWordsOnly(made []Applied) bool {
	return !slices.ContainsFunc(made, func(a Applied) bool { return a.Part != partWords })
}
