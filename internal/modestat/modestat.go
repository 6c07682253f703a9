// Package modestat counts the valid calls of a model in each mode, keeps the counts as the text of one fact, and orders
// modes by them.
//
// The text has a word for each mode. After a change of the leading mode, it also has the new mode, the mode before and
// the time of the change:
//
//	native=20+3-15/310t/1200ms@20785 text=36+1-3/250t/900ms@20785 lead=text before=native since=1795881600000
//
// The three numbers of a mode count the answers with calls that needed no repair, those with calls that needed one, and
// those that failed. The mean tokens and the mean milliseconds of an answer follow where they are known, and the day of
// the last answer, counted from 1970.
package modestat

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/countformat"
)

// Fact is the key of the fact.
const Fact = "mode_success"

// Window is the number of answers of a mode that count: each answer removes the 64th part of the counts before it.
const Window = 64

// MaxAge is the time for which the counts of a mode without answers are kept: a provider may fix its faults.
const MaxAge = 7 * 24 * time.Hour

// A Row is the answers of one mode.
type Row struct {
	Mode   string
	Clean  float64 // answers whose calls needed nothing
	Helped float64 // answers whose calls needed help
	Failed float64 // answers without the calls that were wanted, or with calls that cannot be run
	Tokens float64 // the mean of the tokens of an answer and its prompt; 0 where it is not known
	Millis float64 // the mean of the milliseconds of an answer; 0 where it is not known
	Day    int     // of the last answer, counted from 1970 in UTC; 0 where it is not known
}

// Answers returns the number of answers.
func (r *Row) Answers() float64 { return r.Clean + r.Helped + r.Failed }

// Success returns the share of the answers that did not fail, 0 without an answer.
func (r *Row) Success() float64 {
	n := r.Answers()
	if n == 0 {
		return 0
	}
	return (r.Clean + r.Helped) / n
}

// String says it for people: "92 % of 40 answers", with the tokens and the time of one answer where they are known.
func (r *Row) String() string {
	n := math.Round(r.Answers())
	s := fmt.Sprintf("%.0f %% of %.0f answers", 100*r.Success(), n)
	if n == 1 {
		s = s[:len(s)-1]
	}
	if helped := math.Round(r.Helped); helped > 0 {
		s += fmt.Sprintf(", %.0f of them with help", helped)
	}
	if r.Tokens > 0 {
		s += fmt.Sprintf(", %.0f tokens", r.Tokens)
	}
	if r.Millis > 0 {
		s += fmt.Sprintf(", %.1f s", r.Millis/1000)
	}
	return s
}

// Add adds the answers of another Row, which came later. Of more than Window answers the shares count.
func (r *Row) Add(more Row) {
	n := more.Answers()
	if n == 0 {
		return
	}
	had, share := math.Pow(1-1.0/Window, n), min(1, Window/n)
	weight := r.Answers() * had
	r.Tokens, r.Millis = mean(r.Tokens, weight, more.Tokens, n*share), mean(r.Millis, weight, more.Millis, n*share)
	r.Clean, r.Helped, r.Failed = r.Clean*had+more.Clean*share, r.Helped*had+more.Helped*share, r.Failed*had+more.Failed*share
	r.Day = max(r.Day, more.Day)
}

// mean is the mean of two means with their weights. A mean of 0 is not known.
func mean(a, aWeight, b, bWeight float64) float64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return (a*aWeight + b*bWeight) / (aWeight + bWeight)
}

// A Table is the answers of a model by mode, each mode at most once. The zero Table knows nothing.
type Table struct {
	Rows []Row
	// Lead is the mode that led when the table was written, "" for the first of the order without measurements. Another
	// one takes its place only by a clear difference.
	Lead string
	// Before led until Since; "" as in Lead. A zero Since says that no change is known.
	Before string
	Since  time.Time
}

// Row returns the answers of a mode, without any where none are known.
func (t *Table) Row(mode string) Row {
	for i := range t.Rows {
		if t.Rows[i].Mode == mode {
			return t.Rows[i]
		}
	}
	return Row{Mode: mode}
}

// Add adds answers to their mode.
func (t *Table) Add(more Row) {
	i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Mode == more.Mode })
	if i < 0 {
		i, t.Rows = len(t.Rows), append(t.Rows, Row{Mode: more.Mode})
	}
	t.Rows[i].Add(more)
}

