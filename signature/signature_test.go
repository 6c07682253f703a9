package signature_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright/internal/restore"
	"github.com/callwright/callwright/internal/signaturetest"
	"github.com/callwright/callwright/signature"
	"github.com/google/go-cmp/cmp"
)

var (
	oslo  = signature.Call{Model: "lab/m", ID: "call_0", Tool: "get_weather"}
	place = signature.NewPlace([]string{"Weather?"}, []string{"Weather?"})
)

func signed(value string) signature.State {
	return signature.State{Arguments: signature.DigestArguments([]byte(`{"city":"Oslo"}`)), Place: place, Signature: value}
}

func signatures(t *testing.T, m *signature.Memory, c signature.Call) []string {
	t.Helper()
	states, err := m.Find(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range states {
		out = append(out, s.Signature)
	}
	return out
}

func keep(t *testing.T, m *signature.Memory, c signature.Call, s signature.State) {
	t.Helper()
	if err := m.Keep(t.Context(), c, s); err != nil {
		t.Fatal(err)
	}
}

func TestMemory(t *testing.T) {
	signaturetest.Run(t, func(_ *testing.T, now func() time.Time, l signature.Limits) signature.Store {
		return signature.NewMemory(now, l)
	})
}

func TestMemoryKeepsByCallAndModel(t *testing.T) {
	m := signature.NewMemory(nil, signature.Limits{})
	if m.Holds("lab/m") {
		t.Error("an empty vault holds something")
	}
	keep(t, m, oslo, signed("one"))
	keep(t, m, oslo, signed("two"))
	if d := cmp.Diff([]string{"one", "two"}, signatures(t, m, oslo)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	for _, other := range []signature.Call{
		{"", "lab/n", oslo.ID, oslo.Tool}, {"", oslo.Model, "call_1", oslo.Tool}, {"", oslo.Model, oslo.ID, "get_time"}, {"me", oslo.Model, oslo.ID, oslo.Tool},
	} {
		if got := signatures(t, m, other); got != nil {
			t.Errorf("%v has %v", other, got)
		}
	}
	if !m.Holds("lab/m") || m.Holds("lab/n") {
		t.Error("Holds does not go by the model")
	}
}

func TestMemoryForgetsWhatIsNotAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := signature.NewMemory(nil, signature.Limits{})
		keep(t, m, oslo, signed("s"))
		time.Sleep(50 * time.Minute)
		if got := signatures(t, m, oslo); len(got) != 1 {
			t.Fatalf("gone after 50 minutes: %v", got)
		}
		time.Sleep(50 * time.Minute)
		if got := signatures(t, m, oslo); len(got) != 1 {
			t.Fatalf("gone although it was asked for: %v", got)
		}
		time.Sleep(time.Hour)
		if got := signatures(t, m, oslo); got != nil || m.Holds("lab/m") {
			t.Fatalf("still there after an hour: %v", got)
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	call := func(i int) signature.Call {
		return signature.Call{Model: "lab/m", ID: "call_" + strconv.Itoa(i), Tool: "f"}
	}
	big := signature.State{Thoughts: []signature.Thought{{Text: strings.Repeat("x", 1000)}}}
	for _, tc := range []struct {
		name   string
		limits signature.Limits
		most   int
	}{
		{"by entries", signature.Limits{Entries: 5}, 5},
		{"by bytes", signature.Limits{Bytes: 10_000}, 10},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := signature.NewMemory(nil, tc.limits)
			for i := range 100 {
				keep(t, m, call(i), big)
				signatures(t, m, call(0)) // asked for all along
			}
			var left []int
			for i := range 100 {
				if signatures(t, m, call(i)) != nil {
					left = append(left, i)
				}
			}
			if len(left) < 2 || len(left) > tc.most || left[0] != 0 || left[1] < 90 {
				t.Errorf("left are %v, at most %d may be, the first and the latest", left, tc.most)
			}
		})
	}
	m := signature.NewMemory(nil, signature.Limits{Bytes: 500})
	keep(t, m, call(1), signed("small"))
	keep(t, m, call(2), big)
	if signatures(t, m, call(2)) != nil || signatures(t, m, call(1)) == nil {
		t.Error("a state larger than the vault was kept, or drove others out")
	}
}

