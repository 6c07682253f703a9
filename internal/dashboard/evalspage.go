package dashboard

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/callwright/callwright/internal/dashboard/internal/evallist"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/htmltemplate"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/trace/story"
)

// Evals stores evaluation runs. It is called concurrently, a few dozen times per page.
type Evals = evallist.Source

// An EvalRun is a stored evaluation run, without its results.
type EvalRun = evallist.Run

// EvalTraces is an optional interface of Evals that also returns the traces of trials.
type EvalTraces = evallist.Traces

// evalRows is the number of runs on a page.
const evalRows = 20

// An evalsPage lists evaluation runs.
type evalsPage struct {
	Configured bool
	Rows       []*evallist.Row
	All        int    // number of all runs
	Newer      string // URL of the page with newer runs, "" for none
	Older      string // URL of the page with older runs, "" for none
}

func (s *server) listEvals(w http.ResponseWriter, v *visit) {
	p := &evalsPage{Configured: s.Evals != nil}
	if p.Configured {
		ctx, cancel := withSourceTimeout(v.Request)
		defer cancel()
		from, _ := strconv.Atoi(v.URL.Query().Get("from"))
		from = max(from, 0)
		rows, all, err := s.evals.Page(ctx, from, evalRows)
		if err != nil {
			s.writeErrorPage(w, v.Request, err)
			return
		}
		p.Rows, p.All = rows, all
		if from > 0 {
			p.Newer = evalsFrom(max(from-evalRows, 0))
		}
		if from+evalRows < all {
			p.Older = evalsFrom(from + evalRows)
		}
	}
	s.show(w, v, http.StatusOK, "evals", "Evaluations", p)
}

func evalsFrom(n int) string { return Root + "evals?" + url.Values{"from": {strconv.Itoa(n)}}.Encode() }

// An evalPage is the report of an evaluation run.
type evalPage struct {
	Class  string // class of the element around the report
	Report htmltemplate.HTML
}

func (s *server) eval(w http.ResponseWriter, v *visit) {
	if s.Evals == nil {
		s.problem(w, v.Request, http.StatusNotFound, "No evaluations are kept here.")
		return
	}
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	name := v.PathValue("name")
	text, err := s.evals.Report(ctx, name)
	if err != nil {
		s.writeErrorPage(w, v.Request, err)
		return
	}
	s.show(w, v, http.StatusOK, "eval", "Evaluation "+name, &evalPage{report.FragmentClass, text})
}

// A trialPage lists the requests of a trial.
type trialPage struct {
	Run, Name string
	Rows      []trialRow
}

// A trialRow is a request of a trial with its description.
type trialRow struct {
	trace.Summary
	Story string
}

// trial shows one request of a trial: the one with the number in the query, or the only one. Otherwise it lists all.
func (s *server) trial(w http.ResponseWriter, v *visit) {
	if s.evals == nil {
		s.problem(w, v.Request, http.StatusNotFound, "No evaluations are kept here.")
		return
	}
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	p := &trialPage{Run: v.PathValue("run"), Name: v.PathValue("trial")}
	requests, err := s.evals.Trial(ctx, p.Run, p.Name)
	if err != nil {
		s.writeErrorPage(w, v.Request, err)
		return
	}
	n, err := strconv.Atoi(v.URL.Query().Get("request"))
	if len(requests) == 1 {
		n, err = 1, nil
	}
	if err == nil && n > 0 && n <= len(requests) {
		one := s.buildTracePage(ctx, v, requests[n-1])
		one.CanPlay, one.Same = false, "" // it is not in s.Traces
		s.show(w, v, http.StatusOK, "trace", "Trial "+p.Name, one)
		return
	}
	for _, entries := range requests {
		p.Rows = append(p.Rows, trialRow{trace.Summarize(entries), story.Of(entries)})
	}
	s.show(w, v, http.StatusOK, "trial", "Trial "+p.Name, p)
}
