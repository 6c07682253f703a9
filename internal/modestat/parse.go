package modestat

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parse reads the value of a fact. "" is the zero Table. An error names the word that is wrong.
func Parse(value string) (Table, error) {
	var t Table
	for word := range strings.FieldsSeq(value) {
		if err := t.read(word); err != nil {
			return Table{}, err
		}
	}
	return t, nil
}

// read takes one word of a table.
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

// Bounds of numbers, so that sums of them stay exact.
const (
	maxMillis = 1 << 50
	maxNumber = 1 << 40
)

// parseRow reads the counts of a mode, without its name.
func parseRow(s string) (r Row, ok bool) {
	s, day, dated := strings.Cut(s, "@")
	if dated {
		n, err := strconv.Atoi(day)
		if err != nil || n <= 0 || n > maxNumber {
			return r, false
		}
		r.Day = n
	}
	counts, means, _ := strings.Cut(s, "/")
	clean, rest, more := strings.Cut(counts, "+")
	helped, failed, last := strings.Cut(rest, "-")
	if !more || !last || !parseNumber(&r.Clean, clean) || !parseNumber(&r.Helped, helped) || !parseNumber(&r.Failed, failed) {
		return r, false
	}
	for part := range strings.SplitSeq(means, "/") {
		number, isMillis := strings.CutSuffix(part, "ms")
		tokens, isTokens := strings.CutSuffix(part, "t")
		switch {
		case part == "" && means == "":
		case isMillis && parseNumber(&r.Millis, number), isTokens && parseNumber(&r.Tokens, tokens):
		default:
			return r, false
		}
	}
	return r, true
}

// parseNumber reads a number that is not negative and written in digits.
func parseNumber(x *float64, s string) bool {
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return false
	}
	v, err := strconv.ParseFloat(s, 64)
	*x = v
	return err == nil && v <= maxNumber && !math.IsNaN(v)
}
