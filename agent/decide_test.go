package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/google/go-cmp/cmp"
)

// parked is an agent whose run_1 waits with calls of drop, which asks always, of wipe, which asks once, and of look, which has ended.
func parked(t *testing.T, j agent.Journal, more ...agent.Option) (*agent.Agent, *[]string) {
	t.Helper()
	var ran []string
	run := func(name string) agent.Tool {
		return tool(name, func(ctx context.Context) (string, error) {
			ran = append(ran, name)
			time.Sleep(time.Millisecond)
			return name, ctx.Err()
		})
	}
	drop, wipe, look := run("drop"), run("wipe"), run("look")
	drop.Approval, wipe.Approval = agent.ApproveAlways, agent.ApproveOnce
	m := byLength([]any{calls("drop", `{}`, "wipe", `{}`, "wipe", `{"n":1}`, "look", `{}`), calls("wipe", `{"n":2}`), "Done."})
	a := agent.New(m, append(more, agent.Tools(drop, wipe, look), agent.WithJournal(j), agent.WithParallel(1), fixed("run_1"))...)
	if res, err := a.Run(t.Context(), callwright.UserText("Drop it.")); err != nil || res.Stop != agent.StopParked {
		t.Fatalf("the run does not wait: %+v, %v", res, err)
	}
	ran = nil
	return a, &ran
}

// What is decided about a run apart from a process is kept with who has decided, and the run goes on by it without further answers.
func TestDecide(t *testing.T) {
	all := func(d agent.Decision) agent.Answer { return agent.Answer{Decision: d} }
	for name, c := range map[string]struct {
		answers []agent.Answer
		said    []string
		waits   int
		ran     []string // once the run goes on
	}{
		"yes to all":        {[]agent.Answer{all(agent.Yes)}, []string{"drop yes", "wipe always", "wipe always"}, 0, []string{"drop", "wipe", "wipe", "wipe"}},
		"each its own":      {[]agent.Answer{{Call: "c0", Decision: agent.No}, {Call: "c1", Decision: agent.Always}}, []string{"drop no", "wipe always"}, 0, []string{"wipe", "wipe", "wipe"}},
		"one, and not more": {[]agent.Answer{{Call: "c0", Decision: agent.Yes}}, []string{"drop yes"}, 2, []string{"drop"}},
		"no to all":         {[]agent.Answer{all(agent.No)}, []string{"drop no", "wipe no", "wipe no"}, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			j := agent.NewMemory()
			a, ran := parked(t, j)
			if err := agent.Decide(t.Context(), j, "run_1", "ops", c.answers...); err != nil {
				t.Fatal(err)
			}
			s, err := agent.Status(t.Context(), j, "run_1")
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for _, d := range s.Decided {
				said = append(said, d.Name+" "+string(d.Decision))
				if d.By != "ops" || d.Call == "" || d.Time.IsZero() {
					t.Errorf("%+v", d)
				}
			}
			if d := cmp.Diff(c.said, said); d != "" || len(s.Waiting) != c.waits || s.Answered != (c.waits == 0) || (s.Stop == agent.StopParked) != (c.waits > 0) {
				t.Errorf("waits for %d, answered %t, stop %q (-want +got)\n%s", len(s.Waiting), s.Answered, s.Stop, d)
			}
			if len(*ran) != 0 {
				t.Errorf("ran %v by itself", *ran)
			}
			_, err = a.Resume(t.Context(), "run_1")
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.ran, *ran); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if s, err = agent.Status(t.Context(), j, "run_1"); err != nil || s.Answered {
				t.Errorf("once it has gone on: %+v, %v", s, err)
			}
		})
	}
}

