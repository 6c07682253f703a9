// Package factlist reads facts that are comma-separated lists.
package factlist

import "strings"

// AllTools stands in OpenTools for every tool there is.
const AllTools = "*"

// Has reports whether a fact that is a comma-separated list, such as Caps.LooseTools, has an entry.
func Has(list, entry string) bool {
	if list == "" {
		return false
	}
	for e := range strings.SplitSeq(list, ",") {
		if e == entry {
			return true
		}
	}
	return false
}
