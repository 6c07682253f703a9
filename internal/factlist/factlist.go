// Package factlist reads and changes facts whose value is a comma-separated list.
package factlist

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// AllTools is the entry of the fact OpenTools that means every tool.
const AllTools = "*"

// Has reports whether a comma-separated list, such as Caps.LooseTools, contains an entry.
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

// Mark returns a short hash of opaque state, for use as a list entry. The state itself may be long and may contain
// commas.
func Mark(state string) string {
	h := fnv.New32a()
	h.Write([]byte(state))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}
