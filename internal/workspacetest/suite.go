package workspacetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/workspace"
)

// id is the workspace ID used by tests that need only one workspace.
const id workspace.ID = "ws_0197f0c2-7a1e-7b44-9d52-3f1f0a6f2c11"

// Authors of the edits in tests.
var (
	person = workspace.Author{Actor: workspace.Person, Name: "Ada"}
	model  = workspace.Author{Actor: workspace.Model, Name: "run_1"}
	app    = workspace.Author{Actor: workspace.App}
)

// laws lists the tests of the suite: each checks one behaviour that all stores must have.
var laws = []struct {
	name string
	test func(t *testing.T, s workspace.Store)
}{
	{"unknown", unknown},
	{"content", content},
	{"copies", copies},
	{"conflict", conflict},
	{"histories", histories},
	{"undo", undo},
	{"racers", racers},
	{"editors", editors},
	{"apart", apart},
	{"listing", listing},
	{"canceled", testCancellation},
	{"invalid", invalid},
	{"large", large},
}

// Run tests a store. Each call of open returns a new empty store and registers the function that closes it with
// t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) workspace.Store) {
	t.Helper()
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) { law.test(t, open(t)) })
	}
}

// at is the time of all edits. It has nanoseconds and a time zone other than UTC, which stores must preserve.
var at = time.Date(2026, 3, 29, 1, 59, 59, 123456789, time.FixedZone("", 3600))

// state returns a version of a workspace with the given draft, empty facts and an entry for an empty patch.
func state(id workspace.ID, version uint64, draft string) *workspace.State {
	return &workspace.State{ID: id, Version: version, Facts: json.RawMessage(`{}`), Draft: json.RawMessage(draft), Entry: workspace.Entry{
		Version: version, Edit: workspace.Edit{Kind: workspace.PatchDraft, By: model, Time: at, Base: version - 1, Patch: json.RawMessage(`[]`)}}}
}

// save saves a version and fails the test on an error. It returns st.
func save(t *testing.T, s workspace.Store, st *workspace.State) *workspace.State {
	t.Helper()
	if err := s.Save(t.Context(), st); err != nil {
		t.Fatalf("version %d: %v", st.Version, err)
	}
	return st
}

