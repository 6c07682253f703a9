package trace_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// TestTorn: wherever a file ends, the entries before are read, and a line that is not whole is told from one that is broken.
func TestTorn(t *testing.T) {
	file, err := os.ReadFile("testdata/weather.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all, err := trace.ReadAll(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	diffed := 0
	for end := range file {
		got, err := trace.ReadAll(bytes.NewReader(file[:end]))
		whole := bytes.Count(file[:end], []byte("\n"))
		if file[end] == '\n' {
			whole++ // the line lacks nothing but its end
		}
		torn := file[end] != '\n' && end > 0 && file[end-1] != '\n'
		if len(got) != whole || errors.Is(err, trace.ErrTorn) != torn || (err == nil) == torn {
			t.Fatalf("cut at %d: %d entries of %d, %v", end, len(got), whole, err)
		}
		if whole > diffed {
			if diff := cmp.Diff(all[:whole], got, sameText); diff != "" {
				t.Fatal(diff)
			}
			diffed = whole
		}
	}
}

// sameText compares errors by their text.
var sameText = cmp.Comparer(func(a, b *callwright.Error) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error())
})

// TestBrokenLine: an error names the line and the member, and what stands behind it is read.
func TestBrokenLine(t *testing.T) {
	const sound = `{"trace":1,"seq":1,"time":"2026-07-01T12:00:00Z","kind":"note","data":{"a": 1.0}}`
	for _, c := range []struct{ line, path, says string }{
		{`{"trace":1,`, "", "line 2: "},
		{``, "", "line 2: "},
		{`[]`, "", "line 2: "},
		{`{"trace":2,"kind":"a"}`, "/trace", `line 2: expected version 1, got "2"`},
		{`{"seq":1}`, "/trace", `got ""`},
		{`{"trace":1,"seq":1}`, "/kind", "missing"},
		{`{"trace":1,"kind":"a","other":1}`, "", `line 2: json: unknown field "other"`},
	} {
		n := 0
		for e, err := range trace.Read(strings.NewReader(sound + "\n" + c.line + "\n" + sound + "\n")) {
			if n++; n != 2 {
				if err != nil || string(e.Data) != `{"a": 1.0}` {
					t.Errorf("%s: %v %s", c.line, err, e.Data)
				}
				continue
			}
			broken, ok := errors.AsType[*callwright.Error](err)
			if !ok || broken.Path != c.path || !strings.Contains(broken.Message, c.says) || errors.Is(err, trace.ErrTorn) {
				t.Errorf("%s: %v", c.line, err)
			}
		}
		if n != 3 {
			t.Errorf("%s: %d lines", c.line, n)
		}
	}
}

// TestLongLine: a line without end is neither kept nor written.
func TestLongLine(t *testing.T) {
	long := io.LimitReader(letters{}, trace.MaxLine+trace.MaxLine/4)
	n := 0
	for _, err := range trace.Read(io.MultiReader(long, strings.NewReader("\n"+`{"trace":1,"kind":"a"}`))) {
		n++
		if want := map[int]callwright.Kind{1: callwright.KindTooLarge, 2: ""}[n]; callwright.KindOf(err) != want {
			t.Errorf("line %d: %v", n, err)
		}
	}
	if n != 2 {
		t.Errorf("%d lines", n)
	}
	var out bytes.Buffer
	w := trace.NewWriter(&out)
	if err := w.Append(trace.Entry{Kind: "a", Data: bytes.Repeat([]byte("a"), trace.MaxLine)}); callwright.KindOf(err) != callwright.KindTooLarge || out.Len() != 0 {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
	if err := w.Append(trace.Entry{Kind: "a"}); err != nil || !strings.Contains(out.String(), `"seq":1,`) {
		t.Errorf("the next: %v %s", err, out.String())
	}
}

// letters reads as one letter without end.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}

// A full disk takes only so many bytes.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	n := min(len(p), f.left)
	f.left -= n
	if n < len(p) {
		return n, errors.New("no space left")
	}
	return n, nil
}

// TestFull: after a part of a line nothing more is written, the error stays, and the model answers all the same.
func TestFull(t *testing.T) {
	w := trace.NewWriter(&full{left: 300})
	resp, err := trace.Record(&scripted{resp: answer()}, w).Generate(context.Background(), ask())
	if err != nil || resp == nil || w.Err() == nil {
		t.Errorf("%v, %v, %v", resp, err, w.Err())
	}
	if err := w.Append(trace.Entry{Kind: "a"}); !errors.Is(err, w.Err()) {
		t.Errorf("appended: %v", err)
	}
	w = trace.NewWriter(io.Discard)
	if err := w.Append(trace.Entry{}); callwright.KindOf(err) != callwright.KindInvalid || w.Err() == nil {
		t.Errorf("without a kind: %v", err)
	}
}

// TestConcurrent: entries of many goroutines are whole lines, numbered in their order.
func TestConcurrent(t *testing.T) {
	const workers, each = 8, 20
	var out bytes.Buffer
	w := trace.NewWriter(&out)
	m := trace.Record(model{}, w)
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() {
			for range each {
				_, _ = m.Generate(context.Background(), ask())
				for range m.Stream(context.Background(), ask()) {
				}
				_ = w.Append(trace.Entry{Kind: trace.KindCall, ID: fmt.Sprint(i)})
			}
		})
	}
	all.Wait()
	entries, err := trace.ReadAll(&out)
	if err != nil || w.Err() != nil {
		t.Fatal(err, w.Err())
	}
	ids := map[string]int{}
	for i, e := range entries {
		if e.Seq != uint64(i+1) {
			t.Fatalf("entry %d has the number %d", i+1, e.Seq)
		}
		if e.Kind == trace.KindRequest || e.Kind == trace.KindAnswer {
			ids[e.ID]++
		}
	}
	if len(ids) != 2*workers*each {
		t.Errorf("%d ids", len(ids))
	}
	for id, n := range ids {
		if n != 2 {
			t.Errorf("%d entries with the id %s", n, id)
		}
	}
}

// FuzzRead: whatever is read does not panic, and an entry that was read is written and read as the same.
func FuzzRead(f *testing.F) {
	f.Fuzz(func(t *testing.T, b []byte) {
		var entries, written []trace.Entry
		var out bytes.Buffer
		w := trace.NewWriter(&out)
		for e, err := range trace.Read(bytes.NewReader(b)) {
			if err != nil {
				continue
			}
			entries = append(entries, e)
			_, _ = e.ProviderAnswer()
			_, _ = e.Facts()
			if w.Append(e) == nil { // a time may be none that can be written
				written = append(written, e)
			}
		}
		_, _ = trace.NewPlayer(entries)
		_, _ = trace.NewTransport(entries)
		back, err := trace.ReadAll(&out)
		if err != nil || len(back) != len(written) {
			t.Fatalf("%d entries of %d, %v", len(back), len(written), err)
		}
		for i, e := range back {
			if was := written[i]; e.Kind != was.Kind || e.ID != was.ID || !bytes.Equal(e.Data, was.Data) || !bytes.Equal(e.Body, was.Body) {
				t.Fatalf("%v comes back as %v", was, e)
			}
		}
	})
}
