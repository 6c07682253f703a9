package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/cmd/callwright/internal/evalcmd"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/filequeue"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/probe/cardfile"
	"github.com/callwright/callwright/internal/trace"
)

// keptEvals returns the evaluation runs for the dashboard, nil if their location is unknown.
func keptEvals(conf *config.Config, kept *state.State) dashboard.Evals {
	if kept.IsShared() {
		return sharedEvals{kept}
	}
	dir, err := stateDir("", conf)
	if err != nil {
		return nil
	}
	return evalFolder(filepath.Join(dir, "evals"))
}

// sharedEvals are the evaluation runs on NATS.
type sharedEvals struct{ kept *state.State }

var _ dashboard.Evals = sharedEvals{}

// Runs lists the evaluation runs. A name is the value that the flag --state accepts.
func (s sharedEvals) Runs(ctx context.Context) ([]dashboard.EvalRun, error) {
	list, err := s.kept.Measurements(ctx)
	var out []dashboard.EvalRun
	for _, m := range list {
		out = append(out, dashboard.EvalRun{Name: evalcmd.OnNATS + m.Name, Changed: m.Changed, Size: int64(m.Results)})
	}
	return out, err
}

// Read returns the summary and the results of an evaluation run.
func (s sharedEvals) Read(ctx context.Context, name string) (*report.Summary, []eval.Result, error) {
	header, results, err := s.kept.MeasurementResults(ctx, strings.TrimPrefix(name, evalcmd.OnNATS))
	if err != nil {
		return nil, nil, err
	}
	return evalcmd.Summarize(header, results), results, nil
}

// keptCards returns the result cards of probes for the dashboard, nil without a state folder.
func keptCards(conf *config.Config) dashboard.Probes {
	if conf.State.Dir == "" {
		return nil
	}
	return cardFolder(filepath.Join(conf.State.Dir, cardfile.Folder))
}

// A cardFolder is a folder with the result cards of probes.
type cardFolder string

// Card returns the latest result card of a model, nil if there is none.
func (f cardFolder) Card(_ context.Context, model callwright.ModelID) (*probe.StoredCard, error) {
	return cardfile.Read(string(f), model)
}

// An evalFolder is a folder with one subfolder per evaluation run, as written by callwright eval. It may not exist.
type evalFolder string

var (
	_ dashboard.Evals      = evalFolder("")
	_ dashboard.EvalTraces = evalFolder("")
)

// Runs lists the evaluation runs: the subfolders that contain results.
func (f evalFolder) Runs(context.Context) ([]dashboard.EvalRun, error) {
	entries, err := os.ReadDir(string(f))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []dashboard.EvalRun
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(string(f), e.Name(), filequeue.FileName))
		if err == nil && info.Mode().IsRegular() {
			out = append(out, dashboard.EvalRun{Name: e.Name(), Changed: info.ModTime(), Size: info.Size()})
		}
	}
	return out, nil
}

// Read returns the summary and the results of an evaluation run.
func (f evalFolder) Read(_ context.Context, name string) (*report.Summary, []eval.Result, error) {
	if !filepath.IsLocal(name) || filepath.Base(name) != name || name == "." {
		return nil, nil, callwright.Errorf("evals.read", callwright.KindNotFound, "", "there is no evaluation %q", callwright.Excerpt(name))
	}
	return evalcmd.ReadFolder(filepath.Join(string(f), name))
}

// Trace reads the trace of a trial. run is the evaluation run, name the trial.
func (f evalFolder) Trace(_ context.Context, run, name string) ([]trace.Entry, error) {
	return evalcmd.ReadTrace(string(f), run, name)
}
