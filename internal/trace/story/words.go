package story

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds in bytes.
const (
	longestName   = 80
	longestReason = 240
)

// name puts a name between backticks. A name without one is told so.
func name(s string) string {
	if s = plain(s); s == "" {
		return "a tool without a name"
	}
	return "`" + s + "`"
}

// plain is a name of a record as a sentence may hold it.
func plain(s string) string { return printable(s, longestName) }

// printable returns a text of a record without backticks and characters that are not seen, of at most so many bytes.
func printable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '`':
			return '\''
		case r == utf8.RuneError || !unicode.IsPrint(r):
			return '\uFFFD'
		}
		return r
	}, strings.TrimSpace(s))
	if len(s) <= most {
		return s
	}
	end := most
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// mostNames is how many names a sentence has.
const mostNames = 3

// listWithCounts lists names, those that stand several times with their number.
func listWithCounts(names []string) string {
	var order []string
	times := map[string]int{}
	for _, n := range names {
		if times[n]++; times[n] == 1 {
			order = append(order, n)
		}
	}
	for i, n := range order {
		if k := times[n]; k == 2 {
			order[i] += " twice"
		} else if k > 2 {
			order[i] += fmt.Sprintf(" %d times", k)
		}
	}
	if more := len(order) - mostNames; more > 0 {
		order = append(order[:mostNames], fmt.Sprintf("%d more", more))
	}
	return list(order)
}

// list joins names or clauses.
func list(of []string) string {
	if len(of) < 2 {
		return strings.Join(of, "")
	}
	return strings.Join(of[:len(of)-1], ", ") + " and " + of[len(of)-1]
}

// upper begins a sentence.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
