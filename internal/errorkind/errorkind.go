// Package errorkind lists the kinds of errors, and names them for people.
package errorkind

import (
	"strings"

	"github.com/callwright/callwright"
)

// All returns the kinds of errors with which a request may fail, in the order in which they are documented.
func All() []callwright.Kind {
	return []callwright.Kind{
		callwright.KindInvalid, callwright.KindSchema, callwright.KindContextLength, callwright.KindUnsupported,
		callwright.KindContentFilter, callwright.KindAuth,
		callwright.KindBilling, callwright.KindPermission, callwright.KindNotFound, callwright.KindTimeout,
		callwright.KindConflict, callwright.KindTooLarge,
		callwright.KindMediaType, callwright.KindInvalidCall, callwright.KindNoCall, callwright.KindRefusedCall,
		callwright.KindChangeNeeded, callwright.KindRateLimited,
		callwright.KindCanceled, callwright.KindInternal, callwright.KindBadAnswer, callwright.KindTruncated,
		callwright.KindServer, callwright.KindUnavailable,
		callwright.KindOverloaded, callwright.KindDraining, callwright.KindNotServed, callwright.KindNoEarlier,
	}
}

// Words returns the name of a kind for people: "rate limited" for rate_limited.
func Words(k callwright.Kind) string { return strings.ReplaceAll(string(k), "_", " ") }
