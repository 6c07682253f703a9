package reliable_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// A powered is a model with the powers that configurations give it.
type powered struct {
	callwright.Model
	id     callwright.ModelID
	on     []callwright.Kind
	total  time.Duration
	told   func(m callwright.ModelID, right bool)
	choose func() (*reliable.Client, []callwright.Note, error)
}

func (p powered) ID() callwright.ModelID        { return p.id }
func (p powered) FallbackOn() []callwright.Kind { return p.on }
func (p powered) TotalTime() time.Duration      { return p.total }

func (p powered) Attempted(right bool, _ time.Duration) {
	if p.told != nil {
		p.told(p.id, right)
	}
}

// A choosing is a model that chooses the client that answers.
type choosing struct{ powered }

func (c choosing) Choose(context.Context, *callwright.Request) (*reliable.Client, []callwright.Note, error) {
	return c.choose()
}

// fallbackOn is a scripted model that is tried after some kinds of failures alone.
func fallbackOn(m *scripted, kinds ...callwright.Kind) callwright.Model {
	return powered{Model: m, id: m.name, on: kinds}
}

// bothWays asks a client whole and streamed, and gives the error and the report of each.
func bothWays(t *testing.T, make func() *reliable.Client, check func(t *testing.T, err error, rep *callwright.Report)) {
	t.Run("whole", func(t *testing.T) {
		resp, err := make().Generate(t.Context(), ask(callwright.Choice{}))
		if err != nil {
			check(t, err, reportOf(nil, err))
			return
		}
		check(t, nil, resp.Report)
	})
	t.Run("streamed", func(t *testing.T) {
		var rep *callwright.Report
		for ev, err := range make().Stream(t.Context(), ask(callwright.Choice{})) {
			if err != nil {
				check(t, err, reportOf(nil, err))
				return
			}
			if done, ok := ev.(callwright.Done); ok {
				rep = done.Report
			}
		}
		check(t, nil, rep)
	})
}

// models are the models of a report's attempts in words, each once in a row, and the rules of its notes.
func models(rep *callwright.Report) (asked, rules string) {
	var names, ids []string
	for _, at := range rep.Attempts {
		names = append(names, string(at.Model))
	}
	for _, n := range rep.Notes {
		ids = append(ids, n.Rule)
	}
	return strings.Join(slices.Compact(names), " "), strings.Join(ids, " ")
}

// A fallback for some kinds of failures is tried after one of these, and after no other.
func TestFallbackByKind(t *testing.T) {
	failures := map[errorkind.Class]func() []any{}
	for _, name := range errorkind.Classes() {
		for _, k := range errorkind.Kinds(errorkind.Class(name)) {
			if k != callwright.KindSchema && k != callwright.KindInvalidCall && k != callwright.KindNoCall {
				failures[errorkind.Class(name)] = func() []any { return slices.Repeat([]any{&callwright.Error{Kind: k, Message: "no"}}, 6) }
			}
		}
	}
	failures[errorkind.InvalidCall] = func() []any { return slices.Repeat([]any{badCall}, 12) }
	for failed, answers := range failures {
		for _, on := range errorkind.Classes() {
			t.Run(fmt.Sprintf("%s on %s", failed, on), func(t *testing.T) {
				bothWays(t, func() *reliable.Client {
					return reliable.New(&scripted{name: "lab/m", answers: answers()},
						reliable.WithFallback(fallbackOn(&scripted{name: "lab/spare", answers: []any{goodCall}}, errorkind.Kinds(errorkind.Class(on))...)))
				}, func(t *testing.T, err error, rep *callwright.Report) {
					asked, rules := models(rep)
					fires := string(failed) == on
					if was := strings.HasSuffix(asked, " lab/spare"); was != fires {
						t.Errorf("asked %s, err %v", asked, err)
					}
					if was := strings.Contains(rules, "plan.passed_over"); was == fires {
						t.Errorf("notes %s", rules)
					}
					if fires && err != nil {
						t.Error(err)
					}
				})
			})
		}
	}
}

// What passes one fallback over goes on to the next.
func TestFallbackAfterOneThatIsPassedOver(t *testing.T) {
	limited := &callwright.Error{Kind: callwright.KindRateLimited, Message: "no"}
	bothWays(t, func() *reliable.Client {
		return reliable.New(&scripted{name: "lab/m", answers: []any{limited}}, reliable.WithFallback(&scripted{name: "lab/b", answers: []any{limited}}),
			reliable.WithFallback(fallbackOn(&scripted{name: "lab/c", answers: []any{goodCall}}, callwright.KindContextLength)),
			reliable.WithFallback(fallbackOn(&scripted{name: "lab/d", answers: []any{goodCall}}, callwright.KindRateLimited)))
	}, func(t *testing.T, err error, rep *callwright.Report) {
		asked, rules := models(rep)
		if d := cmp.Diff([]string{"lab/m lab/b lab/d", "plan.fallback plan.passed_over plan.fallback"}, []string{asked, rules}); d != "" || err != nil {
			t.Errorf("%v (-want +got)\n%s", err, d)
		}
	})
}

