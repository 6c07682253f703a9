package report

import (
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report/internal/grid"
	"github.com/callwright/callwright/internal/htmltemplate"
)

// A pageReasons is a ranking with its causes grouped by class.
type pageReasons struct {
	Title, Trials, More string
	Groups              []pageCauses
}

type pageCauses struct {
	Class, About string
	Causes       []pageCause
}

type pageCause struct {
	Count, Reason, Models string
	Examples              []pageExample
	Links                 []pageLink
	MoreTraces            string
}

// A pageExample is a trial with its final text and failed checks.
type pageExample struct {
	Name, Link, Text string
	Checks           []eval.Check
}

type pageLink struct{ Name, Link string }

// examples finds the trials of causes and limits the size of the shown examples.
type examples struct {
	traces  string
	byCause map[outcomeKey][]*eval.Result
	raw     int // remaining bytes
	links   int
}

type outcomeKey struct {
	eval.Outcome
	causeKey
}

func newExamples(results []eval.Result, traces string) *examples {
	e := &examples{traces: traces, byCause: map[outcomeKey][]*eval.Result{}, raw: maxRawTotal, links: maxLinks}
	results = inOrder(results)
	for i := range results {
		if r := &results[i]; r.Outcome != eval.OK {
			key := outcomeKey{r.Outcome, causeOf(r)}
			e.byCause[key] = append(e.byCause[key], r)
		}
	}
	return e
}

// reasons returns the rankings that are not empty.
func (e *examples) reasons(s *Summary) []pageReasons {
	var out []pageReasons
	for _, k := range []struct {
		title   string
		outcome eval.Outcome
		ranking *Ranking
		classes []Class
	}{
		{"Failures", eval.Failed, &s.Failures, s.Classes}, {"Refusals by providers", eval.Refused, &s.Refusals, nil},
		{"Broken by the harness or the network", eval.Broken, &s.Broken, nil}, {"Skipped", eval.Skipped, &s.Skipped, nil},
	} {
		if k.ranking.Trials == 0 {
			continue
		}
		p := pageReasons{Title: k.title, Trials: grid.FormatCount(k.ranking.Trials, "trial")}
		if k.classes == nil {
			k.classes = []Class{{}}
		}
		for _, class := range k.classes {
			if g := e.group(class, k.outcome, k.ranking); len(g.Causes) > 0 {
				p.Groups = append(p.Groups, g)
			}
		}
		if k.ranking.More > 0 {
			p.More = grid.FormatCount(k.ranking.More, "trial") + " for other reasons"
		}
		out = append(out, p)
	}
	return out
}

// group returns the causes of a class, or all causes if the class is empty.
func (e *examples) group(class Class, outcome eval.Outcome, k *Ranking) pageCauses {
	g := pageCauses{Class: grid.Clip(class.Class, maxName)}
	if class.Class != "" {
		g.About = grid.FormatCount(class.Trials, "trial") + ", " + grid.FormatCount(class.Models, "model")
	}
	for i := range k.Causes {
		c := &k.Causes[i]
		if class.Class == "" || c.Class == class.Class {
			g.Causes = append(g.Causes, e.cause(c, e.byCause[outcomeKey{outcome, causeKey{c.Class, c.Reason, c.Kind, c.Status}}], class.Class != ""))
		}
	}
	return g
}

// cause returns some trials of a cause with their texts, and links to the traces of the others.
func (e *examples) cause(c *Cause, trials []*eval.Result, classed bool) pageCause {
	short := *c
	if classed {
		short.Class = "" // the group's heading has the class
	}
	p := pageCause{Count: grid.Thousands(c.Trials), Reason: short.headline(), Models: grid.FormatCount(c.Models, "model")}
	more := 0
	for i, r := range trials {
		if i < maxExamples {
			p.Examples = append(p.Examples, e.example(r))
			continue
		}
		link := traceLink(e.traces, r.Trace)
		if link == "" {
			continue
		}
		if more++; e.links > 0 {
			e.links--
			p.Links = append(p.Links, pageLink{trialName(r), link})
		}
	}
	p.MoreTraces = grid.FormatCount(more, "more trace")
	if len(p.Links) < more {
		p.MoreTraces += "; this page links to " + grid.Thousands(len(p.Links))
	}
	return p
}

func (e *examples) example(r *eval.Result) pageExample {
	p := pageExample{Name: trialName(r), Link: traceLink(e.traces, r.Trace), Text: e.take(r.Text)}
	for _, c := range r.Checks {
		p.Checks = append(p.Checks, eval.Check{Assertion: e.take(c.Assertion), Want: e.take(c.Want), Got: e.take(c.Got)})
	}
	return p
}

// take returns a text, shortened if it is long, and subtracts its size from the remaining space e.raw. If the space is
// too small, it returns a placeholder.
func (e *examples) take(s string) string {
	s = grid.Clip(s, maxRaw)
	size := len(htmltemplate.Escape(s))
	if size > e.raw {
		return "(left out of this page)"
	}
	e.raw -= size
	return s
}

// trialName returns the name of a trial.
func trialName(r *eval.Result) string {
	key := Key{Model: r.Model, Mode: r.Mode, Policy: r.Policy, Profile: r.Profile, Scenario: r.Scenario}
	return grid.Clip(fmt.Sprintf("%s / %d", key.label(), r.Trial), maxName)
}

// traceLink returns the URL of a trace, "" for none or for a file outside the trace directory.
func traceLink(folder, trace string) string {
	if trace == "" || !filepath.IsLocal(trace) || strings.ContainsRune(trace, '\\') {
		return ""
	}
	return (&url.URL{Path: path.Join(folder, filepath.ToSlash(trace))}).String()
}
