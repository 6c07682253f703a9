package evalcmd_test

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/eval/report"
)

// timeless is a summary without what differs from run to run.
func timeless(t *testing.T, text []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var strip func(v any)
	strip = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			delete(v, "times")
			for _, inner := range v {
				strip(inner)
			}
		case []any:
			for _, inner := range v {
				strip(inner)
			}
		}
	}
	strip(v)
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// some is an offline run of some trials, good and bad.
var some = []string{"--model", "sim/native,sim/never_right", "--policy", "heal,off", "--scenarios", "happy_path,chat_only", "--trials", "3", "--json"}

// One seed gives one result, however many trials are played at a time.
func TestOfflineRunsAreTheSame(t *testing.T) {
	var b bench
	var first string
	for _, jobs := range []string{"1", "8"} {
		err := b.run(t.Context(), "--scenarios", "type_error_recovery,missing_workspace_id", "--trials", "4", "--seed", "3", "--json", "--jobs", jobs)
		got := timeless(t, b.out.Bytes())
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%v, got\n%s\nwant\n%s", err, got, first)
		}
	}
}

// A stopper ends a run after some lines.
type stopper struct {
	left int
	stop context.CancelFunc
}

func (s *stopper) Write(p []byte) (int, error) {
	if s.left -= strings.Count(string(p), "\n"); s.left <= 0 {
		s.stop()
	}
	return len(p), nil
}

// A run that was interrupted says how it goes on, and gives in the end what it would have given at once.
func TestInterruptedRunGoesOn(t *testing.T) {
	var whole bench
	_ = whole.run(t.Context(), some...)
	args := append(slices.Clone(some), "--state", filepath.Join(t.TempDir(), "runs"), "--verbose", "2", "--jobs", "1")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := bench{watch: &stopper{5, cancel}}
	if err := b.run(ctx, args...); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	if said := b.err.String(); !strings.Contains(said, " of 24 trials are kept in ") || !strings.Contains(said, "the same command line continues with the others\n") {
		t.Errorf("it says\n%s", said)
	}
	part, err := report.Parse(b.out.Bytes())
	if err != nil || part.Total.N == 0 || part.Total.N == 24 {
		t.Errorf("what was finished is not told: %v\n%s", err, b.out.String())
	}
	b.watch = nil
	if err := b.run(t.Context(), args...); err == nil || err.Error() != "6 of 24 trials did not end well" {
		t.Errorf("got %v", err)
	}
	if got, want := timeless(t, b.out.Bytes()), timeless(t, whole.out.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestInterruptedRunWithoutState(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	b := bench{watch: &stopper{5, cancel}}
	err := b.run(ctx, append(slices.Clone(some), "--verbose", "2", "--jobs", "1")...)
	if !errors.Is(err, context.Canceled) || !strings.HasSuffix(b.err.String(), " of 24 trials were played, and none is kept: with --state an interrupted run can be continued\n") {
		t.Errorf("got %v, and it says\n%s", err, b.err.String())
	}
}

// A flag wins over its variable, which wins over the default.
func TestFlagsWin(t *testing.T) {
	for _, c := range []struct {
		env, args string
		cells     int
	}{
		{"", "", 1},
		{"OPENROUTER_TRIALS=3", "", 3},
		{"OPENROUTER_TRIALS=3", "--trials 2", 2},
		{"OPENROUTER_TRIALS= ", "", 1},
		{"OPENROUTER_FALLBACK_MATRIX=1", "", 2}, // there is no next model
		{"OPENROUTER_FALLBACK_MATRIX=1", "--fallback-matrix=0", 1},
		{"OPENROUTER_FALLBACK_MATRIX=1", "--mode auto+none,text", 3},
		{"OPENROUTER_SAMPLING_PROFILE_FILTER=default,qwen_recommended", "", 2},
	} {
		name, value, _ := strings.Cut(c.env, "=")
		b := bench{env: map[string]string{name: value}}
		if err := b.run(t.Context(), strings.Fields("--model sim/native --scenarios chat_only --json "+c.args)...); err != nil {
			t.Errorf("%s %s: %v", c.env, c.args, err)
			continue
		}
		if s, err := report.Parse(b.out.Bytes()); err != nil || s.Run.Cells != c.cells {
			t.Errorf("%s %s: got %d cells, want %d", c.env, c.args, s.Run.Cells, c.cells)
		}
	}
}

// A value that stands twice in a comparison is held against the first one once.
func TestComparedOnce(t *testing.T) {
	var b bench
	if err := b.run(t.Context(), strings.Fields("--model sim/native --scenarios chat_only --json --compare policy=heal,off,heal")...); err != nil {
		t.Fatal(err)
	}
	var got struct{ Comparisons []json.RawMessage }
	if err := json.Unmarshal(b.out.Bytes(), &got); err != nil || len(got.Comparisons) != 1 {
		t.Errorf("got %d comparisons, %v", len(got.Comparisons), err)
	}
}

// A run in which nothing was played did not end well.
func TestNothingPlayed(t *testing.T) {
	var b bench
	err := b.run(t.Context(), "--model", "sim/native", "--sampling-profile-filter", "qwen_recommended")
	if err == nil || err.Error() != "no trial was played: no sampling profile applies to these models: choose others with --sampling-profile-filter" {
		t.Errorf("got %v", err)
	}
	if err := b.run(t.Context(), "--model", "sim/native", "--sampling-profile-filter", "qwen_recommended", "--sampling-profile-enforce-applicability=0"); err != nil {
		t.Errorf("without enforcing it: %v", err)
	}
}

// What is said of tools holds for the scenarios that it is about.
func TestToolSettings(t *testing.T) {
	for args, want := range map[string]string{
		"--scenarios happy_path --tool-use-mode disabled":              "1 of 1 trial did not end well",
		"--scenarios happy_path,chat_only --tool-use-mode enforced":    "",
		"--scenarios happy_path --tool-allowlist state_get":            "1 of 1 trial did not end well",
		"--scenarios happy_path,parallel_ten --tool-allowlist state_*": "",
		"--scenarios empty_final --policy off --fix-empty-final=0":     "1 of 1 trial did not end well",
		"--scenarios empty_final --policy off":                         "",
	} {
		err := (&bench{}).run(t.Context(), append(strings.Fields(args), "--model", "sim/native")...)
		if got := ""; err != nil {
			got = err.Error()
			if got != want {
				t.Errorf("%s: got %q, want %q", args, got, want)
			}
		} else if want != "" {
			t.Errorf("%s: it ended well", args)
		}
	}
}
