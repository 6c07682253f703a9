// Package remedystat keeps how often each remedy healed a model's answers after each kind of failure, as the text of
// one fact, and orders remedies by that. A remedy is a change in the request of a self-correction.
//
// The text has a word for each pair of a failure and a remedy:
//
//	arguments/choice=3-1@20785 loop/penalty=2-0@20785
//
// The numbers are the corrections after which the answer stood and those after which it failed again, and the day of
// the last one, counted from 1970.
package remedystat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/countformat"
	"github.com/callwright/callwright/internal/modestat"
)

// Fact is the key of the fact.
const Fact = "remedy_success"

// Window is how many corrections of a pair count: each correction takes away the 32nd part of those before it.
const Window = 32

// MaxAge is how long a pair without corrections stays known, as of modes.
const MaxAge = modestat.MaxAge

// MaxRows bounds the pairs of a table. There are some 40 of the failures and remedies that exist.
const MaxRows = 128

// A Row is the corrections with one remedy after one kind of failure.
type Row struct {
	Failure, Remedy string
	Helped          float64 // corrections after which the answer stood
	Failed          float64 // corrections after which it failed again
	Day             int     // of the last correction, counted from 1970 in UTC; 0 where it is not known
}

// Corrections is how many corrections there are.
func (r *Row) Corrections() float64 { return r.Helped + r.Failed }

// String says it for people: "helped after 3 of 4 corrections".
func (r *Row) String() string {
	return fmt.Sprintf("helped after %.0f of %.0f corrections", math.Round(r.Helped), math.Round(r.Corrections()))
}

// estimate is the mean of the beta distribution that the corrections make of an even prior: 1/2 without corrections.
func (r *Row) estimate() float64 { return (r.Helped + 1) / (r.Corrections() + 2) }

// add adds the corrections of another Row, which came later.
func (r *Row) add(more *Row) {
	kept := math.Pow(1-1.0/Window, more.Corrections())
	r.Helped, r.Failed = r.Helped*kept+more.Helped, r.Failed*kept+more.Failed
	r.Day = max(r.Day, more.Day)
}

// A Table is the corrections of a model, each pair of a failure and a remedy at most once. The zero Table knows
// nothing.
type Table struct{ Rows []Row }

// Row returns the corrections of a pair, without any where none are known.
func (t *Table) Row(failure, remedy string) Row {
	if i := t.index(failure, remedy); i >= 0 {
		return t.Rows[i]
	}
	return Row{Failure: failure, Remedy: remedy}
}

func (t *Table) index(failure, remedy string) int {
	return slices.IndexFunc(t.Rows, func(r Row) bool { return r.Failure == failure && r.Remedy == remedy })
}

// Add adds corrections to their pair. A new pair beyond MaxRows is left out.
func (t *Table) Add(more Row) {
	i := t.index(more.Failure, more.Remedy)
	if i < 0 {
		if len(t.Rows) >= MaxRows {
			return
		}
		i, t.Rows = len(t.Rows), append(t.Rows, Row{Failure: more.Failure, Remedy: more.Remedy})
	}
	t.Rows[i].add(&more)
}

// Merge adds the corrections of another Table, which came later.
func (t *Table) Merge(more *Table) {
	for _, r := range more.Rows {
		t.Add(r)
	}
}

// Age drops pairs whose last correction is older than MaxAge, so that remedies that failed are tried again.
func (t *Table) Age(now time.Time) {
	oldest := modestat.Day(now.Add(-MaxAge))
	t.Rows = slices.DeleteFunc(t.Rows, func(r Row) bool { return r.Day > 0 && r.Day < oldest })
}

// Order puts remedies into the order of their success after a failure. Remedies of equal success, and those that were
// not tried, keep their order; one that was not tried stands behind each that rather helped and before each that rather
// failed. The caller's list is not changed.
func (t *Table) Order(failure string, remedies []string) []string {
	out := slices.Clone(remedies)
	if len(t.Rows) == 0 {
		return out
	}
	slices.SortStableFunc(out, func(a, b string) int {
		x, y := t.Row(failure, a), t.Row(failure, b)
		return cmp.Compare(y.estimate(), x.estimate())
	})
	return out
}

// Trusts reports whether a remedy after a failure did not rather fail: one that was not tried is trusted.
func (t *Table) Trusts(failure, remedy string) bool {
	r := t.Row(failure, remedy)
	return r.Failed <= r.Helped+1
}

// String is the table as the value of a fact, its words sorted; Parse reads it.
func (t *Table) String() string {
	words := make([]string, 0, len(t.Rows))
	for _, r := range t.Rows {
		word := r.Failure + "/" + r.Remedy + "=" + countformat.Number(r.Helped) + "-" + countformat.Number(r.Failed)
		if r.Day > 0 {
			word += "@" + strconv.Itoa(r.Day)
		}
		words = append(words, word)
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Parse reads the value of a fact. "" is the zero Table. An error names the word that is wrong.
func Parse(value string) (Table, error) {
	var t Table
	for word := range strings.FieldsSeq(value) {
		r, ok := parseRow(word)
		if !ok || t.index(r.Failure, r.Remedy) >= 0 || len(t.Rows) == MaxRows {
			return Table{}, fmt.Errorf("expected FAILURE/REMEDY=HELPED-FAILED, each pair once, got %q", word)
		}
		t.Rows = append(t.Rows, r)
	}
	return t, nil
}

// maxName is the length in bytes of the longest name.
const maxName = 32

func parseRow(word string) (r Row, ok bool) {
	pair, counts, _ := strings.Cut(word, "=")
	r.Failure, r.Remedy, _ = strings.Cut(pair, "/")
	counts, r.Day, ok = countformat.CutDay(counts)
	helped, failed, _ := strings.Cut(counts, "-")
	if !ok {
		return r, false
	}
	return r, isName(r.Failure) && isName(r.Remedy) && countformat.ParseNumber(&r.Helped, helped) && countformat.ParseNumber(&r.Failed, failed)
}

func isName(s string) bool {
	return s != "" && len(s) <= maxName && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_") == ""
}
