// Package callid makes ids for the calls of conversations whose client sent none.
package callid

import (
	"strconv"
	"strings"
)

// DeriveID returns the id of call k of message n, where the client sent none: it is the same in every request.
func DeriveID(n, k int) string { return "call_" + strconv.Itoa(n) + "_" + strconv.Itoa(k) }

// IsDerived reports whether an id has the form of Derived.
func IsDerived(id string) bool {
	n, k, ok := strings.Cut(strings.TrimPrefix(id, "call_"), "_")
	return ok && len(n)+len(k)+len("call__") == len(id) && isNumber(n) && isNumber(k)
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
