package progress_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/progress"
)

// The states follow what is asked and what comes, and a call's tool and bytes end with it.
func TestStates(t *testing.T) {
	var p progress.Progress
	model, tool := callwright.ModelID("lab/m"), "write_file"
	take := func(s progress.State, tool *string, bytes, came int) func() {
		return func() { p.Record(progress.Part{State: s, Tool: tool, Bytes: bytes, Received: came}, time.Now()) }
	}
	for i, step := range []struct {
		do          func()
		state, tool string
		bytes       int64
		attempts    int
	}{
		{func() {}, "preparing", "", 0, 0},
		{func() { p.Ask(&model, callwright.AttemptFirst) }, "waiting", "", 0, 1},
		{p.Pause, "retrying", "", 0, 1},
		{p.Resend, "waiting", "", 0, 1},
		{take(progress.Preparing, nil, 0, 0), "waiting", "", 0, 1},
		{take(progress.Thinking, nil, 0, 7), "thinking", "", 7, 1},
		{take(progress.Holding, &tool, 4, 4), "holding", tool, 4, 1},
		{take(progress.Preparing, nil, 0, 0), "holding", tool, 4, 1},
		{take(progress.Holding, &tool, 9, 5), "holding", tool, 9, 1},
		{take(progress.Text, &tool, 9, 2), "text", "", 18, 1},
		{take(progress.Calling, nil, 3, 3), "calling", "", 3, 1},
		{func() { p.Ask(&model, callwright.AttemptCorrection) }, "correcting", "", 0, 2},
		{take(progress.Text, nil, 0, 6), "text", "", 6, 2},
		{func() { p.Ask(&model, callwright.AttemptFallback) }, "fallback", "", 0, 3},
		{p.Finish, "finishing", "", 0, 3},
	} {
		step.do()
		now := p.Now(time.Now())
		if now.State != step.state || now.Tool != step.tool || now.Bytes != step.bytes || p.Attempts() != step.attempts {
			t.Errorf("step %d: expected %s of %q with %d bytes in attempt %d, got %+v in attempt %d", i, step.state, step.tool, step.bytes, step.attempts, now, p.Attempts())
		}
	}
	if p.Model() != model {
		t.Errorf("expected %s, got %s", model, p.Model())
	}
}

// Nobody has to look: the methods of a nil Progress do nothing.
func TestNobodyLooks(t *testing.T) {
	var p *progress.Progress
	p.Ask(nil, "")
	p.Pause()
	p.Resend()
	p.Finish()
	p.Record(progress.Part{State: progress.Text, Received: 1}, time.Now())
	if now := p.Now(time.Now()); !now.IsZero() || now.String() != "" || p.Attempts() != 0 || p.Model() != "" {
		t.Errorf("expected nothing, got %+v", now)
	}
}

func TestText(t *testing.T) {
	for want, s := range map[string]progress.Snapshot{
		"preparing the request, 0 s":                                  {State: "preparing"},
		"waiting for the answer, 31 s":                                {State: "waiting", Seconds: 31},
		"waiting to ask again, 4 s":                                   {State: "retrying", Seconds: 4},
		"correcting, 12 s":                                            {State: "correcting", Seconds: 12},
		"fallback, 3 s":                                               {State: "fallback", Seconds: 3},
		"thinking, 999 bytes, 40 s":                                   {State: "thinking", Bytes: 999, Seconds: 40, Silent: 9},
		"text, 1,000 bytes, 40 s, silent for 10 s":                    {State: "text", Bytes: 1000, Seconds: 40, Silent: 10},
		"holding call write_file, 18,432 bytes, 42 s":                 {State: "holding", Tool: "write_file", Bytes: 18432, Seconds: 42},
		"holding call, 1,234,567 bytes, 42 s":                         {State: "holding", Bytes: 1234567, Seconds: 42},
		"sending call f, 42 s":                                        {State: "calling", Tool: "f\r\n\u2028", Seconds: 42},
		"holding call " + strings.Repeat("x", 128) + ", 1 bytes, 1 s": {State: "holding", Tool: strings.Repeat("x", 400), Bytes: 1, Seconds: 1},
		"finishing, 5 bytes, 1 s":                                     {State: "finishing", Bytes: 5, Seconds: 1},
	} {
		if got := s.String(); got != want {
			t.Errorf("expected %q, got %q", want, got)
		}
	}
}

