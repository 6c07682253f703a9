// Package callid derives IDs for calls that a client sent without an ID.
package callid

import (
	"strconv"
	"strings"
)

// DeriveID returns the ID of call k of message n, such as call_3_0. It is the same in every request of a conversation.
func DeriveID(n, k int) string { return "call_" + strconv.Itoa(n) + "_" + strconv.Itoa(k) }

// IsDerived reports whether an ID has the form of a DeriveID result.
func IsDerived(id string) bool {
	n, k, ok := strings.Cut(strings.TrimPrefix(id, "call_"), "_")
	return ok && len(n)+len(k)+len("call__") == len(id) && isNumber(n) && isNumber(k)
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
