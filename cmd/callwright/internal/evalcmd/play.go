package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
)

// offlineTimeout is the time limit of a trial in an offline run. Most of its time is spent in delays between retries.
const offlineTimeout = 2 * time.Minute

// play runs the remaining trials of the evaluation and returns all results.
func (m *measurement) play(ctx context.Context) ([]eval.Result, eval.Header, error) {
	r := &eval.Runner{Plan: &m.plan, Header: m.header(), Open: m.open, Strict: m.s.out.strict}
	if m.isLive {
		r.Jobs = max(m.s.jobs, 1)
	} else {
		r.Total = m.s.jobs
		if r.Total == 0 {
			r.Total = runtime.NumCPU()
		}
		r.Jobs, r.Timeout = r.Total, offlineTimeout
	}
	var done func()
	var err error
	if r.Queue, done, err = m.in.queue(ctx, m.s.config, m.s.out.state); err != nil {
		return nil, r.Header, err
	}
	defer done()
	if m.s.out.trace {
		r.Traces = filepath.Join(m.s.out.state, tracesFolder)
	}
	m.announce(r)
	watch := m.newWatch()
	r.OnStart, r.OnResult = watch.start, watch.result
	results, err := r.Run(ctx)
	watch.end()
	m.kept, m.cells = watch.kept, r.Header.Cells
	if e, ok := errors.AsType[*callwright.Error](err); ok && e.Kind == callwright.KindConflict && len(results) == 0 {
		err = m.in.Misuse(fmt.Errorf("--state %s: %s: name another folder or queue, or remove this one", m.s.out.state, e.Message))
	}
	return results, r.Header, err
}

// announce prints the size of the run and whether it is live, which costs money.
func (m *measurement) announce(r *eval.Runner) {
	what := fmt.Sprintf("offline: %s, no key and no network", count(len(m.plan.Models), "simulated model"))
	if m.isLive {
		what = fmt.Sprintf("live: %s at %s", count(len(m.plan.Models), "model"), strings.Join(m.hosts(), ", "))
	}
	fmt.Fprintf(m.in.Err, "%s; %s, %s\n", what, count(len(m.plan.Scenarios), "scenario"), count(r.Header.Cells, "trial"))
}

// hosts returns the names of the providers whose models are measured.
func (m *measurement) hosts() (out []string) {
	for _, t := range m.targets {
		host, _ := resolveAlias(m.conf, t.model).Split()
		if !slices.Contains(out, host) {
			out = append(out, host)
		}
	}
	return out
}

// count returns a number with its noun, such as "1 trial" or "2 trials".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A watch displays the progress of an evaluation run.
type watch struct {
	m        *measurement
	out      *paint.Printer
	progress *report.Progress
	kept     int // number of results in the queue
}

func (m *measurement) newWatch() *watch { return &watch{m: m, out: paint.New(m.in.Err, m.in.Env)} }

func (w *watch) start(cells []eval.Cell, done []eval.Result) {
	w.progress, w.kept = report.NewProgress(len(cells), done, time.Now), len(done)
	if w.kept > 0 {
		w.out.Printf("%s already done: continuing\n", count(w.kept, "trial"))
	}
	w.update()
}

func (w *watch) update() {
	if w.m.s.out.verbose > 0 {
		w.out.Update(w.progress.Line())
	}
}

func (w *watch) result(r eval.Result) {
	w.progress.Add(&r)
	w.kept++
	size := w.m.sizes.end(r.Cell)
	if w.m.s.out.verbose > 1 {
		line := fmt.Sprintf("%-7s %s %s %s %s %s %d", r.Outcome, r.Model, r.Mode, r.Policy, r.Profile, r.Scenario, r.Trial)
		if size != "" {
			line += " (" + size + ")"
		}
		if r.Reason != "" {
			line += ": " + r.Reason
		}
		w.out.Println(paint.Visible(line))
	}
	w.update()
}

func (w *watch) end() { w.out.Clear() }

// exitError returns the error of the command: broken, the error of ctx, that no trial was run, or the number of failed
// trials. If broken is not nil, it also prints how to resume the run.
func (m *measurement) exitError(ctx context.Context, results []eval.Result, broken error) error {
	if broken != nil {
		return m.reportIncomplete(len(results), broken)
	}
	bad, played := 0, 0
	for i := range results {
		switch results[i].Outcome {
		case eval.OK:
			played++
		case eval.Failed, eval.Refused, eval.Broken:
			played++
			bad++
		case eval.Skipped:
		}
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case played == 0:
		return errors.New("no trial was played: no sampling profile applies to these models: choose others with --sampling-profile-filter")
	case bad > 0:
		return fmt.Errorf("%d of %s did not end well", bad, count(played, "trial"))
	}
	return nil
}

// reportIncomplete prints how to resume an incomplete evaluation run, and returns broken.
func (m *measurement) reportIncomplete(played int, broken error) error {
	all := m.cells
	if m.s.out.state == "" {
		fmt.Fprintf(m.in.Err, "%d of %d trials were played, and none is kept: with --state an interrupted run can be continued\n", played, all)
		return broken
	}
	fmt.Fprintf(m.in.Err, "%d of %d trials are kept in %s: the same command line continues with the others\n", m.kept, all, m.s.out.state)
	if lost := played - m.kept; lost > 0 {
		fmt.Fprintf(m.in.Err, "%s played but not kept: the summary includes the results, and a continued run repeats the trials\n", count(lost, "trial"))
	}
	return broken
}
