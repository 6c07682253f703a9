package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/signature"
)

// Without a quorum requests wait for NATS once. The next ones go on with what is in memory at once, which is said, and all is written when the
// servers are back.
func TestNoQuorum(t *testing.T) {
	t.Parallel()
	longtest.Only(t) // elections take seconds
	c := newCluster(t, folder(t))
	defer func() {
		for i := range c.servers {
			c.stop(i)
		}
	}()
	s := open(t, store.Config{URL: "nats://" + c.servers[0].Addr().String()}) // it stays connected to the server that is left
	answers, signatures, capsStore := s.Answers(archive.Limits{}), s.Signatures(signature.Limits{}), s.CapsStore(t.Context())
	use := func(ctx context.Context, id string) error {
		call := signature.Call{Model: "lab/m", ID: id, Tool: "f"}
		if err := signatures.Keep(ctx, call, state(id)); err != nil {
			t.Error(err)
		}
		if got, err := signatures.Find(ctx, call); err != nil || len(got) != 1 {
			t.Errorf("%s: got %v %v", id, got, err)
		}
		if _, err := signatures.Find(ctx, signature.Call{Model: "lab/m", ID: "other " + id, Tool: "f"}); err != nil {
			t.Error(err)
		}
		learn(t, capsStore, "lab/"+id, caps.Fact{Key: "tools", Value: "no", Source: caps.Probed})
		err := answers.Keep(ctx, archive.Key{Owner: "me", ID: id}, archive.Answer{Body: []byte(id), Turn: &archive.Turn{Items: []byte(`["` + id + `"]`)}})
		expectAnswer(t, answers, archive.Key{Owner: "me", ID: id}, id, `["`+id+`"]`)
		return err
	}
	eventually(t, "an answer is kept", func() bool { return use(t.Context(), "first") == nil })
	c.stop(1)
	c.stop(2)
	if err := use(t.Context(), "second"); !errors.Is(err, archive.ErrLater) {
		t.Fatalf("without a quorum: got %v", err)
	}
	if h := strings.Join(health.Lines(s.Health()), "\n"); !strings.Contains(h, "1 answers are only in the memory of this gateway") || !strings.Contains(h, "1 changes of reasoning signatures wait") || !strings.Contains(h, "state: NATS at ") && !strings.Contains(h, "state: nats://") {
		t.Errorf("got %q", h)
	}
	begun := time.Now()
	for i := range 30 {
		if err := use(t.Context(), fmt.Sprint("n", i)); !errors.Is(err, archive.ErrLater) || callwright.KindOf(err) != callwright.KindUnavailable {
			t.Fatalf("without a quorum: got %v", err)
		}
	}
	if took := time.Since(begun); took > 5*time.Second { // each that waits takes a second or more
		t.Errorf("30 requests took %v", took)
	}
	c.start(t, 1)
	c.start(t, 2)
	eventually(t, "all is well", func() bool { return len(s.Health()) == 0 })
	other := open(t, c.config("")).Answers(archive.Limits{})
	for _, id := range []string{"second", "n0", "n29"} {
		expectAnswer(t, other, archive.Key{Owner: "me", ID: id}, id, `["`+id+`"]`)
	}
}

// A Store that starts without a quorum has nobody wait for more than the first look.
func TestStartWithoutQuorum(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("elections take seconds")
	}
	c := newCluster(t, folder(t))
	defer func() {
		for i := range c.servers {
			c.stop(i)
		}
	}()
	c.stop(1)
	c.stop(2)
	s := open(t, store.Config{URL: "nats://" + c.servers[0].Addr().String()})
	signatures, reports := s.Signatures(signature.Limits{}), s.Reports(archive.Limits{})
	ask := func() {
		if _, err := signatures.Find(t.Context(), signature.Call{Model: "lab/m", ID: "0", Tool: "f"}); err != nil {
			t.Error(err)
		}
		if _, err := reports.List(t.Context(), archive.Query{AnyOwner: true}); err != nil {
			t.Error(err)
		}
	}
	ask()
	begun := time.Now()
	for range 10 {
		ask()
	}
	if took := time.Since(begun); took > 6*time.Second { // each that waits takes two seconds or more
		t.Errorf("10 requests took %v", took)
	}
}
