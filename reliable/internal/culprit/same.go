package culprit

import (
	"regexp"
	"strings"
)

// particulars are the parts of a refusal that differ between requests: quotations, numbers and texts in brackets.
var particulars = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|<[^>]*>|\\[[^\\]]*\\]|[^\\pL]+")

// sharedWords is the share of the words of two refusals that make them the same.
const sharedWords = 0.6

// IsSameRefusal reports whether two refusals are for the same reason, by their words without names, places and numbers.
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
