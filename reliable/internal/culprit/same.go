package culprit

import (
	"regexp"
	"strings"
)

// particulars matches the parts of an error message that differ between requests: quotations, numbers and bracketed
// text.
var particulars = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|<[^>]*>|\\[[^\\]]*\\]|[^\\pL]+")

// sharedWords is the fraction of common words from which two error messages count as the same.
const sharedWords = 0.6

// IsSameRefusal reports whether two error messages have the same reason. It compares their words without names, paths
// and numbers.
func IsSameRefusal(a, b string) bool {
	first, second := plainWords(a), plainWords(b)
	if len(first) == 0 || len(second) == 0 {
		return len(first) == len(second)
	}
	shared := 0
	for w := range first {
		if second[w] {
			shared++
		}
	}
	return float64(shared) >= sharedWords*float64(max(len(first), len(second)))
}

func plainWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(particulars.ReplaceAllString(text, " "))) {
		out[w] = true
	}
	return out
}
