// Package finding tells the faults of a request apart from its translations, in a form that two runs of the same
// request share.
package finding

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// A Finding is the outcome of a request and the rules of its faults. Two runs of one request have equal findings,
// whatever their ids, times and tries.
type Finding struct {
	Outcome outcome.Outcome `json:"outcome"`
	Kind    callwright.Kind `json:"error,omitempty"` // of the error that the client got
	// Rules are the ids of notes that have a failure class or reject a call, each once, sorted. Rules of the transport
	// are not among them: tries that were made again are not recorded one by one when a request is replayed.
	Rules []string `json:"rules,omitempty"`
	// Broken are the guarantees of the gateway that the request breaks, see [Checks], sorted.
	Broken []string `json:"broken,omitempty"`
}

// Of returns the finding of the request that has these entries: that of its last answer or error. A request that has
// not ended is [outcome.Unfinished].
func Of(entries []trace.Entry) Finding {
	asked, end := ends(entries)
	if end == nil {
		return Finding{Outcome: outcome.Unfinished}
	}
	rep, resp := Report(end)
	f := Finding{Outcome: outcome.Of(rep, end.Failure != nil), Broken: findBrokenChecks(asked, end, rep, resp)}
	if end.Failure != nil {
		f.Kind = end.Failure.Kind
	}
	if rep == nil {
		return f
	}
	for i := range rep.Notes {
		if n := &rep.Notes[i]; IsFault(n) && !isTransport(n.Rule) {
			f.Rules = append(f.Rules, n.Rule)
		}
	}
	slices.Sort(f.Rules)
	f.Rules = slices.Compact(f.Rules)
	return f
}

// IsFault reports whether a note says that something was wrong, and not only that something was written in another
// form.
func IsFault(n *callwright.Note) bool { return n.Fault != "" || outcome.Rejects(n.Rule) }

func isTransport(rule string) bool {
	return rule == "transport.retry" || rule == "transport.next_target" || rule == "transport.renewed_credentials"
}

// ends returns the last request of the entries and the answer or error that ends it, nil for none.
func ends(entries []trace.Entry) (asked, end *trace.Entry) {
	for i := range entries {
		switch e := &entries[i]; e.Kind {
		case trace.KindRequest:
			asked, end = e, nil
		case trace.KindAnswer, trace.KindError:
			end = e
		}
	}
	return asked, end
}

// Report returns the report of an answer or an error, and the answer itself. Both are nil where there is none.
func Report(end *trace.Entry) (*callwright.Report, *callwright.Response) {
	resp, err := end.Response()
	if err != nil {
		resp = nil
	}
	switch {
	case end.Failure != nil && end.Failure.Report != nil:
		return end.Failure.Report, resp
	case resp != nil && resp.Report != nil:
		return resp.Report, resp
	case len(end.Notes) > 0:
		return &callwright.Report{Notes: end.Notes}, resp
	}
	return nil, resp
}

// Equal reports whether two findings are the same.
func (f *Finding) Equal(g *Finding) bool {
	return f.Outcome == g.Outcome && f.Kind == g.Kind && slices.Equal(f.Rules, g.Rules) && slices.Equal(f.Broken, g.Broken)
}

// IsFault reports whether the finding says that something was wrong.
func (f *Finding) IsFault() bool {
	return f.Kind != "" || len(f.Rules) > 0 || len(f.Broken) > 0 || f.Outcome == outcome.Failed
}

// String is the finding in a line: "failed with bad_answer: json.unclosed, name.case".
func (f *Finding) String() string {
	out := string(f.Outcome)
	if f.Kind != "" {
		out += " with " + string(f.Kind)
	}
	if all := slices.Concat(f.Broken, f.Rules); len(all) > 0 {
		out += ": " + strings.Join(all, ", ")
	}
	return out
}