func TestMemoryConcurrently(t *testing.T) {
	m := signature.NewMemory(nil, signature.Limits{Entries: 50})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				c := signature.Call{Model: "lab/" + strconv.Itoa(g%3), ID: strconv.Itoa(i % 30), Tool: "f"}
				_ = m.Keep(context.Background(), c, signed("s"))
				_, _ = m.Find(context.Background(), c)
				m.Holds(c.Model)
			}
		})
	}
	wg.Wait()
	left := 0
	for g := range 3 {
		for i := range 30 {
			left += len(signatures(t, m, signature.Call{Model: "lab/" + strconv.Itoa(g), ID: strconv.Itoa(i), Tool: "f"}))
		}
	}
	if left != 50 {
		t.Errorf("%d entries are left, want 50", left)
	}
}

func TestPick(t *testing.T) {
	args := func(s string) signature.Digest { return signature.DigestArguments([]byte(s)) }
	at := func(opening, before string) signature.Place {
		return signature.NewPlace([]string{opening}, []string{before, "\n" + before + " again"})
	}
	state := func(a string, p signature.Place, value string) signature.State {
		return signature.State{Arguments: args(a), Place: p, Signature: value}
	}
	here := at("hi", "list it")
	for _, tc := range []struct {
		name   string
		states []signature.State
		args   string
		at     signature.Place
		want   string
	}{
		{"the only one", []signature.State{state(`{"a":1,"b":"x"}`, here, "s")}, `{"a":1,"b":"x"}`, here, "s"},
		{"members in another order", []signature.State{state(`{"a":1,"b":"x"}`, here, "s")}, "{ \"b\": \"\\u0078\",\n \"a\": 1.0 }", here, "s"},
		{"another value", []signature.State{state(`{"a":1}`, here, "s")}, `{"a":2}`, here, ""},
		{"by the arguments", []signature.State{state(`{"a":1}`, here, "s"), state(`{"a":2}`, here, "t")}, `{"a":2}`, here, "t"},
		{"a text was added", []signature.State{state(`{}`, here, "s")}, `{}`, signature.NewPlace([]string{"be brief", "hi"}, []string{"list it"}), "s"},
		{"another conversation", []signature.State{state(`{}`, here, "s")}, `{}`, at("hello", "list it"), ""},
		{"another turn", []signature.State{state(`{}`, here, "s")}, `{}`, at("hi", "once more"), ""},
		{"by the conversation", []signature.State{state(`{}`, here, "s"), state(`{}`, at("hello", "list it"), "t")}, `{}`, at("hello", "list it"), "t"},
		{"two that differ", []signature.State{state(`{}`, here, "s"), state(`{}`, here, "t")}, `{}`, here, ""},
		{"two that are the same", []signature.State{state(`{}`, here, "s"), state(`{}`, here, "s")}, `{}`, here, "s"},
		{"no texts at all", []signature.State{state(`{}`, signature.Place{}, "s")}, `{}`, signature.NewPlace([]string{" "}, nil), "s"},
		{"arguments that are no JSON", []signature.State{state(`{"a":`, here, "s")}, ` {"a":`, here, "s"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := signature.Pick(tc.states, args(tc.args), tc.at)
			if got.Signature != tc.want || ok != (tc.want != "") {
				t.Errorf("got %q %t, want %q", got.Signature, ok, tc.want)
			}
		})
	}
}

func noDigest() signature.Digest { return signature.Digest{} }

// What the cases of TestTrail are made of.
var call = func(id string) signature.Call { return signature.Call{Model: "lab/m", ID: id, Tool: "f"} }

