package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/arm"
	"github.com/callwright/callwright/test/live/internal/question"
)

// replayed reads the answers of a trial again: through a gateway with the modes of the trial or, in a direct arm, as the client does.
func replayed(t *testing.T, c *corpus, was *arm.Trial, q *question.Question, spec arm.Spec) arm.Trial {
	t.Helper()
	p := &answer.Player{}
	for _, key := range was.Answers {
		p.Answers = append(p.Answers, c.answers.Get(key))
	}
	a, err := arm.Open(t.Context(), spec, arm.Server{Model: was.Model, URL: "http://127.0.0.1:1", Tap: p, Pinned: true, Modes: was.Modes, Dialect: was.Dialect})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	return a.Ask(t.Context(), q)
}

// What models answered is read at least as well as when it was recorded: in no arm fewer answers are right, and more calls are made where none is
// wanted. An answer that was recorded whole is read alike as a stream.
func TestReplay(t *testing.T) {
	c, err := readCorpus(testdata)
	if err != nil {
		t.Fatal(err)
	}
	all, err := question.Read(testdata)
	if err != nil {
		t.Fatal(err)
	}
	questions := map[string]*question.Question{}
	for i := range all {
		questions[all[i].ID] = &all[i]
	}
	type place struct{ model, arm string }
	was, is := map[place]map[question.Verdict]int{}, map[place]map[question.Verdict]int{}
	for i := range c.trials {
		tr := &c.trials[i]
		spec, err := arm.Parse(tr.Arm)
		if err != nil {
			t.Fatal(err)
		}
		at := place{tr.Model, tr.Arm}
		if was[at] == nil {
			was[at], is[at] = map[question.Verdict]int{}, map[question.Verdict]int{}
		}
		q := questions[tr.Question]
		if q == nil {
			t.Fatalf("there is no question %s", tr.Question)
		}
		got := replayed(t, c, tr, q, spec)
		was[at][tr.Verdict]++
		is[at][got.Verdict]++
		if got.Verdict != tr.Verdict {
			t.Logf("%s, %s, %s: was %s, is %s: %v %q", tr.Model, tr.Arm, tr.Question, tr.Verdict, got.Verdict, got.Calls, got.Text)
		}
		if spec.Stream || spec.Kind == arm.Direct {
			continue
		}
		spec.Stream = true
		streamed := replayed(t, c, tr, q, spec)
		if d := cmp.Diff(got.Calls, streamed.Calls); d != "" || got.Verdict != streamed.Verdict {
			t.Errorf("%s, %s, %s: whole %s, streamed %s (-whole +streamed):\n%s", tr.Model, tr.Arm, tr.Question, got.Verdict, streamed.Verdict, d)
		}
	}
	if len(was) == 0 {
		t.Fatal("nothing was recorded")
	}
	for at := range was {
		if is[at][question.Right] < was[at][question.Right] || is[at][question.Called] > was[at][question.Called] {
			t.Errorf("%s, %s: was %v, is %v", at.model, at.arm, was[at], is[at])
		}
	}
}