// A silent is a model that never answers.
type silent struct{ id callwright.ModelID }

func (s silent) ID() callwright.ModelID { return s.id }

func (s silent) Generate(ctx context.Context, _ *callwright.Request) (*callwright.Response, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (s silent) Stream(ctx context.Context, _ *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		if !yield(callwright.Begin{}, nil) || !yield(callwright.TextDelta{Text: "Well"}, nil) {
			return
		}
		<-ctx.Done()
		yield(nil, ctx.Err())
	}
}

// The total time bounds a request over all models, and the error says so.
func TestTotalTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := reliable.New(powered{Model: silent{"lab/m"}, id: "lab/m", total: 90 * time.Second}, reliable.WithFallback(silent{"lab/b"}))
		for _, ask := range []func(c *reliable.Client) error{
			func(c *reliable.Client) error {
				_, err := c.Generate(t.Context(), ask(callwright.Choice{}))
				return err
			},
			func(c *reliable.Client) (last error) {
				for _, err := range c.Stream(t.Context(), ask(callwright.Choice{})) {
					last = err
				}
				return last
			},
		} {
			began := time.Now()
			err := ask(client)
			if took := time.Since(began); took != 90*time.Second || callwright.KindOf(err) != callwright.KindTimeout || !strings.Contains(err.Error(), "longer than the 1m30s of timeouts.total") {
				t.Errorf("after %s: %v", took, err)
			}
			if _, rules := models(reportOf(nil, err)); !strings.Contains(rules, "plan.total_time") {
				t.Errorf("notes %s", rules)
			}
		}
	})
}

// A request that its caller ends is no request whose time is over.
func TestTotalTimeIsNotTheCallers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := reliable.New(powered{Model: silent{"lab/m"}, total: time.Hour}).Generate(ctx, ask(callwright.Choice{}))
	if callwright.KindOf(err) != callwright.KindCanceled {
		t.Error(err)
	}
}

// The client that is chosen answers, its report says why, and Explain plans the same.
func TestChoice(t *testing.T) {
	why := callwright.Note{Rule: "plan.group", Stage: callwright.StagePlan, Now: "lab/b", Why: "because"}
	make := func() *reliable.Client {
		b := reliable.New(&scripted{name: "lab/b", answers: []any{goodCall}}, reliable.WithPolicy(callwright.PolicyStrict))
		return reliable.New(choosing{powered{Model: &scripted{}, id: "lab/a", choose: func() (*reliable.Client, []callwright.Note, error) { return b, []callwright.Note{why}, nil }}})
	}
	bothWays(t, make, func(t *testing.T, err error, rep *callwright.Report) {
		if asked, _ := models(rep); asked != "lab/b" || err != nil || len(rep.Notes) == 0 || cmp.Diff(why, rep.Notes[0]) != "" {
			t.Errorf("asked %s, %v, notes %+v", asked, err, rep.Notes)
		}
	})
	plan, err := make().Explain(t.Context(), ask(callwright.Choice{}))
	if err != nil || plan.Chain[0].Model != "lab/b" || cmp.Diff(why, plan.Notes[0]) != "" {
		t.Errorf("%+v, %v", plan, err)
	}
	fails := reliable.New(choosing{powered{Model: &scripted{}, id: "lab/a", choose: func() (*reliable.Client, []callwright.Note, error) {
		return nil, nil, &callwright.Error{Kind: callwright.KindInvalid, Message: "no"}
	}}})
	bothWays(t, func() *reliable.Client { return fails }, func(t *testing.T, err error, rep *callwright.Report) {
		if callwright.KindOf(err) != callwright.KindInvalid || len(rep.Attempts) != 0 {
			t.Error(err)
		}
	})
}

// Attempts are told as right or not; refusals of the request are not told.
func TestAttemptsAreTold(t *testing.T) {
	for _, c := range []struct {
		about   string
		answers []any
		want    string
	}{
		{"a good call", []any{goodCall}, "lab/m true"},
		{"a bad call and a good one", []any{badCall, goodCall}, "lab/m false, lab/m true"},
		{"text", []any{text("Cold.")}, "lab/m true"},
		{"a failure", []any{&callwright.Error{Kind: callwright.KindServer, Message: "no"}}, "lab/m false, lab/b true"},
		{"a refusal", []any{&callwright.Error{Kind: callwright.KindContentFilter, Message: "no"}}, "lab/b true"},
		{"a request that is wrong", []any{&callwright.Error{Kind: callwright.KindInvalid, Message: "no"}}, ""},
	} {
		var told []string
		tell := func(m callwright.ModelID, right bool) { told = append(told, fmt.Sprint(m, " ", right)) }
		client := reliable.New(powered{Model: &scripted{answers: c.answers}, id: "lab/m", told: tell}, reliable.WithFallback(powered{Model: &scripted{answers: []any{goodCall}}, id: "lab/b", told: tell}))
		_, _ = client.Generate(t.Context(), ask(callwright.Choice{}))
		if got := strings.Join(told, ", "); got != c.want {
			t.Errorf("%s: told %s, want %s", c.about, got, c.want)
		}
	}
}
