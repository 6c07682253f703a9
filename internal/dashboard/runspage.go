package dashboard

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard/internal/inplace"
	"github.com/callwright/callwright/internal/dashboard/internal/runlist"
	"github.com/callwright/callwright/internal/dashboard/internal/steps"
)

// Runs stores the runs of agents and lists them, as a journal of package agent does. It is called concurrently, a few
// dozen times per page.
type Runs = runlist.Source

const (
	runRows     = 25  // number of runs on a page
	runMessages = 100 // number of messages of a run on a page
	maxOpen     = 12  // number of last messages that are expanded
)

// A runsPage lists runs.
type runsPage struct {
	Configured bool
	*runlist.Page
	Waiting bool   // only runs that wait for a person are shown
	First   bool   // this is the first page
	Older   string // URL of the next page, "" for none
}

func (s *server) listRuns(w http.ResponseWriter, v *visit) {
	form := v.URL.Query()
	p := &runsPage{Configured: s.Runs != nil, Waiting: form.Get("show") == "waiting", First: form.Get("before") == ""}
	if p.Configured {
		ctx, cancel := withSourceTimeout(v.Request)
		defer cancel()
		page, err := s.runs.Page(ctx, runlist.Query{Before: agent.RunID(form.Get("before")), Waiting: p.Waiting, Limit: runRows})
		if err != nil {
			s.writeErrorPage(w, v.Request, err)
			return
		}
		if p.Page = page; page.Next != "" {
			p.Older = Root + "runs?" + url.Values{"show": {form.Get("show")}, "before": {string(page.Next)}}.Encode()
		}
	}
	s.show(w, v, http.StatusOK, "runs", "Runs", p)
}

// A runPage shows one run.
type runPage struct {
	*agent.RunStatus
	Said        []saidMessage  // shown messages
	Earlier     string         // URL of the earlier messages, "" for none
	From        int            // number of the first shown message, from 1
	All         int            // number of messages
	Questions   []inplace.Text // arguments of the calls that need a decision
	Answerable  bool           // the visitor may decide about these calls
	Live        bool           // the run may be in progress and waits for no answer
	CommandLine string         // command line that continues the run
}

// A saidMessage is a message of a run.
type saidMessage struct {
	Role  callwright.Role
	Texts []inplace.Text
	Open  bool
}

func (s *server) run(w http.ResponseWriter, v *visit) {
	if s.Runs == nil {
		s.problem(w, v.Request, http.StatusNotFound, "No runs of agents are kept here.")
		return
	}
	ctx, cancel := withSourceTimeout(v.Request)
	defer cancel()
	status, err := agent.Status(ctx, s.Runs, agent.RunID(v.PathValue("id")))
	if err != nil {
		s.writeErrorPage(w, v.Request, err)
		return
	}
	p := &runPage{RunStatus: status, All: len(status.Messages), Answerable: v.may(access.Admin),
		CommandLine: s.RunCommand + " --resume " + string(status.ID)}
	for _, q := range status.Waiting {
		p.Questions = append(p.Questions, inplace.Plain("", runlist.Visible(inplace.Pretty(q.Arguments))))
	}
	to := p.All
	if n, err := strconv.Atoi(v.URL.Query().Get("to")); err == nil && n > 0 && n < to {
		to = n
	}
	from := max(to-runMessages, 0)
	if p.From = from + 1; from > 0 {
		p.Earlier = (&url.URL{Path: Root + "runs/" + string(status.ID), RawQuery: url.Values{"to": {strconv.Itoa(from)}}.Encode()}).String()
	}
	p.Live = status.Stop == "" && to == p.All
	for i, m := range status.Messages[from:to] {
		p.Said = append(p.Said, saidMessage{m.Role, steps.Parts(m.Parts, nil), m.Role != callwright.RoleSystem && to-from-i <= maxOpen})
	}
	s.show(w, v, http.StatusOK, "run", "Run "+string(status.ID), p)
}

// decide records the decisions about the tool calls of a waiting run.
func (s *server) decide(w http.ResponseWriter, v *visit) {
	if s.Runs == nil {
		s.run(w, v) // shows the error
		return
	}
	var answers []agent.Answer
	for i, call := range v.PostForm["call"] {
		if d := agent.Decision(v.PostForm.Get("decision" + strconv.Itoa(i))); call != "" && d != "" && d != agent.Later {
			answers = append(answers, agent.Answer{Call: call, Decision: d})
		}
	}
	id := agent.RunID(v.PathValue("id"))
	if len(answers) > 0 {
		ctx, cancel := withSourceTimeout(v.Request)
		defer cancel()
		if err := agent.Decide(ctx, s.Runs, id, v.name(), answers...); err != nil {
			s.writeErrorPage(w, v.Request, err)
			return
		}
		s.Logger.Info("answers to a run recorded", "run", id, "by", v.name(), "answers", len(answers))
	}
	http.Redirect(w, v.Request, (&url.URL{Path: Root + "runs/" + string(id)}).String(), http.StatusSeeOther)
}
