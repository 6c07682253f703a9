package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A told is what a log tells of its requests.
type told struct {
	Listed  []trace.Summary
	Entries map[string][]string // their kinds and sizes
}

func tell(t *testing.T, r trace.LogReader, ids ...string) told {
	t.Helper()
	list, err := r.List(context.Background(), trace.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].Entries = 0 // of what a crash cut they are not counted
	}
	out := told{list, map[string][]string{}}
	for _, id := range ids {
		entries, err := r.Entries(context.Background(), id)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		for _, e := range entries {
			out.Entries[id] = append(out.Entries[id], fmt.Sprint(e.Kind, " ", len(e.Data)))
		}
	}
	return out
}

// interleaved has requests in a folder that run at the same time, the last of which does not end. Files turn while they run.
func interleaved(t *testing.T, dir string) (ids []string, want told) {
	t.Helper()
	now := time.Date(2026, 3, 29, 1, 59, 59, 0, time.UTC)
	f, err := trace.OpenFolder(dir, func() time.Time { return now }, trace.LogLimits{Bytes: 1 << 20, Age: -1}) // files are as small as they may be
	if err != nil {
		t.Fatal(err)
	}
	const requests, ahead = 12, 3
	put := func(i int, kind trace.Kind, data string) {
		e := trace.Entry{Kind: kind, ID: ids[i], Time: now.Add(time.Duration(i) * time.Second), Data: json.RawMessage(data)}
		if kind == trace.KindRequest {
			e.Model = "lab/one"
		}
		if err := f.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	for i := range requests + ahead {
		if i < requests {
			ids = append(ids, fmt.Sprintf("rep_%d", i))
			put(i, trace.KindRequest, `{"messages":[]}`)
			put(i, trace.KindSent, `"`+strings.Repeat("x", 15_000)+`"`)
		}
		if i >= ahead && i-ahead < requests-1 {
			put(i-ahead, trace.KindReceived, `{"status":200}`)
			put(i-ahead, trace.KindAnswer, `{"report":{"untouched":true}}`)
		}
	}
	want = tell(t, f, ids...)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if len(want.Listed) != requests || want.Listed[0].Outcome != outcome.Unfinished || want.Listed[1].Outcome != outcome.Passed {
		t.Fatalf("got %+v", want.Listed)
	}
	for i, id := range ids[:requests-1] {
		if n := len(want.Entries[id]); n != 4 {
			t.Fatalf("request %d has %d entries", i, n)
		}
	}
	return ids, want
}

// Whoever reads a folder gets the same as the program that writes it, wherever a crash cut an index, and without any.
func TestFolderWithoutItsIndex(t *testing.T) {
	dir := t.TempDir()
	ids, want := interleaved(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.index"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	check := func(what string) {
		t.Helper()
		if d := cmp.Diff(want, tell(t, trace.NewFolderReader(dir, nil, trace.LogLimits{Age: -1}), ids...), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("%s (-want +got)\n%s", what, d)
		}
	}
	check("another program")
	for _, name := range files {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range cuts(whole) {
			if err := os.WriteFile(name, whole[:cut], 0o600); err != nil {
				t.Fatal(err)
			}
			check(fmt.Sprintf("%s cut to %d of %d bytes", filepath.Base(name), cut, len(whole)))
		}
		if err := os.WriteFile(name, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range files[:1] { // a request that began in it and ended in the next is known there
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	check("without the first index")
}

// Keys say where to look and nothing else: without them, with some of them and with such as let everything through the same is found.
func TestFolderWithoutItsKeys(t *testing.T) {
	dir := t.TempDir()
	ids, want := interleaved(t, dir)
	files, err := filepath.Glob(filepath.Join(dir, "*.keys"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		begin := bytes.IndexByte(whole, '\n') + 1
		open := bytes.Clone(whole)
		for at := begin; at < len(open); at += 56 {
			copy(open[at+32:at+56], bytes.Repeat([]byte{0xff}, 24))
		}
		forms := [][]byte{nil, []byte("another form\n"), append(bytes.Clone(whole), whole[begin:]...), open}
		for cut := begin; cut <= len(whole); cut += 28 {
			forms = append(forms, whole[:cut])
		}
		for i, form := range append(forms, whole) {
			if err := os.WriteFile(name, form, 0o600); err != nil {
				t.Fatal(err)
			}
			r := trace.NewFolderReader(dir, nil, trace.LogLimits{Age: -1})
			if d := cmp.Diff(want, tell(t, r, ids...), cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("%s, form %d (-want +got)\n%s", filepath.Base(name), i, d)
			}
			for _, q := range []trace.Query{{Model: "lab/two"}, {Rule: "json.*"}, {Outcome: outcome.Failed}, {Before: time.Date(2, 1, 1, 0, 0, 0, 0, time.UTC)}, {Since: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)}} {
				if got, err := r.List(t.Context(), q); err != nil || len(got) > 0 {
					t.Errorf("%+v: %v and %v", q, got, err)
				}
			}
		}
	}
}

// cuts are places at which a crash may end a file: at each line, before its end, and inside. Its beginning is written at once, with what the file before handed on.
func cuts(text []byte) []int {
	at := 0
	for line := range bytes.Lines(text) {
		if at > 0 && !bytes.Contains(line, []byte(".jsonl@")) {
			break
		}
		at += len(line)
	}
	for out := []int{at}; ; {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return out
		}
		out = append(out, at+n/2, at+n, at+n+1)
		at += n + 1
	}
}

// One file of lines, as serve writes it without a folder, is read like a folder.
func TestReadOneFileAsALog(t *testing.T) {
	var out bytes.Buffer
	m := trace.Record(&scripted{resp: &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Hello."}}}}, trace.NewWriter(&out))
	for _, id := range []string{"rep_1", "rep_2"} {
		if _, err := m.Generate(t.Context(), &callwright.Request{Model: "m", Attached: &companion.Companion{ReportID: id}, Messages: []callwright.Message{callwright.UserText("Hi")}}); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "trace.jsonl")
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got := tell(t, trace.NewFolderReader(name, nil, trace.LogLimits{}), "rep_1", "rep_2")
	if len(got.Listed) != 2 || got.Listed[0].ID != "rep_2" || got.Listed[1].Outcome != outcome.Answered {
		t.Errorf("got %+v", got.Listed)
	}
	for id, entries := range got.Entries {
		if len(entries) != 4 || !strings.HasPrefix(entries[0], "model") || !strings.HasPrefix(entries[3], "answer") {
			t.Errorf("%s: got %v", id, entries)
		}
	}
}

// BenchmarkFolder opens a folder with 100,000 requests, reads one of the first and lists the latest, those that failed, which is one of 20,000, and
// those of a rule and a model that none has.
func BenchmarkFolder(b *testing.B) {
	dir := b.TempDir()
	f, err := trace.OpenFolder(dir, nil, trace.LogLimits{})
	if err != nil {
		b.Fatal(err)
	}
	report := `{"report":{"attempts":[{"model":"lab/one"}],"notes":[{"rule":"json.trailing_comma"},{"rule":"dialect.hermes"}],"mode":"native"},"text":"` + strings.Repeat("x", 2000) + `"}`
	for i := range 100_000 {
		id := fmt.Sprintf("rep_0199c0de5a7f7000a3f1c2d4%08x", i)
		asked := trace.Entry{Kind: trace.KindRequest, ID: id, Time: time.Now(), Model: "lab/one", Data: json.RawMessage(`{"messages":[{"text":"` + strings.Repeat("x", 2000) + `"}]}`)}
		ended := trace.Entry{Kind: trace.KindAnswer, ID: id, Time: time.Now(), Duration: time.Second, Data: json.RawMessage(report)}
		if i%20_000 == 7 {
			ended.Kind, ended.Failure = trace.KindError, &callwright.Error{Kind: callwright.KindTimeout, Message: "no answer"}
		}
		for _, e := range []trace.Entry{asked, ended} {
			for err := trace.ErrFull; err != nil; {
				err = f.Append(e)
			}
		}
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			f, err := trace.OpenFolder(dir, nil, trace.LogLimits{})
			if err != nil {
				b.Fatal(err)
			}
			_ = f.Close()
		}
	})
	for name, q := range map[string]trace.Query{"latest": {}, "failed": {Outcome: outcome.Failed}, "rule": {Rule: "coerce.*"}, "other": {Model: "lab/two"}} {
		b.Run(name, func(b *testing.B) {
			r := trace.NewFolderReader(dir, nil, trace.LogLimits{})
			for b.Loop() {
				if _, err := r.List(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("one", func(b *testing.B) {
		r := trace.NewFolderReader(dir, nil, trace.LogLimits{})
		for b.Loop() {
			if _, err := r.Entries(b.Context(), "rep_0199c0de5a7f7000a3f1c2d400000010"); err != nil {
				b.Fatal(err)
			}
		}
	})
}