// Age drops modes whose last answer is older than MaxAge, and with one of them the lead, so that modes that were not
// asked for long are tried again.
func (t *Table) Age(now time.Time) {
	oldest, n := Day(now.Add(-MaxAge)), len(t.Rows)
	t.Rows = slices.DeleteFunc(t.Rows, func(r Row) bool { return r.Day > 0 && r.Day < oldest })
	if len(t.Rows) < n {
		t.Lead = ""
	}
}

// Day is the day of a time, counted from 1970 in UTC.
func Day(t time.Time) int { return int(t.Unix() / (24 * 60 * 60)) }

// The rule by which one mode goes ahead of another. An estimate of the success of a mode is the mean of the beta
// distribution that its answers make of the prior: two of three answers are right.
const (
	priorRight, priorWrong = 2, 1
	minAnswers             = 4    // fewer of a mode do not move it back
	minLead                = 0.05 // less is no difference, however many answers there are
)

func (r *Row) estimate() (mean, variance float64) {
	right, wrong := r.Clean+r.Helped+priorRight, r.Failed+priorWrong
	n := right + wrong
	return right / n, right * wrong / (n * n * (n + 1))
}

// better reports whether a mode goes ahead of another one: its estimate is higher by more than the standard deviation
// of the difference.
func better(r, than *Row) bool {
	if than.Answers() < minAnswers {
		return false
	}
	a, aVar := r.estimate()
	b, bVar := than.estimate()
	return a-b > max(minLead, math.Sqrt(aVar+bVar))
}

// Order puts modes into the order of their success. They come in the order without measurements, which stays where no
// mode is clearly better than one before it; of several that are, the best is first. The lead stays first likewise. The
// caller's list is not changed.
func (t *Table) Order(modes []string) []string {
	left := slices.Clone(modes)
	out := make([]string, 0, len(modes))
	for len(left) > 0 {
		best := 0
		if len(out) == 0 {
			best = max(0, slices.Index(left, t.Lead))
		}
		at := t.Row(left[best])
		highest, _ := at.estimate()
		for i, mode := range left {
			row := t.Row(mode)
			if mean, _ := row.estimate(); mean > highest && better(&row, &at) {
				best, highest = i, mean
			}
		}
		out = append(out, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return out
}

// Comparison says for people why a mode leads the others: "text: 92 % of 40 answers; native: 60 % of 38 answers".
func (t *Table) Comparison(order []string) string {
	var parts []string
	for _, mode := range order {
		if row := t.Row(mode); row.Answers() > 0 {
			parts = append(parts, fmt.Sprintf("%s: %.0f %% of %.0f answers", mode, 100*row.Success(), math.Round(row.Answers())))
		} else {
			parts = append(parts, mode+": not measured")
		}
	}
	return strings.Join(parts, "; ")
}

// modes are the modes that a table may have, in the order in which they are written.
var modes = []string{"native", "json_schema", "json_object", "text"}

// String is the table as the value of a fact; Parse reads it.
func (t *Table) String() string {
	rows := slices.Clone(t.Rows)
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Compare(slices.Index(modes, a.Mode), slices.Index(modes, b.Mode))
	})
	var words []string
	for i := range rows {
		r := &rows[i]
		word := r.Mode + "=" + countformat.Number(r.Clean) + "+" + countformat.Number(r.Helped) + "-" + countformat.Number(r.Failed)
		if r.Tokens >= 0.5 {
			word += "/" + strconv.FormatFloat(r.Tokens, 'f', 0, 64) + "t"
		}
		if r.Millis >= 0.5 {
			word += "/" + strconv.FormatFloat(r.Millis, 'f', 0, 64) + "ms"
		}
		if r.Day > 0 {
			word += "@" + strconv.Itoa(r.Day)
		}
		words = append(words, word)
	}
	if t.Lead != "" {
		words = append(words, "lead="+t.Lead)
	}
	if !t.Since.IsZero() {
		if t.Before != "" {
			words = append(words, "before="+t.Before)
		}
		words = append(words, "since="+strconv.FormatInt(t.Since.UnixMilli(), 10))
	}
	return strings.Join(words, " ")
}
