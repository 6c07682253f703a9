// Package spelling suggests corrections of misspelt names, and joins names to a list for a message.
package spelling

import "strings"

// longest is the maximum length in bytes of names that are compared.
const longest = 200

// Nearest returns the most similar of names for a misspelt name, or "" if none is similar. It ignores case and
// separators and tolerates one error in four characters. It also completes a prefix that matches only one of names. The
// result is for messages only and must not be used in place of the name.
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

// Distance returns the number of characters by which name differs from other. near reports whether they are similar, as
// defined by Nearest, or name is a prefix of other. If near is false, slips is 0.
func Distance(name, other string) (slips int, near bool) {
	if d, ok := misspelt(name, other); ok {
		return d, true
	}
	if len(other) > longest || !isPrefix(name, other) {
		return 0, false
	}
	return len(Plain(other)) - len(Plain(name)), true
}

// misspelt returns the number of errors between two names. few reports whether this number is tolerated.
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

// onlyWithPrefix returns the only one of names with the prefix, or "" if there is none or several.
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

// isPrefix reports whether prefix has at least three bytes and begins name. Case and separators are ignored.
func isPrefix(prefix, name string) bool {
	const shortest = 3
	return len(prefix) >= shortest && strings.HasPrefix(Plain(name), Plain(prefix))
}

// Plain returns a name in lower case without separators.
func Plain(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(s))
}

// slips returns the edit distance of two strings: the number of inserted, removed, replaced or transposed characters.
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
