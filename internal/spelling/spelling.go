// Package spelling says which name a person may have meant.
package spelling

import "strings"

// Nearest returns the one of the names that a person may have meant by a name that is not among them, "" where none is near enough. Case,
// separators and at most one slip in four characters are forgiven, and an end that is missing where one name alone begins so. It is for messages: nothing may be done by it.
func Nearest(name string, names []string) string {
	const longest = 200
	best, least := "", 0
	for _, n := range names {
		if len(n) > longest || len(name) > longest {
			continue
		}
		a, b := []rune(Plain(name)), []rune(Plain(n))
		most := max(1, min(len(a), len(b))/4)
		if len(a) < 2 || len(b) < 2 || len(a)-len(b) > most || len(b)-len(a) > most {
			continue
		}
		if d := slips(a, b); d <= most && (best == "" || d < least) {
			best, least = n, d
		}
	}
	if best == "" {
		return onlyWithPrefix(name, names)
	}
	return best
}

// onlyWithPrefix returns the one name that begins with a text of some length, "" where none does or several do.
func onlyWithPrefix(prefix string, names []string) string {
	const shortest = 3
	found := ""
	for _, n := range names {
		switch {
		case len(prefix) < shortest || !strings.HasPrefix(Plain(n), Plain(prefix)):
		case found != "":
			return ""
		default:
			found = n
		}
	}
	return found
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
