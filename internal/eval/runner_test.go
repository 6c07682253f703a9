package eval_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/simulate"
)

// A model is a function that gives the report of an answer "Done.", or an error.
type model func(ctx context.Context) (*callwright.Report, error)

func (m model) Generate(ctx context.Context, _ *callwright.Request) (*callwright.Response, error) {
	report, err := m(ctx)
	if err != nil {
		return nil, err
	}
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Done."}}, Finish: callwright.FinishStop, Report: report, Usage: callwright.Usage{Known: true, Input: 5, Output: 1}}, nil
}

func (m model) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		resp, err := m.Generate(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, ev := range resp.Events() {
			if !yield(ev, nil) {
				return
			}
		}
		yield(callwright.Done{Report: resp.Report}, nil)
	}
}

// with opens sessions with a model.
func with(m callwright.Model) func(*eval.Runner) {
	return func(r *eval.Runner) {
		r.Open = func(context.Context, eval.Task) (*eval.Session, error) { return &eval.Session{Model: m}, nil }
	}
}

// chat is a plan of trials that need one answer.
func chat(trials int, models ...callwright.ModelID) eval.Plan {
	done := "Done."
	return eval.Plan{Models: models, Scenarios: []eval.Scenario{{ID: "chat", Prompt: "Go.", Expect: eval.Expect{Text: &eval.ExpectedText{Equals: &done}}}}, Trials: trials}
}

// An error of the provider is a refusal, or says nothing of the model, or is the model's failure.
func TestErrors(t *testing.T) {
	for kind, want := range map[callwright.Kind]struct {
		outcome eval.Outcome
		class   string
	}{
		callwright.KindAuth: {eval.Refused, "refused:authentication"}, callwright.KindPermission: {eval.Refused, "refused:permission"}, callwright.KindNotFound: {eval.Refused, "refused:not_found"},
		callwright.KindRateLimited: {eval.Refused, "refused:rate_limited"}, callwright.KindBilling: {eval.Refused, "refused:billing"}, callwright.KindContentFilter: {eval.Refused, "refused:content_filter"},
		callwright.KindUnavailable: {eval.Broken, "error:unavailable"}, callwright.KindServer: {eval.Broken, "error:provider_error"}, callwright.KindTimeout: {eval.Broken, "error:timeout"},
		callwright.KindInvalidCall: {eval.Failed, "error:invalid_tool_call"}, callwright.KindNoCall: {eval.Failed, "error:missing_tool_call"}, callwright.KindInvalid: {eval.Failed, "error:invalid_request"},
	} {
		fails := model(func(context.Context) (*callwright.Report, error) {
			return nil, &callwright.Error{Kind: kind, Status: 418, Message: "no"}
		})
		for _, stream := range []bool{false, true} {
			p := chat(1)
			p.Scenarios = streamed(p.Scenarios, stream)
			r := run(t, p, simulate.Mix{}, with(fails))[0]
			if r.Outcome != want.outcome || r.Class != want.class || r.Kind != kind || r.Status != 418 || !strings.Contains(r.Reason, "no") {
				t.Errorf("%s: %s %s %s %d %q", kind, r.Outcome, r.Class, r.Kind, r.Status, r.Reason)
			}
		}
		opening := run(t, chat(1), simulate.Mix{}, func(r *eval.Runner) {
			r.Open = func(context.Context, eval.Task) (*eval.Session, error) { return nil, &callwright.Error{Kind: kind} }
		})[0]
		if (opening.Outcome == eval.Refused) != (want.outcome == eval.Refused) || opening.Outcome != eval.Refused && opening.Outcome != eval.Broken {
			t.Errorf("%s while opening: %s", kind, opening.Outcome)
		}
	}
}

