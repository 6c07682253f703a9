package store_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/store/natstest"
	"github.com/callwright/callwright/signature"
)

// One server of three that goes away and comes back loses nothing that was acknowledged, and holds nothing up for good. With CALLWRIGHT_KILLS each of them goes.
func TestNodeAway(t *testing.T) {
	t.Parallel()
	if !longtest.IsEnabled() {
		t.Skip("elections take seconds")
	}
	nodes := min(natstest.Kills(t, 1), 3)
	c := newCluster(t, folder(t))
	defer func() {
		for i := range c.servers {
			c.stop(i)
		}
	}()
	s := open(t, c.config(""))
	j := s.Journal("")
	var last uint64
	for i := range nodes {
		for n := range 10 {
			if n == 3 {
				c.stop(i)
			}
			if n == 7 {
				c.start(t, i)
			}
			var err error
			if last, err = j.Append(t.Context(), killedRun, last, agent.Entry{Kind: "test", Data: json.RawMessage(fmt.Sprint(last))}); err != nil {
				t.Fatalf("server %d, entry %d: %v", i, n, err)
			}
		}
		eventually(t, "all servers are there", func() bool { return c.whole() })
	}
	got, _, err := s.Journal("").Load(t.Context(), killedRun)
	if err != nil || len(got) != 10*nodes {
		t.Fatalf("got %d entries, %v", len(got), err)
	}
	for i, e := range got {
		if string(e.Data) != fmt.Sprint(i) {
			t.Errorf("entry %d is %s", i, e.Data)
		}
	}
}

// whole reports whether the cluster has a leader and all of its streams are as they should be.
func (c *cluster) whole() bool {
	for _, s := range c.servers {
		if s.JetStreamIsLeader() {
			return len(s.JetStreamClusterPeers()) == 3 && s.JetStreamIsCurrent()
		}
	}
	return false
}

// Without NATS a Store opens, goes on in memory, and says so; what was learned meanwhile is written when NATS comes.
func TestNATSComesLater(t *testing.T) {
	t.Parallel()
	c := single(t)
	c.stop(0)
	s := open(t, c.config(""))
	if h := s.Health(); len(h) == 0 {
		t.Error("all is well")
	}
	sh, v := s.CapsStore(t.Context()), s.Signatures(signature.Limits{})
	learn(t, sh, "lab/one", caps.Fact{Key: "tools", Value: "no", Source: caps.Probed})
	call := signature.Call{Model: "lab/m", ID: "0", Tool: "f"}
	if err := v.Keep(t.Context(), call, state("s")); err != nil || len(find(t, v, call)) != 1 {
		t.Errorf("the state is not kept: %v", err)
	}
	if got := keys(t, sh, "lab/one"); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	c.start(t, 0)
	defer c.stop(0)
	other := open(t, c.config(""))
	eventually(t, "the other one knows", func() bool { return len(keys(t, other.CapsStore(t.Context()), "lab/one")) == 1 })
	eventually(t, "the other one finds", func() bool { return len(find(t, other.Signatures(signature.Limits{}), call)) == 1 })
	eventually(t, "all is well", func() bool { return len(s.Health()) == 0 })
	if _, err := s.Journal("").Append(t.Context(), killedRun, 0, agent.Entry{}); err != nil {
		t.Error(err)
	}
}

// What must be acknowledged fails with an error that says that it may be tried again.
func TestUnavailable(t *testing.T) {
	t.Parallel()
	s := open(t, store.Config{URL: "nats://user:secret@127.0.0.1:1"})
	ctx := t.Context()
	_, err := s.Journal("").Append(ctx, killedRun, 0, agent.Entry{})
	e := callwright.KindOf(err)
	if e != callwright.KindUnavailable || !e.Transient() {
		t.Errorf("got %v", err)
	}
	for _, line := range append(health.Lines(s.Health()), err.Error()) {
		if strings.Contains(line, "secret") {
			t.Errorf("a password is shown: %s", line)
		}
	}
}
