package state_test

import (
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/cmd/callwright/internal/state"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/store/natstest"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
)

// What the configuration says of how much is kept is what NATS keeps of each kind.
func TestRetention(t *testing.T) {
	nats := natstest.Start(t, nil)
	none := func(string) (string, bool) { return "", false }
	conf, err := config.Parse(fmt.Appendf(nil, `
state:
  nats: %q
  runs: {bytes: 2000000}
  counters: {bytes: 3000000}
  vault: {bytes: 4000000, age: 30m}
  facts: {age: 48h}
trace: {nats: on, bytes: 8000000, age: 2h}
`, nats.ClientURL()), none)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	kept, err := state.OpenShared(ctx, conf, none, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	journal, err := kept.Journal(state.Commands)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Append(ctx, "run_1", 0, agent.Entry{Kind: "test"}); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Counters().Take(ctx, access.Window{Name: "k", Start: time.Now(), End: time.Now().Add(time.Minute), Limit: 1}, 1, 1); err != nil {
		t.Fatal(err)
	}
	registry, err := config.NewRegistry(conf, append(kept.Options(ctx), config.WithEnv(none))...)
	if err != nil {
		t.Fatal(err)
	}
	if err := registry.Learn(ctx, "openai/gpt-4o", []caps.Fact{{Key: "tools", Value: "no", Source: caps.Probed}}); err != nil {
		t.Fatal(err)
	}
	if err := kept.Traces(conf.Trace.Log()).Append(trace.Entry{Kind: trace.KindRequest, ID: "rep_1", Time: time.Now()}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"CALLWRIGHT_RUNS": "2000000 bytes, 0s", "CALLWRIGHT_COUNTERS": "3000000 bytes, 0s", "CALLWRIGHT_VAULT": "4000000 bytes, 30m0s", "CALLWRIGHT_FACTS": "33554432 bytes, 48h0m0s",
		"CALLWRIGHT_TRACES": "7000000 bytes, 2h0m0s", "CALLWRIGHT_SUMMARIES": "1000000 bytes, 2h0m0s", "CALLWRIGHT_COOLDOWNS": "1048576 bytes, 2h0m0s",
	}
	got, again := limits(t, nats), time.NewTicker(5*time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(20 * time.Second); len(got) < len(want) && time.Now().Before(deadline); got = limits(t, nats) {
		<-again.C // the stream of the signature store is made in the background
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	registry.Close()
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
}

// limits are how much each stream of a server keeps.
func limits(t *testing.T, nats *server.Server) map[string]string {
	t.Helper()
	all, err := nats.Jsz(&server.JSzOptions{Accounts: true, Streams: true, Config: true})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, account := range all.AccountDetails {
		for _, s := range account.Streams {
			got[s.Name] = fmt.Sprintf("%d bytes, %v", s.Config.MaxBytes, s.Config.MaxAge)
		}
	}
	return got
}
