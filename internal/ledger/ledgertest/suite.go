// Package ledgertest tests implementations of [ledger.Store].
package ledgertest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/ledger"
)

// Run tests a Store. open returns the store. The store may contain rows of days that the test does not use. lag is the
// maximum time after which a written row is read, 0 for a store in one process.
func Run(t *testing.T, lag time.Duration, open func(t *testing.T) ledger.Store) {
	s := open(t)
	row := func(day, key, model string, n int64) ledger.Row {
		return ledger.Row{Day: day, Key: key, Model: model, Requests: n, Input: 10 * n, Output: n}
	}
	write := func(day, key string, rows ...ledger.Row) {
		t.Helper()
		if err := s.Write(t.Context(), day, key, rows); err != nil {
			t.Fatal(err)
		}
	}
	read := func(from, to string) (out []string) {
		t.Helper()
		if err := s.Read(t.Context(), from, to, func(r ledger.Row) {
			out = append(out, fmt.Sprint(r.Day, " ", r.Key, " ", r.Model, " ", r.Requests, " ", r.Input))
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(out)
		return out
	}
	if got := read("2031-01-01", "2031-01-31"); len(got) > 0 {
		t.Errorf("before anything was written: got %q", got)
	}
	write("2031-01-01", "ci", row("2031-01-01", "ci", "m", 1))
	write("2031-01-01", "\x00 any / name", row("2031-01-01", "\x00 any / name", "m", 5))
	write("2031-01-02", "ci", row("2031-01-02", "ci", "m", 2), row("2031-01-02", "ci", "n", 3))
	write("2031-01-01", "ci", row("2031-01-01", "ci", "m", 4)) // replaces the first row
	write("2031-01-05", "ci", row("2031-01-05", "ci", "m", 9))
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"2031-01-01", "2031-01-01", []string{"2031-01-01 \x00 any / name m 5 50", "2031-01-01 ci m 4 40"}},
		{"2031-01-02", "2031-01-04", []string{"2031-01-02 ci m 2 20", "2031-01-02 ci n 3 30"}},
		{"2030-12-30", "2031-01-31", []string{"2031-01-01 \x00 any / name m 5 50", "2031-01-01 ci m 4 40",
			"2031-01-02 ci m 2 20", "2031-01-02 ci n 3 30", "2031-01-05 ci m 9 90"}},
		{"2031-01-03", "2031-01-04", nil},
	} {
		got := read(c.from, c.to)
		for end := time.Now().Add(lag); !slices.Equal(got, c.want) && time.Now().Before(end); got = read(c.from, c.to) {
			time.Sleep(50 * time.Millisecond) // a new leader of a cluster may lack the last writes for a moment
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s to %s: got %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
