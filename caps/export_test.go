package caps

import "strings"

// Patterns lists the patterns of the shipped table with what they would have to be to match anything.
func Patterns() map[string]string {
	out := map[string]string{}
	for _, rows := range [][]row{families, providers} {
		for _, r := range rows {
			for p := range strings.FieldsSeq(r.Models) {
				out[p] = plain(p)
			}
		}
	}
	return out
}
