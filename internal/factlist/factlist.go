// Package factlist reads facts that are comma-separated lists.
package factlist

import (
	"hash/fnv"
	"strconv"
	"strings"
)

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

// Mark is the entry that stands for opaque state: a hash of it, as the state may be long and holds commas.
func Mark(state string) string {
	h := fnv.New32a()
	h.Write([]byte(state))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}