// Counts come from the reports of the model.
func TestCounts(t *testing.T) {
	use := func(n int) callwright.Usage {
		return callwright.Usage{Known: true, Input: n, CacheRead: 1, Output: 2 * n}
	}
	report := &callwright.Report{
		Attempts: []callwright.Attempt{
			{Model: "a", Mode: caps.Native, Why: "first", Tries: 3, Duration: 1, Usage: use(1)}, {Model: "a", Mode: caps.Native, Why: "correction", Tries: 1, Duration: 2, Usage: use(10)},
			{Model: "a", Mode: caps.Text, Why: "other mode", Duration: 3, Usage: use(100)}, {Model: "b", Mode: caps.Native, Why: "fallback", Duration: 4, Usage: use(1000)},
		},
		Notes: []callwright.Note{
			{Rule: "json.trailing_comma", Fault: "F18", Call: "x"}, {Rule: "json.unclosed", Fault: "F18", Call: "x", Count: 2}, {Rule: "name.case", Fault: "F22", Call: "y"},
			{Rule: "coerce.string_to_integer", Fault: "F19", Call: "y"}, {Rule: "judge.invalid", Fault: "F19", Call: "z"}, {Rule: "coerce.x", Fault: "F19", Call: "w", Observed: true},
		},
	}
	says := model(func(context.Context) (*callwright.Report, error) { return report, nil })
	for _, stream := range []bool{false, true} {
		p := chat(1)
		p.Scenarios = streamed(p.Scenarios, stream)
		r := run(t, p, simulate.Mix{}, with(says))[0]
		got := []int{r.Steps, r.Requests, r.Corrections, r.OtherMode, r.Fallback, r.Transport, r.Calls, r.InvalidJSON, r.UnknownName, r.SchemaMismatch, r.Faults["F18"], r.Rules["json.unclosed"]}
		if want := []int{1, 4, 1, 1, 1, 2, 0, 1, 1, 2, 3, 2}; !slices.Equal(got, want) {
			t.Errorf("stream=%t: got %v, expected %v", stream, got, want)
		}
		if want := (eval.Tokens{Known: true, Input: 1111, CacheRead: 4, Output: 2222}); r.Usage != want || r.Healing.Input != 1110 || !slices.Equal(r.Latency, []time.Duration{1, 2, 3, 4}) {
			t.Errorf("stream=%t: %+v %+v %v", stream, r.Usage, r.Healing, r.Latency)
		}
	}
}

// A cell that panics, or does not end whatever is asked of it, is broken, and the others go on.
func TestPanicAndHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		free := make(chan struct{})
		p := chat(1, "panics", "waits", "hangs", "sound")
		open := func(_ context.Context, task eval.Task) (*eval.Session, error) {
			return &eval.Session{Model: model(func(ctx context.Context) (*callwright.Report, error) {
				switch task.Cell.Model {
				case "panics":
					panic("our own")
				case "waits":
					<-ctx.Done()
					return nil, &callwright.Error{Kind: callwright.KindCanceled, Err: ctx.Err()}
				case "hangs":
					<-free
				}
				return nil, nil
			})}, nil
		}
		r := &eval.Runner{Plan: &p, Open: open, Timeout: time.Minute}
		got, err := r.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		close(free)
		for i, want := range []string{"broken panic", "broken timeout", "broken timeout", "ok "} {
			if is := string(got[i].Outcome) + " " + got[i].Class; is != want {
				t.Errorf("%s: %s: %s", got[i].Model, is, got[i].Reason)
			}
		}
		if !strings.Contains(got[0].Reason, "our own at runner_test.go:") {
			t.Errorf("got %q", got[0].Reason)
		}
	})
}

// When the context ends, what is finished stays, and a further run makes the rest.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	q, p, n := eval.NewMemory(), chat(20), 0
	r := &eval.Runner{Plan: &p, Queue: q, OnResult: func(eval.Result) {
		if n++; n == 5 {
			cancel()
		}
	}}
	with(model(func(ctx context.Context) (*callwright.Report, error) { return nil, ctx.Err() }))(r)
	first, err := r.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(first) < 5 || len(first) == 20 {
		t.Fatalf("%d results, %v", len(first), err)
	}
	var were []eval.Result
	r.OnStart = func(cells []eval.Cell, done []eval.Result) {
		if were = done; len(cells) != 20 {
			t.Errorf("%d cells", len(cells))
		}
	}
	all, err := r.Run(t.Context())
	if err != nil || len(all) != 20 || len(were) != len(first) || n != 20 {
		t.Fatalf("%d results, %d were there, %d were told, %v", len(all), len(were), n, err)
	}
}

