package conformance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// A verdict is the result of a check with its reason.
type verdict struct {
	result Result
	why    string
	shown  *answer // the answer that shows the reason; nil for none
}

func pass(format string, args ...any) verdict {
	return verdict{result: Passed, why: fmt.Sprintf(format, args...)}
}

func fail(a *answer, format string, args ...any) verdict {
	return verdict{Failed, fmt.Sprintf(format, args...), a}
}

func notTested(format string, args ...any) verdict {
	return verdict{result: NotTested, why: fmt.Sprintf(format, args...)}
}

// A check is a row of the table of checks. If make is nil, it is an observed check: the decoders check the rule in all
// answers of the run.
type check struct {
	area, name string
	kind       Kind
	about      string // description of the requirement
	topic      topic
	apis       []string // APIs with this check; nil means all
	most       int      // maximum number of requests per try
	make       func(ctx context.Context, t *trial) verdict
}

// on returns the check limited to some APIs.
func (c check) on(apis ...string) check { c.apis = apis; return c }

// fits reports whether a check is run for the API and areas of the options.
func (c *check) fits(o *Options) bool {
	return (c.apis == nil || slices.Contains(c.apis, o.API)) && (len(o.Areas) == 0 || slices.Contains(o.Areas, c.area))
}

// requests returns the maximum number of requests of the check.
func (c *check) requests(tries int) int {
	if c.kind == OfModel {
		return c.most * tries
	}
	return c.most
}

// A trial is one check in progress.
type trial struct {
	*client
	tries   int
	answers []*answer
}

func (t *trial) send(ctx context.Context, a *request) *answer {
	got := t.client.send(ctx, a)
	t.answers = append(t.answers, got)
	return got
}

// Areas returns the names of all areas, in the order of the checks.
func Areas() []string {
	var out []string
	for i := range checks {
		if !slices.Contains(out, checks[i].area) {
			out = append(out, checks[i].area)
		}
	}
	return out
}

// Table returns the checks of an API in order, without results.
func Table(api string) []Check {
	var out []Check
	for i := range checks {
		if c := &checks[i]; c.fits(&Options{API: api}) {
			out = append(out, Check{Area: c.area, Name: c.name, Kind: c.kind, About: c.about})
		}
	}
	return out
}

// MaxRequests returns the maximum number of requests of Run. Retries after a closed idle connection are not counted.
func MaxRequests(o Options) int {
	o = o.withDefaults()
	n := 1 // the greeting
	if f := formOf(o.API); f != nil {
		n = len(f.urls(newBase(o.URL), o.Model, false)) // a greeting at each candidate URL
	}
	for i := range checks {
		if c := &checks[i]; c.fits(&o) {
			n += c.requests(o.Tries)
		}
	}
	if needsWitness(&o) {
		n += 2 * o.Tries
	}
	return n
}

// needsWitness reports whether observed checks are run without the checks whole_call and streamed_call. Run then orders
// calls for the observed checks.
func needsWitness(o *Options) bool {
	observes := false
	for i := range checks {
		c := &checks[i]
		if c.fits(o) && (c.name == "whole_call" || c.name == "streamed_call") {
			return false
		}
		observes = observes || c.fits(o) && c.make == nil
	}
	return observes
}

// Run checks a server. It returns an error if the server cannot be reached or ctx is done.
func Run(ctx context.Context, o Options) (*Card, error) {
	o = o.withDefaults()
	f := formOf(o.API)
	if f == nil {
		return nil, fmt.Errorf("unknown API %q: expected one of %s", o.API, strings.Join(APIs(), ", "))
	}
	c, greeting, err := reach(ctx, o, f)
	if err != nil {
		return nil, err
	}
	var rows []*check
	for i := range checks {
		if checks[i].fits(&o) {
			rows = append(rows, &checks[i])
		}
	}
	r := run{client: c, rows: rows, made: make([]verdict, len(rows)), answers: make([][]*answer, len(rows)), greeting: greeting}
	r.all(ctx)
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	return r.card(), nil
}

// A run is the state of Run.
type run struct {
	*client
	rows     []*check
	made     []verdict   // verdicts by row
	answers  [][]*answer // by row
	greeting *answer     // answer to the prompt greeting
	ordered  []*answer   // to calls ordered only for observed checks
}

// all runs the checks that send requests, up to Options.Concurrency at once.
func (r *run) all(ctx context.Context) {
	if needsWitness(&r.o) {
		t := &trial{client: r.client, tries: r.o.Tries}
		for _, stream := range []bool{false, true} {
			t.untilCalled(ctx, ordering(stream, []tool{weather}, inOslo, inRome), func(*answer) verdict { return pass("") })
		}
		r.ordered = t.answers
	}
	var wg sync.WaitGroup
	var showing sync.Mutex
	slots := make(chan struct{}, r.o.Concurrency)
	for i, row := range r.rows {
		if row.make == nil {
			continue
		}
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			if ctx.Err() != nil {
				return
			}
			t := &trial{client: r.client, tries: r.o.Tries}
			r.made[i] = row.make(ctx, t)
			r.answers[i] = t.answers
			if r.o.Progress != nil && ctx.Err() == nil {
				showing.Lock()
				defer showing.Unlock()
				r.o.Progress(r.buildCheck(i))
			}
		})
	}
	wg.Wait()
}

// card collects the results. Observed checks use all answers. A check that sends requests also fails if an answer to
// another check violates its rule.
func (r *run) card() *Card {
	all := slices.Concat([]*answer{r.greeting}, r.ordered, slices.Concat(r.answers...))
	card := &Card{API: r.o.API, URL: r.url(r.o.Model, false), Model: r.o.Model, Requests: int(r.sent.Load())}
	for i, row := range r.rows {
		v := judgeAnswers(all, row.name)
		if row.make == nil || v.result == Failed && r.made[i].result != Failed {
			r.made[i] = v
			if r.o.Progress != nil {
				r.o.Progress(r.buildCheck(i))
			}
		}
		card.Checks = append(card.Checks, r.buildCheck(i))
	}
	card.score()
	return card
}

// judgeAnswers returns the verdict of an observed check on all answers.
func judgeAnswers(all []*answer, name string) verdict {
	seen := 0
	for _, a := range all {
		if i := slices.IndexFunc(a.broken, func(v violation) bool { return v.check == name }); i >= 0 {
			return fail(a, "%s", a.broken[i].why)
		}
		if a.seen[name] {
			seen++
		}
	}
	if seen == 0 {
		return notTested("no answer could show it")
	}
	return pass("in %s", sayCount(seen, "answer"))
}

// buildCheck returns the check of a row with its result.
func (r *run) buildCheck(i int) Check {
	row, v := r.rows[i], r.made[i]
	out := Check{Area: row.area, Name: row.name, Kind: row.kind, About: row.about, Result: v.result, Why: v.why}
	if v.result != Failed {
		return out
	}
	out.Documentation = documentation(r.o.API, row.topic)
	out.Breaks = breaks(r.o.API, row.name)
	if v.shown != nil {
		out.Sent, out.Got = v.shown.curl, v.shown.excerpt()
	}
	return out
}

var errNoAnswer = errors.New("no answer from the server")
