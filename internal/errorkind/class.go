package errorkind

import "github.com/callwright/callwright"

// A Class is the reason of a failure as a configuration names it. Each Kind belongs to one Class at most.
type Class string

// The classes. RateLimited, Unavailable and Timeout are failures of the provider or of the connection to it.
const (
	RateLimited Class = "rate_limited" // a limit, an overload, or credit that is used up
	Context     Class = "context"      // the request is longer than the model takes
	Refused     Class = "refused"      // the model or its provider refuses the content, or lacks a part of the API
	InvalidCall Class = "invalid_call" // calls stay invalid after all corrections, or a required call is missing
	BadAnswer   Class = "bad_answer"   // the answer is empty, broken off or unreadable
	Unavailable Class = "unavailable"  // no connection, an error of the provider, an open circuit breaker, a key that is refused
	Timeout     Class = "timeout"      // no answer in time
)

// classes has the kinds of each class, in the order of the documentation.
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

// Classes returns the names of the classes.
func Classes() []string {
	var out []string
	for i := range classes {
		out = append(out, string(classes[i].name))
	}
	return out
}

// Kinds returns the kinds of a class, nil for a name that is none.
func Kinds(name Class) []callwright.Kind {
	for i := range classes {
		if classes[i].name == name {
			return classes[i].kinds
		}
	}
	return nil
}

// ClassOf returns the class of a kind, "" for one that is about the request itself.
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
