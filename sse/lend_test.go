package sse_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwright/callwright/sse"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A lender lends memory of a size and overwrites what comes back.
type lender struct {
	t    *rapid.T
	size int
	out  int
}

func (l *lender) get() []byte {
	l.out++
	return make([]byte, l.size)
}

func (l *lender) put(b []byte) {
	if len(b) != l.size {
		l.t.Errorf("%d bytes came back of %d", len(b), l.size)
	}
	for i := range b {
		b[i] = 0xff
	}
	l.out--
}

// waiting is a source that tells when it waits.
type waiting struct {
	io.Reader
	wait func()
}

func (w waiting) Wait() { w.wait() }

// Memory that was lent makes no difference to the events, is not held while the source is waited for, and is returned once.
func TestLend(t *testing.T) {
	var all strings.Builder
	for _, tt := range eventCases {
		all.WriteString(tt.in)
	}
	text := all.String()
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(0, len(text)-1).Draw(t, "from")
		in := text[from:rapid.IntRange(from, len(text)).Draw(t, "to")]
		sizes := rapid.SliceOfN(rapid.IntRange(1, 200), 1, 8).Draw(t, "pieces")
		want, _ := readAll(sse.NewReader(&pieces{text: in, sizes: sizes}))
		l := &lender{t: t, size: rapid.IntRange(2, 300).Draw(t, "memory")}
		src := waiting{&pieces{text: in, sizes: sizes}, func() {
			if l.out != 0 {
				t.Error("memory is held while the source is waited for")
			}
		}}
		r := sse.NewReader(src, sse.Lend(l.get, l.put))
		got, err := readAll(r)
		if diff := cmp.Diff(want, got); err != io.EOF || diff != "" {
			t.Errorf("error %v, without lent memory (-), with it (+):\n%s", err, diff)
		}
		r.Release()
		r.Release()
		if l.out != 0 {
			t.Errorf("%d pieces of memory are out at the end", l.out)
		}
	})
}

// A source that cannot tell when there is something keeps the Reader's memory lent.
func TestLendWithoutWait(t *testing.T) {
	text := strings.Repeat("data: a\n\n", 100)
	lent, back := 0, 0
	r := sse.NewReader(iotest.OneByteReader(bytes.NewReader([]byte(text))), sse.Lend(func() []byte { lent++; return make([]byte, 64) }, func([]byte) { back++ }))
	if list, err := readAll(r); len(list) != 100 || err != io.EOF {
		t.Errorf("%d events, error %v", len(list), err)
	}
	if r.Release(); lent != 1 || back != 1 {
		t.Errorf("lent %d times, returned %d times", lent, back)
	}
}