// trailCases are those of TestTrail.
var trailCases = []struct {
	name  string
	plain bool
	walk  func(*restore.Trail)
	want  map[string][]signature.Thought
}{
	{"led by a signed thought", false, func(tr *restore.Trail) {
		tr.Thinks("let me ")
		tr.Thinks("see")
		tr.EndThought(signature.Thought{Signature: "s"})
		tr.CountText(3)
		tr.AddCall(call("a"), noDigest, "", "")
		tr.AddCall(call("b"), noDigest, "", "")
	}, map[string][]signature.Thought{"a": {{Text: "let me see", Signature: "s"}}}},
	{"thoughts among the text", false, func(tr *restore.Trail) {
		tr.CountText(3)
		tr.EndThought(signature.Thought{Redacted: "r"})
		tr.CountText(2)
		tr.Thinks("hm")
		tr.EndThought(signature.Thought{ID: "i"})
		tr.AddCall(call("a"), noDigest, "", "")
		tr.EndThought(signature.Thought{Redacted: "q"})
		tr.AddCall(call("b"), noDigest, "", "")
	}, map[string][]signature.Thought{"a": {{Redacted: "r", At: 3}, {Text: "hm", ID: "i", At: 5}}, "b": {{Redacted: "q"}}}},
	{"plain thoughts do not count", false, func(tr *restore.Trail) {
		tr.Thinks("hm")
		tr.AddCall(call("a"), noDigest, "", "")
	}, nil},
	{"plain thoughts are wanted", true, func(tr *restore.Trail) {
		tr.Thinks("hm")
		tr.AddCall(call("a"), noDigest, "", "")
	}, map[string][]signature.Thought{"a": {{Text: "hm"}}}},
	{"behind the last call", false, func(tr *restore.Trail) {
		tr.AddCall(call("a"), noDigest, "", "")
		tr.EndThought(signature.Thought{Extra: "{}"})
	}, map[string][]signature.Thought{"a": {{Extra: "{}", AfterCall: true}}}},
	{"asked again", false, func(tr *restore.Trail) {
		tr.EndThought(signature.Thought{Signature: "old"})
		tr.CountText(9)
		tr.Anew()
		tr.EndThought(signature.Thought{Signature: "new"})
		tr.AddCall(call("a"), noDigest, "", "")
	}, map[string][]signature.Thought{"a": {{Signature: "new"}}}},
}

func TestTrail(t *testing.T) {
	for _, tc := range trailCases {
		t.Run(tc.name, func(t *testing.T) {
			tr := restore.Trail{Plain: tc.plain}
			tc.walk(&tr)
			got := map[string][]signature.Thought{}
			for _, k := range tr.End() {
				got[k.Call.ID] = k.State.Thoughts
			}
			if d := cmp.Diff(tc.want, got, cmp.FilterValues(func(a, b map[string][]signature.Thought) bool { return len(a)+len(b) == 0 }, cmp.Ignore())); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if again := tr.End(); again != nil {
				t.Errorf("the trail still has %v", again)
			}
		})
	}
}

func ExampleTrail() {
	ctx := context.Background()
	var v = signature.NewMemory(nil, signature.Limits{})
	call := signature.Call{Model: "lab/thinker", ID: "call_7", Tool: "get_weather"}
	where := signature.NewPlace([]string{"Weather in Oslo?"}, []string{"Weather in Oslo?"})

	var t restore.Trail // the answer
	t.Thinks("I should look it up.")
	t.EndThought(signature.Thought{Signature: "c2lnbmVk"})
	t.AddCall(call, func() signature.Digest { return signature.DigestArguments([]byte(`{"city":"Oslo","days":3}`)) }, "", "")
	for _, k := range t.End() {
		k.State.Place = where
		if err := v.Keep(ctx, k.Call, k.State); err != nil {
			panic(err)
		}
	}

	states, err := v.Find(ctx, call) // the next request, with the arguments written anew
	if err != nil {
		panic(err)
	}
	s, ok := signature.Pick(states, signature.DigestArguments([]byte(`{ "days": 3, "city": "Oslo" }`)), where)
	fmt.Println(ok, s.Thoughts[0].Text, s.Thoughts[0].Signature)
	// Output: true I should look it up. c2lnbmVk
}
