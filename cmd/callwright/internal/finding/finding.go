// Package finding determines the faults of a recorded request, as a value that can be compared between two runs of the
// request.
package finding

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// A Finding is the outcome of a request and the rules of its faults. It does not contain ids, times and retries, so two
// runs of one request can be compared.
type Finding struct {
	Outcome outcome.Outcome `json:"outcome"`
	Kind    callwright.Kind `json:"error,omitempty"` // of the error that the client received
	// Rules are the sorted, distinct rules of the notes that have a failure class or reject a call. Transport rules are
	// excluded, because a replay does not repeat retries.
	Rules []string `json:"rules,omitempty"`
	// Broken are the sorted names of the [Checks] that the request violates.
	Broken []string `json:"broken,omitempty"`
}

// Of returns the finding of the last request in the trace entries. A request without a response or an error is
// [outcome.Unfinished].
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

// IsFault reports whether a note describes a fault, in contrast to a mere translation between formats.
func IsFault(n *callwright.Note) bool { return n.Fault != "" || outcome.Rejects(n.Rule) }

func isTransport(rule string) bool {
	return rule == "transport.retry" || rule == "transport.next_target" || rule == "transport.renewed_credentials"
}

// ends returns the last request in the entries, and the response or error that ends it; nil if missing.
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

// Report returns the report in a response or error entry, and the response. Both may be nil.
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

// Equal reports whether two findings have the same outcome, error kind, rules and violated checks.
func (f *Finding) Equal(g *Finding) bool {
	return f.Outcome == g.Outcome && f.Kind == g.Kind && slices.Equal(f.Rules, g.Rules) && slices.Equal(f.Broken, g.Broken)
}

// IsFault reports whether the request has a fault.
func (f *Finding) IsFault() bool {
	return f.Kind != "" || len(f.Rules) > 0 || len(f.Broken) > 0 || f.Outcome == outcome.Failed
}

// String returns the finding as one line, such as "failed with bad_answer: json.unclosed, name.case".
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
