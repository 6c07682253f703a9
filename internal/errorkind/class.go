package errorkind

import "github.com/callwright/callwright"

// A Class is a reason for failure that can be named in a configuration. Each error Kind belongs to at most one Class.
type Class string

// Classes of errors. RateLimited, Unavailable and Timeout are failures of the provider or the connection.
const (
	RateLimited Class = "rate_limited" // rate limit, overload, or no credit left
	Context     Class = "context"      // the request exceeds the context length
	Refused     Class = "refused"      // content was refused, or an API feature is not supported
	InvalidCall Class = "invalid_call" // calls are invalid after all corrections, or a required call is missing
	BadAnswer   Class = "bad_answer"   // the answer is empty, incomplete or unreadable
	Unavailable Class = "unavailable"  // no connection, provider error, open circuit breaker, or rejected API key
	Timeout     Class = "timeout"      // the answer did not arrive in time
)

// classes lists the kinds of each class, in the order of the documentation.
var classes = []struct {
	name  Class
	kinds []callwright.Kind
}{
	{RateLimited, []callwright.Kind{callwright.KindRateLimited, callwright.KindOverloaded, callwright.KindBilling}},
	{Context, []callwright.Kind{callwright.KindContextLength, callwright.KindTooLarge}},
	{Refused, []callwright.Kind{callwright.KindContentFilter, callwright.KindUnsupported, callwright.KindMediaType, callwright.KindSchema}},
	{InvalidCall, []callwright.Kind{callwright.KindInvalidCall, callwright.KindNoCall, callwright.KindRefusedCall}},
	{BadAnswer, []callwright.Kind{callwright.KindBadAnswer, callwright.KindTruncated}},
	{Unavailable, []callwright.Kind{callwright.KindUnavailable, callwright.KindServer, callwright.KindDraining,
		callwright.KindNotServed, callwright.KindAuth,
		callwright.KindPermission, callwright.KindNotFound, callwright.KindInternal}},
	{Timeout, []callwright.Kind{callwright.KindTimeout}},
}

// Classes returns the names of all classes.
func Classes() []string {
	var out []string
	for i := range classes {
		out = append(out, string(classes[i].name))
	}
	return out
}

// Kinds returns the kinds of a class, or nil if the class does not exist.
func Kinds(name Class) []callwright.Kind {
	for i := range classes {
		if classes[i].name == name {
			return classes[i].kinds
		}
	}
	return nil
}

// ClassOf returns the class of a kind. It returns "" for a kind that concerns the request itself.
func ClassOf(k callwright.Kind) Class {
	for i := range classes {
		for _, kind := range classes[i].kinds {
			if kind == k {
				return classes[i].name
			}
		}
	}
	return ""
}