// expect fails the test unless the store has exactly the versions want of a workspace, oldest first, with their
// history.
func expect(t *testing.T, s workspace.Store, id workspace.ID, want []*workspace.State) {
	t.Helper()
	var entries []string
	for _, w := range want {
		got, err := s.Load(t.Context(), id, w.Version)
		if err != nil {
			t.Fatalf("%s, version %d: %v", id, w.Version, err)
		}
		if say(got) != say(w) {
			t.Fatalf("%s, version %d: expected\n%.600s\ngot\n%.600s", id, w.Version, say(w), say(got))
		}
		entries = append(entries, sayEntry(&w.Entry))
	}
	got, err := s.Load(t.Context(), id, 0)
	if len(want) == 0 {
		expectKind(t, err, callwright.KindNotFound)
	} else if newest := want[len(want)-1]; err != nil || say(got) != say(newest) {
		t.Fatalf("%s: expected version %d as the newest, got %v, %v", id, newest.Version, got, err)
	}
	history, err := s.History(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for i := range history {
		if i >= len(entries) || sayEntry(&history[i]) != entries[i] {
			t.Fatalf("%s, entry %d: got %s", id, i+1, sayEntry(&history[i]))
		}
	}
	if len(history) != len(want) {
		t.Fatalf("%s: expected %d entries, got %d", id, len(want), len(history))
	}
}

// say returns all data of a version as text, for comparison.
func say(s *workspace.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d\nfacts %s\ndraft %s\nui %s\nlocks %q\n", s.ID, s.Version, s.Facts, s.Draft, s.UI, s.Locks)
	for _, p := range s.Proposals {
		fmt.Fprintf(&b, "proposal %s %s %+v %q %s\n", p.ID, p.Patch, p.By, p.Why, p.Time.Format(time.RFC3339Nano))
	}
	return b.String() + sayEntry(&s.Entry)
}

func sayEntry(e *workspace.Entry) string {
	return fmt.Sprintf("entry %d %s %+v %s %d %s %q %q %d %q", e.Version, e.Kind, e.By, e.Time.Format(time.RFC3339Nano), e.Base,
		e.Patch, e.Path, e.Proposal, e.To, e.Why)
}

// expectKind reports a test error unless err is a *callwright.Error of kind want.
func expectKind(t *testing.T, err error, want callwright.Kind) {
	t.Helper()
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Kind != want {
		t.Errorf("expected an error of kind %s, got %v", want, err)
	}
}

func unknown(t *testing.T, s workspace.Store) {
	expect(t, s, id, nil)
	one := save(t, s, state(id, 1, `1`))
	expect(t, s, id+"0", nil)
	expect(t, s, id, []*workspace.State{one})
	for _, version := range []uint64{2, 1 << 63, 1<<64 - 1} {
		_, err := s.Load(t.Context(), id, version)
		expectKind(t, err, callwright.KindNotFound)
	}
}

// exact lists JSON documents that a store must return byte for byte.
var exact = []string{
	`{"id":12345678901234567890123456789,"price":1.10,"e":1E+2,"zero":-0,"huge":1e400}`,
	`"Köln 東京 🚄 \u00e9 \/ \u2028"`,
	"\"\u2028 \u2029 \u007f <b>&amp;</b>\"",
	`{"z":1,"a":{"":null,"\u0061\"\\":[]}}`,
	`null`, `true`, `0`, `""`, `[]`, `{}`,
	`"\u0000\ud800"`,
	strings.Repeat("[", 500) + strings.Repeat("]", 500),
}

func content(t *testing.T, s workspace.Store) {
	var want []*workspace.State
	for i, text := range exact {
		st := state(id, uint64(i+1), text)
		st.Facts, st.UI, st.Entry.Patch = json.RawMessage(text), json.RawMessage(text), json.RawMessage(text)
		st.Locks = []string{"", "/a~1b/0", "/<é> \n\x00\u2028"}
		st.Proposals = []workspace.Proposal{{ID: "p1", Patch: json.RawMessage(text), By: person, Time: at,
			Why: "because \"<>\""}, {ID: "p2", Patch: json.RawMessage(`[]`)}}
		want = append(want, save(t, s, st))
		expect(t, s, id, want)
	}
	bare := &workspace.State{ID: id, Version: uint64(len(want) + 1), Facts: json.RawMessage(`{}`), Draft: json.RawMessage(`null`)}
	bare.Entry.Version = bare.Version
	full := state(id, bare.Version+1, `1`)
	full.Entry.Edit = workspace.Edit{Kind: "<kind> \n\x00", By: workspace.Author{Actor: "\u2028", Name: "\"é\" \\"},
		Time: at.UTC(), Base: 7, Path: "/a\n", Proposal: "p7", To: 1<<64 - 1, Why: "\u2029"}
	want = append(want, save(t, s, bare), save(t, s, full))
	expect(t, s, id, want)
}

func copies(t *testing.T, s workspace.Store) {
	full := func() *workspace.State {
		st := state(id, 1, `{"a":1}`)
		st.UI, st.Locks = json.RawMessage(`{"a":1}`), []string{"/a"}
		st.Proposals = []workspace.Proposal{{ID: "p1", Patch: json.RawMessage(`{"a":1}`)}}
		return st
	}
	spoil := func(st *workspace.State) {
		for _, v := range []json.RawMessage{st.Facts, st.Draft, st.UI, st.Entry.Patch, st.Proposals[0].Patch} {
			copy(v, `[7,7,7]`)
		}
		st.Locks[0], st.Proposals[0].ID = "/b", "p2"
		st.Locks = append(st.Locks, "/c")
	}
	given := full()
	save(t, s, given)
	spoil(given)
	want := []*workspace.State{full()}
	expect(t, s, id, want)
	got, err := s.Load(t.Context(), id, 0)
	if err != nil {
		t.Fatal(err)
	}
	spoil(got)
	history, err := s.History(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	copy(history[0].Patch, `77`)
	history[0].Why = "other"
	expect(t, s, id, want)
}

func conflict(t *testing.T, s workspace.Store) {
	refused := func(version uint64) {
		t.Helper()
		expectKind(t, s.Save(t.Context(), state(id, version, `"refused"`)), callwright.KindConflict)
	}
	refused(2)
	expect(t, s, id, nil)
	var want []*workspace.State
	for version := range uint64(3) {
		want = append(want, save(t, s, state(id, version+1, `1`)))
	}
	for _, version := range []uint64{1, 2, 3, 5, 1 << 63, 1<<64 - 1} {
		refused(version)
	}
	expect(t, s, id, want)
	expect(t, s, id, append(want, save(t, s, state(id, 4, `4`))))
}

func testCancellation(t *testing.T, s workspace.Store) {
	want := []*workspace.State{save(t, s, state(id, 1, `1`))}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, loaded := s.Load(ctx, id, 0)
	_, told := s.History(ctx, id)
	ended := []error{s.Save(ctx, state(id, 2, `2`)), loaded, told}
	if lister, ok := s.(workspace.Lister); ok {
		_, err := lister.List(ctx)
		ended = append(ended, err)
	}
	for _, err := range ended {
		expectKind(t, err, callwright.KindCanceled)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("expected the context's error inside, got %v", err)
		}
	}
	expect(t, s, id, want)
}

// spoilt lists changes that make a state invalid. Save must reject each of them with KindInvalid.
var spoilt = map[string]func(st *workspace.State){
	"no version":        func(st *workspace.State) { st.Version, st.Entry.Version = 0, 0 },
	"another entry":     func(st *workspace.State) { st.Entry.Version++ },
	"no draft":          func(st *workspace.State) { st.Draft = nil },
	"no facts":          func(st *workspace.State) { st.Facts = nil },
	"broken facts":      func(st *workspace.State) { st.Facts = json.RawMessage(`{`) },
	"two documents":     func(st *workspace.State) { st.Draft = json.RawMessage(`1,"x":2`) },
	"space":             func(st *workspace.State) { st.Draft = json.RawMessage(`[1, 2]`) },
	"a line end":        func(st *workspace.State) { st.UI = json.RawMessage("{}\n") },
	"a broken patch":    func(st *workspace.State) { st.Entry.Patch = json.RawMessage(`[`) },
	"a broken proposal": func(st *workspace.State) { st.Proposals = []workspace.Proposal{{ID: "p1"}} },
	"no UTF-8":          func(st *workspace.State) { st.Draft = json.RawMessage("\"\xff\"") },
	"a lock in no UTF-8": func(st *workspace.State) {
		st.Locks = []string{"/\xff"}
	},
	"a name in no UTF-8": func(st *workspace.State) { st.Entry.By.Name = "\xff" },
	"a far time":         func(st *workspace.State) { st.Entry.Time = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) },
	"a very deep draft":  func(st *workspace.State) { st.Draft = bytes.Repeat([]byte("["), 100_000) },
}

