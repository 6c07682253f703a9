package evalcmd_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/store/natstest"
)

// Several processes share a run on NATS: together they play each trial once, and each reports all of them as one alone would. A run that was broken off goes on.
func TestRunsOnNATS(t *testing.T) {
	conf := config.Config{State: config.State{NATS: config.NATS{URL: natstest.Start(t, nil).ClientURL()}}}
	var alone bench
	_ = alone.run(t.Context(), some...) // some trials do not end well
	want := timeless(t, alone.out.Bytes())
	args := append(slices.Clone(some), "--state", "nats:nightly", "--verbose", "2", "--jobs", "1")

	first := bench{conf: conf}
	ctx, stop := context.WithCancel(t.Context())
	first.watch = writerFunc(func(text []byte) {
		if strings.Contains(string(text), "ok ") {
			stop() // after a trial
		}
	})
	_ = first.run(ctx, args...)
	if said := first.err.String(); !strings.Contains(said, " of 24 trials are kept in nats:nightly: the same command line continues with the others\n") {
		t.Fatalf("it was not broken off: %s", said)
	}
	var workers sync.WaitGroup
	played := make([]int, 3)
	for i := range played {
		workers.Go(func() {
			b := bench{conf: conf}
			_ = b.run(t.Context(), args...)
			if got := timeless(t, b.out.Bytes()); got != want {
				t.Errorf("got\n%s\nwant\n%s%s", got, want, b.err.String())
			}
			played[i] = strings.Count(b.err.String(), "sim/n")
		})
	}
	workers.Wait()
	t.Logf("they played %v", played)
	sum := strings.Count(first.err.String(), "sim/n")
	for _, n := range played {
		sum += n
	}
	if sum != 24 {
		t.Errorf("%d of 24 trials were played", sum)
	}

	b := bench{conf: conf}
	if err := b.run(t.Context(), "diff", "--json", "nats:nightly", "nats:nightly"); err != nil || !strings.Contains(b.out.String(), `"nats:nightly"`) {
		t.Errorf("got %v %s", err, b.out.String())
	}
	for want, args := range map[string][]string{
		"there is no run":              {"diff", "nats:nightly", "nats:other"},
		"name another folder or queue": {"--model", "sim/native", "--state", "nats:nightly"},
		"expected a name":              {"--model", "sim/native", "--state", "nats:"},
		"traces are files":             {"--model", "sim/native", "--state", "nats:x", "--trace"},
	} {
		if err := b.run(t.Context(), args...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v", args, err)
		}
	}
	b.conf = config.Config{}
	b.refused(t, "nats:x: the configuration has no state.nats", "--model", "sim/native", "--state", "nats:x")
}

// A writerFunc is called with what is written.
type writerFunc func(text []byte)

var _ io.Writer = writerFunc(nil)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}
