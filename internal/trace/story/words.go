package story

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Maximum lengths in bytes.
const (
	longestName   = 80
	longestReason = 240
)

// name returns a name in backticks, or "a tool without a name" for an empty one.
func name(s string) string {
	if s = plain(s); s == "" {
		return "a tool without a name"
	}
	return "`" + s + "`"
}

// plain returns a recorded name in printable form, truncated after longestName bytes.
func plain(s string) string { return printable(s, longestName) }

// printable returns a text with backticks and unprintable characters replaced. If it is longer than the limit most, in
// bytes, it is truncated and "…" is appended.
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

// mostNames is the maximum number of names in a sentence.
const mostNames = 3

// listWithCounts joins names. A repeated name is listed once, with its number of occurrences.
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

// list joins names or clauses with commas and "and".
func list(of []string) string {
	if len(of) < 2 {
		return strings.Join(of, "")
	}
	return strings.Join(of[:len(of)-1], ", ") + " and " + of[len(of)-1]
}

// upper returns s with its first letter in upper case.
func upper(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
