package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/signature"
	"github.com/google/go-cmp/cmp"
)

// state is one with something in each member.
func state(value string) signature.State {
	return signature.State{
		Arguments: signature.DigestArguments([]byte(`{"a":1}`)), Place: signature.NewPlace([]string{"hi"}, []string{"list it"}), Signature: value, Wire: "gemini",
		Thoughts: []signature.Thought{{Text: "hm", Signature: "s", Redacted: "r", ID: "i", Wire: "w", Extra: "{}", ExtraWire: "w", At: 3, AfterCall: true}},
	}
}

func find(t *testing.T, v signature.Store, c signature.Call) []signature.State {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context()) // that of one request
	defer cancel()
	found, err := v.Find(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What one gateway keeps, another one finds in the next request, by the call and without its id, for this owner and model alone.
func TestSignaturesIsShared(t *testing.T) {
	t.Parallel()
	const owner = "\xff\x00owner" // gateways have digests there
	space := fresh()
	a := open(t, sharedCluster(t).config(space)).Signatures(signature.Limits{})
	b := open(t, sharedCluster(t).config(space)).Signatures(signature.Limits{})
	first := signature.Call{Owner: owner, Model: "lab/m", ID: "0", Tool: "f"}
	if err := a.Keep(t.Context(), first, state("s")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "something is kept of the model", func() bool { return b.Holds("lab/m") })
	for i := range 20 {
		c := signature.Call{Owner: owner, Model: "lab/m", ID: fmt.Sprint("call", i), Tool: "f"}
		want := state(strings.Repeat("s", i*i*2_500)) // the last ones are too large for one message
		if err := a.Keep(t.Context(), c, want); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the state is there", func() bool { return cmp.Equal([]signature.State{want}, find(t, b, c)) })
	}
	if got := find(t, b, first.WithoutID(state("").Arguments)); len(got) == 0 {
		t.Error("nothing is found without an id")
	}
	for _, c := range []signature.Call{{Owner: "p", Model: "lab/m", ID: "0", Tool: "f"}, {Owner: owner, Model: "lab/n", ID: "0", Tool: "f"}, {Owner: owner, Model: "lab/m", ID: "0", Tool: "g"}} {
		if got := find(t, b, c); len(got) > 0 {
			t.Errorf("%v: got %d states", c, len(got))
		}
	}
}

// What was kept is found after the process has ended, as long as it would have been.
func TestSignaturesStays(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	now := time.Now()
	c := store.Config{Dir: dir, Now: func() time.Time { return now }}
	s, err := store.Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	call := signature.Call{Owner: "o", Model: "lab/m", ID: "0", Tool: "f"}
	if err := s.Signatures(signature.Limits{}).Keep(t.Context(), call, state("s")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	v := open(t, c).Signatures(signature.Limits{})
	if d := cmp.Diff([]signature.State{state("s")}, find(t, v, call)); d != "" || !v.Holds("lab/m") {
		t.Errorf("(-want +got)\n%s", d)
	}
	now = now.Add(time.Hour) // as long as a signature store keeps a state by default
	if got := find(t, v, call); len(got) > 0 {
		t.Errorf("got %v", got)
	}
}
