// Package signaturetest contains the test suite for implementations of [signature.Store]. A test of an implementation
// is one call:
//
//	func TestStore(t *testing.T) {
//		signaturetest.Run(t, func(t *testing.T, now func() time.Time, l signature.Limits) signature.Store {
//			return signature.NewMemory(now, l)
//		})
//	}
//
// The store must take the current time only from now: no test waits. The suite checks these rules:
//
//   - Find returns complete states, oldest first, both for the call and for the call without its ID. It returns nothing
//     for a call with another owner, model, ID or tool.
//   - Holds returns true for a model with a saved state. For other models it returns false, or it returns true for all
//     models.
//   - A state expires if Find does not return it within the TTL of the limits.
//   - If a limit is exceeded, the oldest states are removed. A state larger than the size limit is not saved and
//     removes no other state.
//   - Of many states for one call, the latest are kept: more than one, but not all.
package signaturetest

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/testclock"
	"github.com/callwright/callwright/signature"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Open opens an empty store that gets the current time from now. It registers the function that closes the store with
// t.Cleanup.
type Open func(t *testing.T, now func() time.Time, l signature.Limits) signature.Store

// laws lists the tests of the suite: each checks one behaviour that all stores must have.
var laws = []struct {
	name string
	test func(s *store, t *testing.T)
}{
	{"content", (*store).content},
	{"apart", (*store).apart},
	{"holds", (*store).holds},
	{"age", (*store).age},
	{"entries", (*store).entries},
	{"bytes", (*store).bytes},
	{"too large", (*store).tooLarge},
	{"one call", (*store).oneCall},
	{"together", (*store).together},
}

// Run tests a store.
func Run(t *testing.T, open Open) {
	t.Helper()
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) {
			law.test(&store{t: t, open: open, Clock: testclock.At(begin)}, t)
		})
	}
}

// begin is the start time of the clock of each test.
var begin = time.Date(2026, 3, 29, 1, 59, 59, 123456789, time.UTC)

// A store is the store under test and its clock.
type store struct {
	t    *testing.T
	open Open
	*testclock.Clock
	signature.Store
}

// with opens the store with limits.
func (s *store) with(l signature.Limits) {
	s.Store = s.open(s.t, s.Now, l)
}

var (
	oslo      = signature.Call{Owner: "\xffme\x00", Model: "lab/m", ID: "call_0", Tool: "get_weather"}
	arguments = signature.DigestArguments([]byte(`{"city":"Oslo"}`))
)

func signedState(value string) signature.State {
	return signature.State{Arguments: arguments, Place: signature.NewPlace([]string{"Weather?"}, []string{"Weather?"}), Signature: value}
}

func (s *store) keep(c signature.Call, states ...signature.State) {
	s.t.Helper()
	for _, state := range states {
		if err := s.Keep(s.t.Context(), c, state); err != nil {
			s.t.Fatal(err)
		}
	}
}

// findStates returns the states that are saved for a call.
func (s *store) findStates(c signature.Call) []signature.State {
	s.t.Helper()
	states, err := s.Find(s.t.Context(), c)
	if err != nil {
		s.t.Fatal(err)
	}
	return states
}

func (s *store) expect(c signature.Call, want ...signature.State) {
	s.t.Helper()
	if d := cmp.Diff(want, s.findStates(c), cmpopts.EquateEmpty()); d != "" {
		s.t.Fatalf("%q (-want +got)\n%s", c, d)
	}
}

func (s *store) content(*testing.T) {
	s.with(signature.Limits{})
	s.expect(oslo)
	full := signature.State{Arguments: signature.DigestOf("x"),
		Place: signature.NewPlace([]string{"a", "b"}, []string{"c", "d\nd"}), Signature: "s/+=", Wire: "gemini", Thoughts: []signature.Thought{
			{Text: "hm \x00 é", Signature: "t", Redacted: "r", ID: "i", Wire: "anthropic", Extra: `{"a":1.0}`, ExtraWire: "openai",
				At: 7, AfterCall: true}, {},
		}}
	large := signedState(strings.Repeat("x", 300_000))
	s.keep(oslo, full, signedState("one"), large, signedState("one"))
	s.expect(oslo, full, signedState("one"), large, signedState("one"))
	s.expect(oslo.WithoutID(arguments), signedState("one"), large, signedState("one"))
	s.expect(oslo.WithoutID(full.Arguments), full)
	s.expect(oslo.WithoutID(signature.DigestOf("other")))
}

