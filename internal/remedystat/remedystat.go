// Package remedystat counts how often each remedy led to a valid answer after each kind of failure, stores the counts
// as the value of one fact, and sorts remedies by success. A remedy is a change in the request of a self-correction.
//
// The value has one word for each pair of a failure and a remedy:
//
//	arguments/choice=3-1@20785 loop/penalty=2-0@20785
//
// The numbers are: corrections with a valid answer, corrections after which the answer failed again, and the day of the
// last correction, in days since 1970.
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

// Fact is the key of the fact that stores a Table.
const Fact = "remedy_success"

// Window is the number of corrections for which a pair is rated. Each new correction multiplies the earlier counts by
// 31/32.
const Window = 32

// MaxAge is the time after which the counts of a pair without new corrections are discarded.
const MaxAge = modestat.MaxAge

// MaxRows is the maximum number of pairs in a table. About 40 pairs exist.
const MaxRows = 128

// A Row has the results of one remedy after one kind of failure. The counts are weighted, see Window.
type Row struct {
	Failure, Remedy string
	Helped          float64 // corrections with a valid answer
	Failed          float64 // corrections after which the answer failed again
	Day             int     // day of the last correction, in days since 1970-01-01 UTC; 0 if unknown
}

// Corrections returns the number of corrections.
func (r *Row) Corrections() float64 { return r.Helped + r.Failed }

// String returns text such as "helped after 3 of 4 corrections".
func (r *Row) String() string {
	return fmt.Sprintf("helped after %.0f of %.0f corrections", math.Round(r.Helped), math.Round(r.Corrections()))
}

// estimate returns the estimated success of the remedy: the mean of a beta distribution with a uniform prior, 1/2
// without corrections.
func (r *Row) estimate() float64 { return (r.Helped + 1) / (r.Corrections() + 2) }

// add adds the counts of later corrections.
func (r *Row) add(more *Row) {
	kept := math.Pow(1-1.0/Window, more.Corrections())
	r.Helped, r.Failed = r.Helped*kept+more.Helped, r.Failed*kept+more.Failed
	r.Day = max(r.Day, more.Day)
}

// A Table has the results of a model, at most one Row for each pair of failure and remedy. The zero Table is empty.
type Table struct{ Rows []Row }

// Row returns the results of a pair. The counts are zero if there are none.
func (t *Table) Row(failure, remedy string) Row {
	if i := t.index(failure, remedy); i >= 0 {
		return t.Rows[i]
	}
	return Row{Failure: failure, Remedy: remedy}
}

func (t *Table) index(failure, remedy string) int {
	return slices.IndexFunc(t.Rows, func(r Row) bool { return r.Failure == failure && r.Remedy == remedy })
}

// Add adds corrections to the row of their pair. If the table has MaxRows rows, it ignores a new pair.
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

// Merge adds the rows of a table of later corrections.
func (t *Table) Merge(more *Table) {
	for _, r := range more.Rows {
		t.Add(r)
	}
}

// Age removes pairs whose last correction is older than MaxAge, so that failed remedies are tried again.
func (t *Table) Age(now time.Time) {
	oldest := modestat.Day(now.Add(-MaxAge))
	t.Rows = slices.DeleteFunc(t.Rows, func(r Row) bool { return r.Day > 0 && r.Day < oldest })
}

// Order returns remedies sorted by their success after a failure. A remedy without corrections counts as a success of
// 1/2. Remedies of equal success keep their order. Order does not change the caller's slice.
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

// Trusts reports whether a remedy has not failed clearly more often than it helped. A remedy without corrections is
// trusted.
func (t *Table) Trusts(failure, remedy string) bool {
	r := t.Row(failure, remedy)
	return r.Failed <= r.Helped+1
}

// String encodes the table as the value of a fact, with sorted words. Parse decodes it.
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

// Parse decodes the value of a fact. "" is the zero Table. An error contains the invalid word.
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

// maxName is the maximum length of a failure or remedy name, in bytes.
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