// What cannot be decided is an error, and changes nothing.
func TestDecideWrongly(t *testing.T) {
	yes := agent.Answer{Decision: agent.Yes}
	for name, c := range map[string]struct {
		id      agent.RunID
		answers []agent.Answer
		kind    callwright.Kind
	}{
		"no answer":             {"run_1", nil, callwright.KindInvalid},
		"another call":          {"run_1", []agent.Answer{{Call: "c0", Decision: agent.Yes}, {Call: "c9", Decision: agent.Yes}}, callwright.KindInvalid},
		"a call that has ended": {"run_1", []agent.Answer{{Call: "c3", Decision: agent.Yes}}, callwright.KindInvalid},
		"a word that is none":   {"run_1", []agent.Answer{{Decision: "perhaps"}}, callwright.KindInvalid},
		"later":                 {"run_1", []agent.Answer{{Decision: agent.Later}}, callwright.KindInvalid},
		"an unknown run":        {"run_2", []agent.Answer{yes}, callwright.KindNotFound},
		"no id of a run":        {"../run", []agent.Answer{yes}, callwright.KindInvalid},
	} {
		j := agent.NewMemory()
		parked(t, j)
		_, before, _ := j.Load(t.Context(), "run_1")
		err := agent.Decide(t.Context(), j, c.id, "ops", c.answers...)
		if _, after, _ := j.Load(t.Context(), "run_1"); callwright.KindOf(err) != c.kind || after != before {
			t.Errorf("%s: %v, and %d entries are kept of %d", name, err, after, before)
		}
	}
	j := agent.NewMemory()
	a, _ := parked(t, j)
	if err := agent.Decide(t.Context(), j, "run_1", "", yes); err != nil {
		t.Fatal(err)
	}
	if err := agent.Decide(t.Context(), j, "run_1", "", yes); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("decided twice: %v", err)
	}
	if _, err := a.Resume(t.Context(), "run_1"); err != nil {
		t.Fatal(err)
	}
	if err := agent.Decide(t.Context(), j, "run_1", "", yes); callwright.KindOf(err) != callwright.KindInvalid {
		t.Errorf("a run that has ended: %v", err)
	}
}

// Nothing is decided about a run while a process makes its calls: what comes of them would be lost.
func TestDecideBesideARunningCall(t *testing.T) {
	j := agent.NewMemory()
	began, release := make(chan struct{}), make(chan struct{})
	drop := tool("drop", func(context.Context) (string, error) { return "gone", nil })
	drop.Approval = agent.ApproveAlways
	slow := tool("slow", func(context.Context) (string, error) { close(began); <-release; return "slow", nil })
	a := agent.New(&script{answers: []any{calls("drop", `{}`, "slow", `{}`), "Done."}}, agent.Tools(drop, slow), agent.WithJournal(j), fixed("run_1"))
	done := make(chan error)
	go func() {
		res, err := a.Run(t.Context(), callwright.UserText("Go."))
		if err == nil && res.Stop != agent.StopParked {
			err = errors.New("it does not wait")
		}
		done <- err
	}()
	<-began
	if err := agent.Decide(t.Context(), j, "run_1", "", agent.Answer{Decision: agent.Yes}); callwright.KindOf(err) != callwright.KindConflict || !strings.Contains(err.Error(), `"c1"`) {
		t.Errorf("while a call runs: %v", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := agent.Decide(t.Context(), j, "run_1", "", agent.Answer{Decision: agent.Yes}); err != nil {
		t.Fatal(err)
	}
	res, err := a.Resume(t.Context(), "run_1")
	if err != nil || !slices.Equal(results(res.Messages), []string{`"gone"`, `"slow"`}) {
		t.Errorf("%+v, %v", res, err)
	}
}

// The time between a decision and the process that goes on by it is none of the run's.
func TestTimeAfterADecision(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := agent.NewMemory()
		a, _ := parked(t, j, agent.WithMaxTime(time.Minute))
		for _, d := range []agent.Decision{agent.No, agent.Yes} { // after the first the run goes on and waits again
			time.Sleep(time.Hour)
			if err := agent.Decide(t.Context(), j, "run_1", "ops", agent.Answer{Decision: d}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			if _, err := a.Resume(t.Context(), "run_1"); err != nil {
				t.Fatal(err)
			}
		}
		if s, err := agent.Status(t.Context(), j, "run_1"); err != nil || s.Stop != agent.StopAnswered {
			t.Errorf("%+v, %v", s, err)
		}
	})
}