func (s *store) apart(*testing.T) {
	s.with(signature.Limits{})
	calls := []signature.Call{
		oslo, {Model: oslo.Model, ID: oslo.ID, Tool: oslo.Tool},
		{Owner: "you", Model: oslo.Model, ID: oslo.ID, Tool: oslo.Tool}, {Owner: oslo.Owner, Model: "lab/M", ID: oslo.ID, Tool: oslo.Tool},
		{Owner: oslo.Owner, Model: oslo.Model, ID: "call_1", Tool: oslo.Tool},
		{Owner: oslo.Owner, Model: oslo.Model, ID: oslo.ID, Tool: "get_time"}, {Owner: oslo.Owner, Model: oslo.Model, ID: oslo.ID},
		{Model: "a", ID: "b.c", Tool: "d"}, {Model: "a.b", ID: "c", Tool: "d"}, {Model: "a", ID: "b", Tool: "c.d"},
		{Owner: "a", Model: "b", ID: "c", Tool: "d"}, {ID: "*", Tool: ">"}, {},
	}
	for i, c := range calls {
		state := signedState(strconv.Itoa(i))
		state.Arguments = signature.DigestOf(strconv.Itoa(i))
		s.expect(c)
		s.keep(c, state)
		for _, earlier := range calls[:i] {
			s.expect(earlier.WithoutID(state.Arguments), matching(c, earlier, state)...)
		}
	}
	for i, c := range calls {
		state := signedState(strconv.Itoa(i))
		state.Arguments = signature.DigestOf(strconv.Itoa(i))
		s.expect(c, state)
	}
}

// matching returns the state s if the calls differ at most by ID, otherwise nil.
func matching(a, b signature.Call, s signature.State) []signature.State {
	if b.ID = a.ID; a == b {
		return []signature.State{s}
	}
	return nil
}

func (s *store) holds(t *testing.T) {
	s.with(signature.Limits{})
	never := s.Holds("lab/n")
	s.keep(oslo, signedState("one"))
	if !s.Holds(oslo.Model) || s.Holds("lab/n") != never {
		t.Errorf("holds %t of a model of which a state is kept, %t of another", s.Holds(oslo.Model), s.Holds("lab/n"))
	}
}

func (s *store) age(t *testing.T) {
	s.with(signature.Limits{TTL: time.Hour})
	s.keep(oslo, signedState("one"))
	for range 3 {
		s.Add(50 * time.Minute)
		s.expect(oslo, signedState("one")) // Find extends the lifetime
	}
	s.Add(20 * time.Minute)
	s.keep(oslo, signedState("two"))
	s.Add(40 * time.Minute)
	if got := s.findStates(oslo); len(got) == 0 || got[len(got)-1].Signature != "two" {
		t.Errorf("got %v", got)
	}
	s.Add(2 * time.Hour)
	s.expect(oslo)
	s.expect(oslo.WithoutID(arguments))
}

func (s *store) call(i int) signature.Call {
	return signature.Call{Owner: fmt.Sprint(i % 3), Model: "lab/m", ID: "call_" + strconv.Itoa(i), Tool: "f"}
}

// expectLeft saves 300 states with a text of each bytes. It fails the test unless the store keeps only the latest ones,
// in a number from the minimum some to the maximum most.
func (s *store) expectLeft(some, most, each int) {
	s.t.Helper()
	const many = 300
	for i := range many {
		s.Add(time.Millisecond)
		s.keep(s.call(i), signature.State{Arguments: signature.DigestOf(strconv.Itoa(i)),
			Thoughts: []signature.Thought{{Text: strings.Repeat("x", each)}}})
	}
	n := 0
	for i := range many {
		switch {
		case len(s.findStates(s.call(i))) > 0:
			n++
		case n > 0:
			s.t.Fatalf("%d is gone, and an older one is kept", i)
		}
	}
	if n < some || n > most {
		s.t.Fatalf("%d of %d are left, want %d to %d", n, many, some, most)
	}
}

func (s *store) entries(*testing.T) {
	s.with(signature.Limits{Entries: 20})
	s.expectLeft(20, 20, 1)
}

func (s *store) bytes(*testing.T) {
	s.with(signature.Limits{Bytes: 500_000})
	s.expectLeft(25, 50, 10_000)
}

func (s *store) tooLarge(*testing.T) {
	s.with(signature.Limits{Bytes: 50_000})
	s.keep(s.call(1), signedState("small"))
	_ = s.Keep(s.t.Context(), s.call(2), signedState(strings.Repeat("x", 60_000))) // an error is allowed
	s.expect(s.call(2))
	s.expect(s.call(1), signedState("small"))
}

func (s *store) oneCall(t *testing.T) {
	s.with(signature.Limits{})
	for i := range 300 {
		s.keep(oslo, signedState(strconv.Itoa(i)))
	}
	got := s.findStates(oslo)
	if len(got) < 8 || len(got) > 64 {
		t.Fatalf("%d states are kept for one call", len(got))
	}
	for i := range got {
		if want := strconv.Itoa(300 - len(got) + i); got[i].Signature != want {
			t.Fatalf("state %d of %d is %s, want %s", i, len(got), got[i].Signature, want)
		}
	}
}

func (s *store) together(t *testing.T) {
	s.with(signature.Limits{})
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range 20 {
				c := signature.Call{Owner: strconv.Itoa(g), Model: "lab/m", ID: strconv.Itoa(i), Tool: "f"}
				if err := s.Keep(t.Context(), c, signedState(c.Owner)); err != nil {
					t.Error(err)
				}
				if got, err := s.Find(t.Context(), c); err != nil || len(got) != 1 || got[0].Signature != c.Owner || !s.Holds(c.Model) {
					t.Errorf("%v: got %v and %v", c, got, err)
				}
			}
		})
	}
	wg.Wait()
}
