// Package errorkind lists the kinds of errors and groups them into classes.
package errorkind

import (
	"strings"

	"github.com/callwright/callwright"
)

// All returns all kinds of errors of requests, in the order of the documentation.
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

// Words returns a kind as words: "rate limited" for rate_limited.
func Words(k callwright.Kind) string { return strings.ReplaceAll(string(k), "_", " ") }