// refusedIDs lists invalid workspace IDs.
var refusedIDs = []workspace.ID{
	"", "ws_", "ws", "WS_1", "ws_A", "ws_\x00", "ws_1\x00", "\x00ws_1", "../x", "ws_../x", "ws_..", "ws_.", "ws_a/b", "a/b", "/ws_1", "./ws_1",
	`ws_a\b`, `..\x`, "ws_a b", "ws_1 ", " ws_1", "ws_1\n", "ws_é", "ws_\xff", "ws_1.json", "ws_a:b", "ws_*", "ws_~", "ws_%2e%2e", "run_1",
	workspace.ID("ws_" + strings.Repeat("a", 65)), workspace.ID(strings.Repeat("ws_", 1<<14)),
}

func invalid(t *testing.T, s workspace.Store) {
	for name, spoil := range spoilt {
		st := state(id, 1, `1`)
		spoil(st)
		if err := s.Save(t.Context(), st); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%s: expected a refusal, got %v", name, err)
		}
	}
	expect(t, s, id, nil)
	for _, bad := range refusedIDs {
		_, loaded := s.Load(t.Context(), bad, 0)
		_, told := s.History(t.Context(), bad)
		for _, err := range []error{loaded, told, s.Save(t.Context(), state(bad, 1, `1`))} {
			expectKind(t, err, callwright.KindInvalid)
		}
	}
	long := workspace.ID("ws_" + strings.Repeat("z", 64))
	expect(t, s, long, []*workspace.State{save(t, s, state(long, 1, `1`))})
}

func apart(t *testing.T, s workspace.Store) {
	ids := []workspace.ID{"ws_-", "ws_--", "ws_0", "ws_00", "ws__", "ws_a", "ws_a_", "ws_aa", "ws_ab", "ws_ws_a"}
	want := map[workspace.ID][]*workspace.State{}
	for version := range uint64(3) {
		for _, id := range ids {
			want[id] = append(want[id], save(t, s, state(id, version+1, `"`+string(id)+strings.Repeat("+", int(version))+`"`)))
		}
	}
	for _, id := range ids {
		expect(t, s, id, want[id])
	}
}

func listing(t *testing.T, s workspace.Store) {
	lister, ok := s.(workspace.Lister)
	if !ok {
		t.Skip("it lists no workspaces")
	}
	list := func(want ...workspace.ID) {
		t.Helper()
		got, err := lister.List(t.Context())
		if err != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("expected %v, got %v and %v", want, got, err)
		}
	}
	list()
	_ = s.Save(t.Context(), state(id, 7, `"refused"`))
	_, _ = s.Load(t.Context(), id, 0)
	list()
	for _, id := range []workspace.ID{"ws_b", "ws_a", "ws_c0", "ws_c"} {
		save(t, s, state(id, 1, `1`))
	}
	save(t, s, state("ws_a", 2, `2`))
	list("ws_c0", "ws_c", "ws_b", "ws_a")
}

func large(t *testing.T, s workspace.Store) {
	want := []*workspace.State{
		state(id, 1, `1`),
		state(id, 2, `"`+strings.Repeat("0123456789abcdef", 1<<16)+`"`),
		state(id, 3, `[`+strings.Repeat("1234567890,", 1<<16)+`0]`),
		state(id, 4, `2`),
	}
	want[2].Entry.Patch = want[1].Draft
	for _, st := range want {
		save(t, s, st)
	}
	expect(t, s, id, want)
}
