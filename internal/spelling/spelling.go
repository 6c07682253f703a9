// Package spelling says which name a person may have meant, and lists names in a sentence.
package spelling

import "strings"

// longest bounds the names that are compared, in bytes.
const longest = 200

// Nearest returns the one of the names that a person may have meant by a name that is not among them, "" where none is
// near enough. Case, separators and at most one slip in four characters are forgiven, and an end that is missing where
// one name alone begins so. It is for messages: nothing may be done by it.
func Nearest(name string, names []string) string {
	best, least := "", 0
	for _, n := range names {
		if d, ok := misspelt(name, n); ok && (best == "" || d < least) {
			best, least = n, d
		}
	}
	if best == "" {
		return onlyWithPrefix(name, names)
	}
	return best
}

// Distance returns how many characters a name differs from another one, and whether it is near enough to have been
// meant, as for Nearest; an end may be missing.
func Distance(name, other string) (slips int, near bool) {
	if d, ok := misspelt(name, other); ok {
		return d, true
	}
	if len(other) > longest || !isPrefix(name, other) {
		return 0, false
	}
	return len(Plain(other)) - len(Plain(name)), true
}

// misspelt returns how many slips are between two names, and whether these are few enough.
func misspelt(name, other string) (slipped int, few bool) {
	if len(other) > longest || len(name) > longest {
		return 0, false
	}
	a, b := []rune(Plain(name)), []rune(Plain(other))
	most := max(1, min(len(a), len(b))/4)
	if len(a) < 2 || len(b) < 2 || len(a)-len(b) > most || len(b)-len(a) > most {
		return 0, false
	}
	d := slips(a, b)
	return d, d <= most
}

// onlyWithPrefix returns the one name that begins with a text of some length, "" where none does or several do.
func onlyWithPrefix(prefix string, names []string) string {
	found := ""
	for _, n := range names {
		switch {
		case !isPrefix(prefix, n):
		case found != "":
			return ""
		default:
			found = n
		}
	}
	return found
}

// isPrefix reports whether a name begins with a text of some length.
func isPrefix(prefix, name string) bool {
	const shortest = 3
	return len(prefix) >= shortest && strings.HasPrefix(Plain(name), Plain(prefix))
}

// Plain returns a name without case and separators.
func Plain(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(s))
}

// slips counts the characters that were added, left out, replaced or exchanged with their neighbour between two texts.
func slips(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			other := 1
			if a[i-1] == b[j-1] {
				other = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+other)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
