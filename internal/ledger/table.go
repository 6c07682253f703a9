package ledger

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// A Column is a column by which a Table can be grouped.
type Column string

// Columns of a Table.
const (
	ByKey   Column = "key"
	ByGroup Column = "group"
	ByModel Column = "model"
	ByDay   Column = "day"
)

// Columns returns all columns.
func Columns() []Column { return []Column{ByKey, ByGroup, ByModel, ByDay} }

// A Query selects the rows and the grouping of a Table. A nil Key selects all keys.
type Query struct {
	By       []Column
	From, To string // days such as 2026-03-14, both included; "" for the default
	Key      *string
}

// A Line is one row of a Table. Columns that the Table is not grouped by are nil.
type Line struct {
	Key          *string `json:"key,omitempty" jsonschema:"the name of the key, empty for requests without one; absent if the table is not grouped by key"`
	Group        *string `json:"group,omitempty" jsonschema:"the name of the group, empty for keys without one; absent if the table is not grouped by group"`
	Model        *string `json:"model,omitempty" jsonschema:"the model, as provider/model; absent if the table is not grouped by model"`
	Day          *string `json:"day,omitempty" jsonschema:"the day in UTC, such as 2026-03-14; absent if the table is not grouped by day"`
	Requests     int64   `json:"requests" jsonschema:"requests that a model answered"`
	InputTokens  int64   `json:"input_tokens" jsonschema:"input tokens, including cached ones"`
	CachedTokens int64   `json:"cached_tokens" jsonschema:"input tokens that were read from a prompt cache"`
	OutputTokens int64   `json:"output_tokens" jsonschema:"output tokens"`
	USD          float64 `json:"usd" jsonschema:"US dollars, by the prices at the time of use"`
	Unpriced     int64   `json:"unpriced_tokens" jsonschema:"tokens without a known price, which are not part of usd"`
}

// A Table is the usage grouped by columns.
type Table struct {
	From  string   `json:"from" jsonschema:"the first day, in UTC"`
	To    string   `json:"to" jsonschema:"the last day, in UTC"`
	By    []Column `json:"by" jsonschema:"the columns by which the rows are grouped"`
	Rows  []Line   `json:"rows" jsonschema:"the rows, sorted by the columns in by"`
	Total Line     `json:"total" jsonschema:"the sum of all rows"`
}

// keptDays is the number of days for which rows are stored.
const keptDays = 400

// days returns the first and the last day of a query, limited to the stored days. The default of To is today. The
// default of From is 29 days before To.
func (q *Query) days(now time.Time) (from, to string, err error) {
	last, err := dayOf("to", q.To, now.UTC())
	if err != nil {
		return "", "", err
	}
	first, err := dayOf("from", q.From, last.AddDate(0, 0, -29))
	if err != nil {
		return "", "", err
	}
	if oldest := now.UTC().AddDate(0, 0, -keptDays); first.Before(oldest) {
		first = oldest
	}
	if tomorrow := now.UTC().AddDate(0, 0, 1); last.After(tomorrow) { // another gateway's clock may be ahead
		last = tomorrow
	}
	return first.Format(time.DateOnly), last.Format(time.DateOnly), nil
}

func dayOf(name, text string, otherwise time.Time) (time.Time, error) {
	if text == "" {
		return otherwise, nil
	}
	at, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, callwright.Errorf("", callwright.KindInvalid, "", "%s: expected a day such as 2026-03-14, got %q",
			name, callwright.Excerpt(text))
	}
	return at, nil
}

// ParseDay validates a date such as 2026-03-14. name is the parameter name for the error.
func ParseDay(name, text string) error {
	_, err := dayOf(name, text, time.Time{})
	return err
}

// ParseColumns parses column names separated by commas.
func ParseColumns(text string) ([]Column, error) {
	var out []Column
	for name := range strings.SplitSeq(text, ",") {
		c := Column(name)
		if !slices.Contains(Columns(), c) {
			return nil, callwright.Errorf("", callwright.KindInvalid, "",
				"by: expected some of key, group, model and day, separated by commas, got %q", callwright.Excerpt(text))
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out, nil
}

// Table returns the usage selected by q. It calls Flush first, so that the usage of this gateway is complete.
func (b *Book) Table(ctx context.Context, q Query) (*Table, error) {
	from, to, err := q.days(b.now())
	if err != nil {
		return nil, err
	}
	if err := b.Flush(ctx); err != nil {
		return nil, err
	}
	sums := map[[4]string]*Row{}
	var total Row
	err = b.store.Read(ctx, from, to, func(r Row) {
		if q.Key != nil && r.Key != *q.Key {
			return
		}
		var id [4]string
		for i, c := range q.By {
			id[i] = r.column(c)
		}
		if sums[id] == nil {
			sums[id] = &Row{Day: r.Day, Key: r.Key, Group: r.Group, Model: r.Model}
		}
		sums[id].Add(&r)
		total.Add(&r)
	})
	if err != nil {
		return nil, err
	}
	t := &Table{From: from, To: to, By: q.By, Rows: make([]Line, 0, len(sums)), Total: total.line(nil)}
	rows := make([]*Row, 0, len(sums))
	for _, r := range sums {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(x, y *Row) int {
		for _, c := range q.By {
			if n := strings.Compare(x.column(c), y.column(c)); n != 0 {
				return n
			}
		}
		return 0
	})
	for _, r := range rows {
		t.Rows = append(t.Rows, r.line(q.By))
	}
	return t, nil
}

func (r *Row) column(c Column) string {
	switch c {
	case ByKey:
		return r.Key
	case ByGroup:
		return r.Group
	case ByModel:
		return r.Model
	}
	return r.Day
}

func (r *Row) line(by []Column) Line {
	l := Line{Requests: r.Requests, InputTokens: r.Input, CachedTokens: r.Cached, OutputTokens: r.Output,
		USD: float64(r.Nanos) / access.NanosPerUSD, Unpriced: r.Unpriced}
	for _, c := range by {
		text := r.column(c)
		switch c {
		case ByKey:
			l.Key = &text
		case ByGroup:
			l.Group = &text
		case ByModel:
			l.Model = &text
		case ByDay:
			l.Day = &text
		}
	}
	return l
}

// Text returns the value of a column, or "" if the table is not grouped by it.
func (l *Line) Text(c Column) string {
	text := map[Column]*string{ByKey: l.Key, ByGroup: l.Group, ByModel: l.Model, ByDay: l.Day}[c]
	if text == nil {
		return ""
	}
	return *text
}

// WriteCSV writes the table as CSV (RFC 4180) with a header line. A value that a spreadsheet would evaluate as a
// formula gets an apostrophe as prefix (https://owasp.org/www-community/attacks/CSV_Injection).
func (t *Table) WriteCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	var head []string
	for _, c := range t.By {
		head = append(head, string(c))
	}
	if err := out.Write(append(head, "requests", "input_tokens", "cached_tokens", "output_tokens", "usd", "unpriced_tokens")); err != nil {
		return err
	}
	for i := range t.Rows {
		l := &t.Rows[i]
		var row []string
		for _, c := range t.By {
			row = append(row, harmless(l.Text(c)))
		}
		row = append(row, number(l.Requests), number(l.InputTokens), number(l.CachedTokens), number(l.OutputTokens),
			strconv.FormatFloat(l.USD, 'f', -1, 64), number(l.Unpriced))
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// harmless returns text with an apostrophe as prefix if a spreadsheet would evaluate it as a formula.
func harmless(text string) string {
	if strings.IndexAny(cmp.Or(text, " ")[:1], "=+-@\t\r") == 0 {
		return "'" + text
	}
	return text
}