// Whatever a tool is called, a snapshot is one line.
func TestOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := progress.Snapshot{State: rapid.SampledFrom(progress.Names()).Draw(t, "state"), Tool: rapid.String().Draw(t, "tool"), Bytes: rapid.Int64Min(0).Draw(t, "bytes")}
		for _, r := range s.String() {
			if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
				t.Fatalf("%q has the character %U", s.String(), r)
			}
		}
	})
}

// A list has what was added and not removed, in order, whatever is removed first.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l progress.List
		var in []*progress.Request
		for n := range rapid.IntRange(1, 40).Draw(t, "steps") {
			if len(in) > 0 && rapid.Bool().Draw(t, "remove") {
				at := rapid.IntRange(0, len(in)-1).Draw(t, "at")
				l.Remove(in[at])
				l.Remove(in[at]) // a second time changes nothing
				in = slices.Delete(in, at, at+1)
			} else {
				r := &progress.Request{Report: string(rune('a' + n))}
				l.Add(r)
				in = append(in, r)
			}
			var want, got []string
			for _, r := range in {
				want = append(want, r.Report)
			}
			for _, r := range l.At(time.Now()).Running {
				got = append(got, r.Report)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("expected %v, got %v", want, got)
			}
		}
	})
}

// A list shows a bounded number of requests, and says how many more there are.
func TestListIsBounded(t *testing.T) {
	var l progress.List
	for range progress.Most + 3 {
		l.Add(new(progress.Request))
	}
	if got := l.At(time.Now()); len(got.Running) != progress.Most || got.More != 3 {
		t.Errorf("expected %d and 3 more, got %d and %d more", progress.Most, len(got.Running), got.More)
	}
}

// The log is told of a long request after a time, and each time that it has doubled.
func TestDue(t *testing.T) {
	began := time.Now()
	var l progress.List
	l.Add(&progress.Request{Report: "rep_1", Began: began, Model: "lab/m"})
	var told []int
	for s := range 300 {
		for _, r := range l.Due(began.Add(time.Duration(s)*time.Second), 30*time.Second) {
			told = append(told, r.Elapsed)
		}
	}
	if want := []int{30, 60, 120, 240}; !slices.Equal(told, want) {
		t.Errorf("expected lines after %v seconds, got %v", want, told)
	}
}

// Others look while the request goes on.
func TestConcurrentLooks(t *testing.T) {
	var l progress.List
	r := &progress.Request{Model: "lab/m"}
	l.Add(r)
	tools, model := [2]string{"first", "second"}, callwright.ModelID("lab/m")
	var look sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		look.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				for _, r := range l.At(time.Now()).Running {
					if n := r.Now; n.Tool != "" && n.Tool != tools[0] && n.Tool != tools[1] {
						t.Errorf("unexpected tool %q", n.Tool)
					}
				}
			}
		})
	}
	for i := range 2000 {
		r.Ask(&model, callwright.AttemptFirst)
		r.Record(progress.Part{State: progress.Holding, Tool: &tools[i%2], Bytes: i, Received: 1}, time.Now())
	}
	close(stop)
	look.Wait()
	l.Remove(r)
}

// Taking a part of an answer allocates nothing.
func TestTakeAllocatesNothing(t *testing.T) {
	var p progress.Progress
	tool, model := "f", callwright.ModelID("lab/m")
	if n := testing.AllocsPerRun(100, func() {
		p.Ask(&model, callwright.AttemptFirst)
		p.Record(progress.Part{State: progress.Holding, Tool: &tool, Bytes: 3, Received: 3}, time.Now())
		p.Record(progress.Part{State: progress.Text, Received: 3}, time.Time{})
		p.Finish()
	}); n != 0 {
		t.Errorf("expected no allocation, got %v", n)
	}
}
