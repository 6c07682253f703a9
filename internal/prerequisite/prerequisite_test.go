package prerequisite_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/prerequisite"
)

// A recorder is a test that keeps how it ended.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Helper() {}

func (r *recorder) Skip(args ...any) { r.end("skipped: ", args) }

func (r *recorder) Fatal(args ...any) { r.end("failed: ", args) }

func (r *recorder) end(how string, args []any) {
	r.ended = how + strings.TrimSpace(fmt.Sprintln(args...))
	runtime.Goexit()
}

// outcome runs a test to its end and returns how it ended.
func outcome(test func(t testing.TB)) string {
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		test(r)
	}()
	<-done
	return r.ended
}

func TestProgram(t *testing.T) {
	const absent = "callwright-has-no-such-program"
	find := func(t testing.TB) { prerequisite.Program(t, absent) }
	for _, c := range []struct{ required, want string }{
		{"", "skipped: " + absent + ": not installed"},
		{"0", "skipped: " + absent + ": not installed"},
		{"1", "failed: CALLWRIGHT_REQUIRE is set: " + absent + ": not installed"},
	} {
		t.Setenv("CALLWRIGHT_REQUIRE", c.required)
		if got := outcome(find); got != c.want {
			t.Errorf("CALLWRIGHT_REQUIRE=%s: got %q, want %q", c.required, got, c.want)
		}
	}
	if path := prerequisite.Program(t, absent, "go"); !strings.Contains(path, "go") {
		t.Errorf("got %q", path)
	}
}
