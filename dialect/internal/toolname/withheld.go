package toolname

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// withhold adds the withheld names.
func (n *Resolver) withhold(names []string) {
	for _, name := range names {
		if n.withheld == nil {
			n.withheld = make(map[string]string, len(names))
		}
		letters, _ := splitName(name)
		n.withheld[string(letters)] = name
	}
}

// anyWithheld resolves a text that ends with a withheld name in any spelling. Other words may precede the name.
func (n *Resolver) anyWithheld(written string) (declared, rule string, ok bool) {
	if len(n.withheld) == 0 || len(written) > 4*chars.MaxName {
		return "", "", false
	}
	letters, starts := splitName(cutSuffix(written))
	for _, at := range starts {
		if d, ok := n.withheld[string(letters[at:])]; ok && at == 0 {
			return d, "name.separators", true
		} else if ok {
			return d, "name.prefix", true
		}
	}
	return "", "", false
}

// beginsWithheld reports whether more text can make s a spelling of a withheld name. This holds for any name-like word,
// because other words may precede the name.
func (n *Resolver) beginsWithheld(s string) bool {
	return len(n.withheld) > 0 && len(s) <= chars.MaxName && strings.IndexFunc(s, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("_-.:/", c)
	}) < 0
}

// splitName returns the letters and digits of a name in lower case, and the offsets of its words in them.
func splitName(name string) (letters []byte, starts []int) {
	runes := []rune(name)
	gap := true
	for i, c := range runes {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			gap = true
			continue
		}
		if gap || unicode.IsUpper(c) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			starts = append(starts, len(letters))
		}
		gap = false
		letters = utf8.AppendRune(letters, unicode.ToLower(c))
	}
	return letters, starts
}
