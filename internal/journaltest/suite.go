package journaltest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// run is the run ID used by tests that need only one run.
const run agent.RunID = "run_0197f0c2-7a1e-7b44-9d52-3f1f0a6f2c11"

// laws lists the tests of the suite: each checks one behaviour that all journals must have.
var laws = []struct {
	name string
	test func(t *testing.T, j agent.Journal)
}{
	{"unknown", unknown},
	{"content", content},
	{"copies", copies},
	{"conflict", conflict},
	{"model", model},
	{"racers", racers},
	{"workers", workers},
	{"deciders", deciders},
	{"apart", apart},
	{"listing", listing},
	{"canceled", testCancellation},
	{"ids", ids},
	{"entries", entries},
	{"large", large},
}

// Run tests a journal. Each call of open returns a new empty journal and registers the function that closes it with
// t.Cleanup.
func Run(t *testing.T, open func(t *testing.T) agent.Journal) {
	t.Helper()
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) { law.test(t, open(t)) })
	}
}

// at is the time of all entries. It has nanoseconds and a time zone other than UTC, which journals must preserve.
var at = time.Date(2026, 3, 29, 1, 59, 59, 123456789, time.FixedZone("", 3600))

func entry(data string) agent.Entry {
	return agent.Entry{Kind: "test", Time: at, Call: "call_1", Data: json.RawMessage(data)}
}

// add appends an entry and fails the test on an error.
func add(t *testing.T, j agent.Journal, id agent.RunID, prev uint64, e agent.Entry) {
	t.Helper()
	if last, err := j.Append(t.Context(), id, prev, e); err != nil || last != prev+1 {
		t.Fatalf("append after %d: expected %d, got %d and %v", prev, prev+1, last, err)
	}
}

// expect fails the test unless the run has exactly the entries want.
func expect(t *testing.T, j agent.Journal, id agent.RunID, want []agent.Entry) {
	t.Helper()
	got, last, err := j.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) || last != uint64(len(want)) {
		t.Fatalf("%s: expected %d entries, got %d and the number %d", id, len(want), len(got), last)
	}
	for i := range got {
		if !same(got[i], want[i]) {
			t.Fatalf("%s, entry %d: expected %.300s, got %.300s", id, i+1, say(want[i]), say(got[i]))
		}
	}
}

func same(a, b agent.Entry) bool {
	return a.Kind == b.Kind && a.Call == b.Call && a.Time.Equal(b.Time) && bytes.Equal(a.Data, b.Data)
}

func say(e agent.Entry) string {
	return strings.Join([]string{string(e.Kind), e.Time.Format(time.RFC3339Nano), e.Call, string(e.Data)}, " ")
}

// expectKind reports a test error unless err is a *callwright.Error of kind want.
func expectKind(t *testing.T, err error, want callwright.Kind) {
	t.Helper()
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Kind != want {
		t.Errorf("expected an error of kind %s, got %v", want, err)
	}
}

func unknown(t *testing.T, j agent.Journal) {
	expect(t, j, run, nil)
	add(t, j, run, 0, entry(`1`))
	expect(t, j, run+"0", nil)
}

// exact lists values of Entry.Data that a journal must return byte for byte.
var exact = []string{
	`{"id":12345678901234567890123456789,"price":1.10,"e":1E+2,"zero":-0}`,
	`{"z":1,"a":2,"a":3}`,
	`"Köln 東京 🚄 \u00e9 \/ \u2028"`,
	"\"\u2028 \u2029 \u007f <b>&amp;</b>\"",
	`{ "spaced" :  [ 1, 2 ] }`,
	" \n{\n\t\"lines\": \"\\n\"\r\n}\n",
	`null`, `true`, `0`, `""`, `[]`, `{}`,
	`"\u0000\ud800"`,
	"\"not UTF-8: \xff\"",
	strings.Repeat("[", 9999) + strings.Repeat("]", 9999),
	"",
}

func content(t *testing.T, j agent.Journal) {
	var want []agent.Entry
	for _, data := range exact {
		want = append(want, entry(data))
	}
	want = append(want,
		agent.Entry{Kind: "nothing", Time: at},
		agent.Entry{},
		agent.Entry{Kind: "<kind> \n\x00", Time: at.UTC(), Call: "call \"é\" \u2028 \\ \n", Data: json.RawMessage(`{}`)},
		agent.Entry{Kind: "now", Time: time.Now()},
	)
	for i, s := range want {
		add(t, j, run, uint64(i), s)
		expect(t, j, run, want[:i+1])
	}
}

func copies(t *testing.T, j agent.Journal) {
	given := entry(`{"a":1}`)
	add(t, j, run, 0, given)
	copy(given.Data, `{"x":9}`)
	want := []agent.Entry{entry(`{"a":1}`)}
	expect(t, j, run, want)
	got, _, err := j.Load(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	copy(got[0].Data, `{"x":9}`)
	got[0].Kind = "other"
	_ = append(got, entry(`2`))
	expect(t, j, run, want)
}

func conflict(t *testing.T, j agent.Journal) {
	refused := func(prev uint64) {
		t.Helper()
		last, err := j.Append(t.Context(), run, prev, entry(`"refused"`))
		expectKind(t, err, callwright.KindConflict)
		if last != 0 {
			t.Errorf("a conflict returned %d", last)
		}
	}
	refused(1)
	expect(t, j, run, nil)
	var want []agent.Entry
	for i := range uint64(3) {
		want = append(want, entry(`1`))
		add(t, j, run, i, want[i])
	}
	for _, prev := range []uint64{0, 1, 2, 4, 1 << 63, 1<<64 - 1} {
		refused(prev)
	}
	expect(t, j, run, want)
	add(t, j, run, 3, entry(`4`))
}

func testCancellation(t *testing.T, j agent.Journal) {
	add(t, j, run, 0, entry(`1`))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := j.Append(ctx, run, 1, entry(`2`))
	ended := []error{err}
	_, _, err = j.Load(ctx, run)
	ended = append(ended, err)
	if lister, ok := j.(agent.RunLister); ok {
		_, err = lister.Runs(ctx)
		ended = append(ended, err)
	}
	for _, err := range ended {
		expectKind(t, err, callwright.KindCanceled)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("expected the context's error inside, got %v", err)
		}
	}
	expect(t, j, run, []agent.Entry{entry(`1`)})
}

func large(t *testing.T, j agent.Journal) {
	want := []agent.Entry{
		entry(`1`),
		entry(`"` + strings.Repeat("0123456789abcdef", 1<<16) + `"`),
		entry(`[` + strings.Repeat("1234567890,\n", 1<<16) + `0]`),
		entry(`2`),
	}
	for i, s := range want {
		add(t, j, run, uint64(i), s)
	}
	expect(t, j, run, want)
}
