// Package modestat counts the successful and failed answers of a model in each mode of tool calls, stores the counts as
// the value of one fact, and sorts modes by success.
//
// The value has one word for each mode. After a change of the leading mode it also has the new lead, the previous lead
// and the time of the change in milliseconds since 1970:
//
//	native=20+3-15/310t/1200ms@20785 text=36+1-3/250t/900ms@20785 lead=text before=native since=1795881600000
//
// The numbers of a mode are: answers whose calls needed no repair, answers whose calls needed repair (after "+"),
// failed answers (after "-"), mean tokens and mean milliseconds of an answer if known, and the day of the last answer,
// in days since 1970 (after "@").
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

// Fact is the key of the fact that stores a Table.
const Fact = "mode_success"

// Window is the number of answers for which a mode is rated. Each new answer multiplies the earlier counts by 63/64.
const Window = 64

// MaxAge is the time after which the counts of a mode without new answers are discarded, because a provider may have
// fixed its faults.
const MaxAge = 7 * 24 * time.Hour

// A Row has the results of one mode. The counts are weighted, see Window.
type Row struct {
	Mode   string
	Clean  float64 // answers whose calls needed no repair
	Helped float64 // answers whose calls needed repair
	Failed float64 // answers without the required calls, or with invalid calls
	Tokens float64 // mean number of tokens of an answer and its prompt; 0 if unknown
	Millis float64 // mean duration of an answer in milliseconds; 0 if unknown
	Day    int     // day of the last answer, in days since 1970-01-01 UTC; 0 if unknown
}

// Answers returns the number of answers.
func (r *Row) Answers() float64 { return r.Clean + r.Helped + r.Failed }

// Success returns the share of answers that did not fail. It returns 0 if there are no answers.
func (r *Row) Success() float64 {
	n := r.Answers()
	if n == 0 {
		return 0
	}
	return (r.Clean + r.Helped) / n
}

// String returns text such as "92 % of 40 answers". It includes the mean tokens and time of an answer if they are
// known.
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

// Add adds the counts of later answers and reduces the earlier counts, see Window. Later counts of over Window answers
// are scaled down to Window answers.
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

// mean returns the weighted mean of two means. A mean of 0 is unknown and is ignored.
func mean(a, aWeight, b, bWeight float64) float64 {
	switch {
	case a == 0:
		return b
	case b == 0:
		return a
	}
	return (a*aWeight + b*bWeight) / (aWeight + bWeight)
}

// A Table has the results of a model by mode, at most one Row for each mode. The zero Table is empty.
type Table struct {
	Rows []Row
	// Lead is the leading mode when the table was written. "" means the first mode of the default order. Another mode
	// becomes the lead only if it is clearly better.
	Lead string
	// Before is the lead before the last change, and Since the time of this change. A zero Since means that no change is
	// known.
	Before string
	Since  time.Time
}

// Row returns the results of a mode. The counts are zero if there are none.
func (t *Table) Row(mode string) Row {
	for i := range t.Rows {
		if t.Rows[i].Mode == mode {
			return t.Rows[i]
		}
	}
	return Row{Mode: mode}
}

// Add adds answers to the row of their mode.
func (t *Table) Add(more Row) {
	i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Mode == more.Mode })
	if i < 0 {
		i, t.Rows = len(t.Rows), append(t.Rows, Row{Mode: more.Mode})
	}
	t.Rows[i].Add(more)
}

// Age removes modes whose last answer is older than MaxAge. If it removes one, it also resets Lead, so that modes that
// were not used for long are tried again.
func (t *Table) Age(now time.Time) {
	oldest, n := Day(now.Add(-MaxAge)), len(t.Rows)
	t.Rows = slices.DeleteFunc(t.Rows, func(r Row) bool { return r.Day > 0 && r.Day < oldest })
	if len(t.Rows) < n {
		t.Lead = ""
	}
}

// Day returns the number of days from 1970-01-01 UTC to t.
func Day(t time.Time) int { return int(t.Unix() / (24 * 60 * 60)) }

// Parameters of the comparison of two modes. The success of a mode is estimated by the mean of a beta distribution with
// the prior of two successes and one failure.
const (
	priorRight, priorWrong = 2, 1
	minAnswers             = 4    // a mode with fewer answers is not moved back
	minLead                = 0.05 // a smaller difference is ignored
)

func (r *Row) estimate() (mean, variance float64) {
	right, wrong := r.Clean+r.Helped+priorRight, r.Failed+priorWrong
	n := right + wrong
	return right / n, right * wrong / (n * n * (n + 1))
}

// better reports whether r is clearly better than the other row: its estimate is higher by more than the standard
// deviation of the difference and by more than minLead.
func better(r, than *Row) bool {
	if than.Answers() < minAnswers {
		return false
	}
	a, aVar := r.estimate()
	b, bVar := than.estimate()
	return a-b > max(minLead, math.Sqrt(aVar+bVar))
}

// Order returns modes sorted by success. A mode is moved forward only if it is clearly better than one before it. The
// first mode of the result is Lead, if modes has it and no mode is clearly better, in place of modes[0]. Order does not
// change the caller's slice.
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

// Comparison returns text that compares modes: "text: 92 % of 40 answers; native: 60 % of 38 answers".
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

// modes lists the valid modes, in the order in which String writes them.
var modes = []string{"native", "json_schema", "json_object", "text"}

// String encodes the table as the value of a fact. Parse decodes it.
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
