package modestat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright/internal/countformat"
)

// Parse decodes the value of a fact. "" is the zero Table. An error contains the invalid word.
func Parse(value string) (Table, error) {
	var t Table
	for word := range strings.FieldsSeq(value) {
		if err := t.read(word); err != nil {
			return Table{}, err
		}
	}
	return t, nil
}

// read decodes one word, such as native=20+3-15 or lead=text.
func (t *Table) read(word string) error {
	key, value, _ := strings.Cut(word, "=")
	switch {
	case key == "lead" && slices.Contains(modes, value):
		t.Lead = value
	case key == "before" && slices.Contains(modes, value):
		t.Before = value
	case key == "since":
		ms, err := strconv.ParseInt(value, 10, 64)
		if err != nil || ms <= 0 || ms > maxMillis {
			return fmt.Errorf("expected since=MILLISECONDS, got %q", word)
		}
		t.Since = time.UnixMilli(ms)
	case slices.Contains(modes, key) && !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Mode == key }):
		r, ok := parseRow(value)
		if !ok {
			return fmt.Errorf("expected %s=CLEAN+HELPED-FAILED, got %q", key, word)
		}
		r.Mode = key
		t.Rows = append(t.Rows, r)
	default:
		return fmt.Errorf("expected a mode with its counts, lead, before or since, got %q", word)
	}
	return nil
}

// maxMillis is the maximum of a time in milliseconds. Sums of such numbers are exact in float64.
const maxMillis = 1 << 50

// parseRow decodes the counts of a mode, such as 20+3-15/310t/1200ms@20785. ok is false for text in another form.
func parseRow(s string) (r Row, ok bool) {
	s, r.Day, ok = countformat.CutDay(s)
	if !ok {
		return r, false
	}
	counts, means, _ := strings.Cut(s, "/")
	clean, rest, more := strings.Cut(counts, "+")
	helped, failed, last := strings.Cut(rest, "-")
	if !more || !last || !countformat.ParseNumber(&r.Clean, clean) || !countformat.ParseNumber(&r.Helped, helped) ||
		!countformat.ParseNumber(&r.Failed, failed) {
		return r, false
	}
	for part := range strings.SplitSeq(means, "/") {
		number, isMillis := strings.CutSuffix(part, "ms")
		tokens, isTokens := strings.CutSuffix(part, "t")
		switch {
		case part == "" && means == "":
		case isMillis && countformat.ParseNumber(&r.Millis, number), isTokens && countformat.ParseNumber(&r.Tokens, tokens):
		default:
			return r, false
		}
	}
	return r, true
}
