package health

import "github.com/callwright/callwright"

// A class is the cause of a kind of failure: the model, the configuration, the request, or none of these.
type class int

const (
	ofModel   class = iota // the model or its provider fails, possibly for a short time
	refusal                // the provider refuses the model as configured, such as for a wrong key
	ofRequest              // the request is at fault
	ofNobody               // the client or the gateway ended the request: no problem
)

// A kind describes the failures of one callwright.Kind in problems.
type kind struct {
	name          callwright.Kind
	class         class
	verb          string // effect on the requests, such as "refused"
	cause, remedy string
}

const seeTraces = "look at the requests in the traces or reports"

// kinds has an entry for each kind of error. The entry without a name is for other kinds. The entry at notSent is for
// requests that were not sent, since the provider has no credentials.
var kinds = [...]kind{
	{callwright.KindAuth, refusal, "refused", "key not accepted", "set a valid key for the provider; callwright check tests it"},
	{callwright.KindBilling, refusal, "refused", "no credit left", "add credit to the account at the provider"},
	{callwright.KindPermission, refusal, "refused", "permission denied", "give the key permission for this model at the provider"},
	{callwright.KindNotFound, refusal, "refused", "no such model", "use a model that the provider has; callwright models lists them"},

	{callwright.KindRateLimited, ofModel, "refused", "rate limit reached", "raise the limit at the provider, or add a fallback"},
	{callwright.KindTimeout, ofModel, "failed", "no answer in time", "look at the load of the provider, raise the timeout, or add a fallback"},
	{callwright.KindUnavailable, ofModel, "failed", "provider not reachable or not available",
		"start the provider, or correct its base_url; callwright check tests it"},
	{callwright.KindOverloaded, ofModel, "failed", "provider overloaded", "wait, or add a fallback"},
	{callwright.KindServer, ofModel, "failed", "error of the provider", "look at the log of the provider, or add a fallback"},
	{callwright.KindBadAnswer, ofModel, "failed", "invalid answer", "check base_url and wire of the provider"},
	{callwright.KindTruncated, ofModel, "failed", "answer broken off", "look at the log of the provider, or add a fallback"},
	{callwright.KindInvalidCall, ofModel, "failed", "no usable answer after all corrections", "try another mode or model; " + seeTraces},
	{callwright.KindNoCall, ofModel, "failed", "no tool call although one was required", "try another mode or model; " + seeTraces},
	{callwright.KindRefusedCall, ofModel, "failed", "the provider refused its model's own call", "try the mode text, or another model"},
	{callwright.KindInternal, ofModel, "failed", "internal error", "look at the log of the gateway"},
	{"", ofModel, "failed", "failure of an unknown kind", seeTraces},

	{callwright.KindInvalid, ofRequest, "refused", "invalid request", seeTraces},
	{callwright.KindSchema, ofRequest, "refused", "invalid tool schema", seeTraces},
	{callwright.KindContextLength, ofRequest, "refused", "request too long for the model", "use a model with a longer context"},
	{callwright.KindUnsupported, ofRequest, "refused", "a part of the request is not supported", seeTraces},
	{callwright.KindContentFilter, ofRequest, "refused", "content filter", seeTraces},
	{callwright.KindConflict, ofRequest, "refused", "conflict", seeTraces},
	{callwright.KindTooLarge, ofRequest, "refused", "request too large", seeTraces},
	{callwright.KindMediaType, ofRequest, "refused", "media type not supported", seeTraces},
	{callwright.KindChangeNeeded, ofRequest, "refused", "a change was needed under the policy strict",
		"use another policy, or look at the reports"},
	{callwright.KindNotServed, ofRequest, "refused", "kind of request not served", seeTraces},
	{callwright.KindNoEarlier, ofRequest, "refused", "earlier answer no longer stored", seeTraces},

	{callwright.KindCanceled, ofNobody, "", "", ""},
	{callwright.KindDraining, ofNobody, "", "", ""},

	{callwright.KindUnavailable, ofModel, "not sent", "credentials missing", "look at the problem of the provider"},
}

const notSent = len(kinds) - 1

// numbers maps each kind to its index in kinds, except notSent.
var numbers = func() map[callwright.Kind]int {
	out := map[callwright.Kind]int{}
	for i := range notSent {
		out[kinds[i].name] = i
	}
	return out
}()

// numberOf returns the index in kinds of a kind, or of the entry for other kinds.
func numberOf(k callwright.Kind) int {
	if n, ok := numbers[k]; ok {
		return n
	}
	return numbers[""]
}
