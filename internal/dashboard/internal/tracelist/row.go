package tracelist

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
)

// A Row is a request in the list.
type Row struct {
	trace.Summary
	Words   string // description of the outcome, with the number of attempts if several; may be ""
	In, Out int    // tokens of all attempts; both 0 if unknown
	USD     float64
	Priced  bool // USD is known
}

// RowOf returns the row of a request. price returns the cost of tokens of a model in US dollars.
func RowOf(s *trace.Summary, price func(callwright.ModelID, callwright.Usage) (usd float64, known bool)) Row {
	r := Row{Summary: *s, Words: words(s), Priced: len(s.Usage) > 0}
	if s.Attempts > 1 {
		r.Words = strings.TrimPrefix(r.Words+", "+strconv.Itoa(s.Attempts)+" attempts", ", ")
	}
	for i := range s.Usage {
		u := &s.Usage[i]
		r.In, r.Out = r.In+u.Input, r.Out+u.Output
		usd, known := price(u.Model, u.Usage())
		r.USD, r.Priced = r.USD+usd, r.Priced && known && u.Model != ""
	}
	return r
}

// words describes an outcome: the repaired failure class, or the kind of error.
func words(s *trace.Summary) string {
	switch s.Outcome {
	case outcome.Passed:
		return "unchanged"
	case outcome.Translated:
		return "encoded for another API or model"
	case outcome.Healed:
		return outcome.Words(s.Class)
	case outcome.Failed:
		return errorkind.Words(s.Kind)
	case outcome.Unfinished:
		return "not ended"
	}
	return ""
}

// SummaryOf returns the summary of a request from its report, in the format of traces.
func SummaryOf(r *archive.Report) trace.Summary {
	out := trace.Summary{
		Time: r.Time, Duration: r.Duration, Wire: r.Wire, Streamed: r.Streamed, Kind: r.Failed, Error: r.Error,
		Outcome: r.Came(), Status: http.StatusOK,
		Key: r.KeyName, Session: r.Session, Tools: slices.Clone(r.Tools),
	}
	if r.Failed != "" && !r.Streamed {
		out.Status = r.Failed.Status()
	}
	rep := r.Report
	if rep == nil {
		return out
	}
	if out.Outcome == outcome.Healed {
		out.Class = outcome.Class(rep)
	}
	for i := range rep.Invalid {
		if name := rep.Invalid[i].Name; name != "" && len(out.Tools) < trace.SummaryTools && !slices.Contains(out.Tools, name) {
			out.Tools = append(out.Tools, name)
		}
	}
	out.ID, out.Model, out.Mode, out.Attempts, out.Notes = rep.ID, rep.Model, rep.Mode, len(rep.Attempts), len(rep.Notes)
	if n := len(rep.Attempts); n > 0 {
		out.Served = rep.Attempts[n-1].Model
	}
	if u := r.Usage; u != (archive.Usage{}) {
		one := trace.ModelUsage{Model: out.Served, Input: u.Input, CacheRead: u.CacheRead, Output: u.Output}
		if slices.ContainsFunc(rep.Attempts, func(a callwright.Attempt) bool { return a.Model != out.Served }) {
			one.Model = "" // the report does not have the tokens of each model, so the price is unknown
		}
		out.Usage = []trace.ModelUsage{one}
	}
	for i := range rep.Notes {
		if rule := rep.Notes[i].Rule; len(out.Rules) < trace.SummaryRules && !slices.Contains(out.Rules, rule) {
			out.Rules = append(out.Rules, rule)
		}
	}
	return out
}