// As many cells of a model are played at a time as Jobs says, and of all as Total says; a model that is slow does not hold up another one.
func TestJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		now, most := map[callwright.ModelID]int{}, map[callwright.ModelID]int{}
		ended := map[callwright.ModelID]time.Duration{}
		began := time.Now()
		move := func(by int, names ...callwright.ModelID) {
			mu.Lock()
			defer mu.Unlock()
			for _, name := range names {
				now[name] += by
				most[name] = max(most[name], now[name])
				ended[name] = time.Since(began)
			}
		}
		p := chat(10, "slow", "fast", "other")
		open := func(_ context.Context, task eval.Task) (*eval.Session, error) {
			return &eval.Session{Model: model(func(context.Context) (*callwright.Report, error) {
				move(1, task.Cell.Model, "all")
				time.Sleep(map[callwright.ModelID]time.Duration{"slow": time.Hour, "fast": time.Second, "other": time.Second}[task.Cell.Model])
				move(-1, task.Cell.Model, "all")
				return nil, nil
			})}, nil
		}
		r := &eval.Runner{Plan: &p, Open: open, Jobs: 2, Total: 5, Timeout: -1}
		if got, err := r.Run(t.Context()); err != nil || len(got) != 30 {
			t.Fatal(len(got), err)
		}
		if most["slow"] != 2 || most["fast"] != 2 || most["all"] != 5 {
			t.Errorf("at a time %v", most)
		}
		if ended["fast"] >= time.Hour || ended["slow"] != 5*time.Hour {
			t.Errorf("ended after %v", ended)
		}
	})
}

// A session can change requests and options, and say that the combination makes no sense.
func TestSession(t *testing.T) {
	var changed atomic.Int32
	p := chat(1, "a", "b")
	r := &eval.Runner{Plan: &p, Open: func(_ context.Context, task eval.Task) (*eval.Session, error) {
		s := &eval.Session{Close: func() { changed.Add(1) }, Change: func(*callwright.Request) { changed.Add(1) }, Options: []agent.Option{agent.WithRequest(func(*callwright.Request) { changed.Add(1) })}}
		s.Model = model(func(context.Context) (*callwright.Report, error) { return nil, nil })
		if task.Cell.Model == "b" {
			s.Skip = "not for b"
		}
		return s, nil
	}}
	got, err := r.Run(t.Context())
	if err != nil || changed.Load() != 4 { // both sessions were closed, one was played
		t.Fatal(changed.Load(), err)
	}
	if got[0].Outcome != eval.OK || got[1].Outcome != eval.Skipped || got[1].Reason != "not for b" {
		t.Errorf("%+v", got)
	}
}

// Each cell has a trace that can be read, but for those that are not wanted.
func TestTraces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "traces")
	p := eval.Plan{Models: models("openai", "gemini"), Scenarios: eval.BuiltIn()[:2], Trials: 2}
	for range 2 { // the second time over what is there
		got := run(t, p, simulate.Mix{}, func(r *eval.Runner) {
			r.Traces, r.KeepTrace = dir, func(r eval.Result) bool { return r.Trial == 1 }
		})
		for _, r := range got {
			if (r.Trace != "") != (r.Trial == 1) {
				t.Fatalf("%s: trace %q", r.ID, r.Trace)
			}
			if r.Trace == "" {
				continue
			}
			f, err := os.Open(filepath.Join(dir, r.Trace))
			if err != nil {
				t.Fatal(err)
			}
			entries, err := trace.ReadAll(f)
			if err := errors.Join(err, f.Close()); err != nil {
				t.Fatal(err)
			}
			answers := slices.DeleteFunc(entries, func(e trace.Entry) bool { return e.Kind != trace.KindAnswer })
			if len(answers) != r.Requests {
				t.Errorf("%s: %d answers in the trace of %d requests", r.ID, len(answers), r.Requests)
			}
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 4 {
			t.Errorf("%d files, %v", len(files), err)
		}
	}
}
