package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
)

// A problem describes why an attempt did not produce the answer. If byModel is set, text is a predicate whose subject
// is the model.
type problem struct {
	text    string
	byModel bool
}

// isUnsent reports whether an attempt sent nothing, because the model was skipped after an earlier failure or could not
// be called.
func isUnsent(a *callwright.Attempt) bool { return a.Tries <= 0 && a.Error != "" }

// problems returns the problem of each failed attempt, and the rejected calls that the problems do not mention.
func (x *ending) problems() (out []problem, rejected []callwright.InvalidCall) {
	all, rejected := x.rep.Attempts, x.rep.Invalid
	wrong := 0 // number of attempts with a rejected answer
	failing := len(all)
	if x.Failure == nil && failing > 0 {
		failing--
	}
	empty := x.emptyAnswers()
	for i := range failing {
		if all[i].Error == "" {
			wrong++
		}
	}
	wrong = max(wrong-len(empty), 0)
	for i := range failing {
		a := &all[i]
		switch {
		case isUnsent(a):
			out = append(out, problem{unsent(a), true})
		case a.Error != "" || a.Kind != "":
			out = append(out, problem{kindClause(a.Kind), false})
		case len(rejected) > 0 && wrong > 0:
			n := 1
			if wrong == 1 {
				n = len(rejected)
			}
			out = append(out, problem{list(describeRejected(rejected[:n])), true})
			rejected, wrong = rejected[n:], wrong-1
		case len(empty) > 0:
			out = append(out, problem{empty[0], true})
			empty = empty[1:]
		default:
			out = append(out, problem{x.describeUnaccepted(), true})
		}
	}
	return out, rejected
}

// unsent returns why an attempt sent nothing, by its error.
func unsent(a *callwright.Attempt) string {
	if _, reason, ok := strings.Cut(a.Error, "skipped: "); ok {
		return "was skipped because an earlier request failed (" + plain(reason) + ")"
	}
	return "got no request: " + printable(strings.TrimPrefix(a.Error, string(a.Model)+": "), longestReason)
}

// emptyAnswers describes each empty answer.
func (x *ending) emptyAnswers() (out []string) {
	malformed := slices.ContainsFunc(x.rep.Notes, func(n callwright.Note) bool { return n.Rule == "wire.malformed_reason" })
	for i := range x.rep.Notes {
		n := &x.rep.Notes[i]
		text := ""
		switch {
		case n.Observed:
		case n.Rule == "correct.empty" && (malformed || n.Fault == "F14"):
			text = "made a malformed call, and the answer was empty"
		case n.Rule == "correct.empty":
			text = "gave an empty answer"
		case n.Rule == "correct.swallowed":
			text = "generated tokens, but the answer was empty: the server's parser dropped a call"
		}
		for range max(n.Count, 1) {
			if text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

// describeUnaccepted returns why an answer was rejected although it was not empty and none of its calls was rejected.
func (x *ending) describeUnaccepted() string {
	has := func(rule string) bool {
		return slices.ContainsFunc(x.rep.Notes, func(n callwright.Note) bool { return n.Rule == rule })
	}
	switch {
	case has("correct.more_work"):
		return "said that more work is needed"
	case has("correct.paused"):
		return "paused its answer"
	case has("correct.format"):
		return "did not answer in the requested form"
	case has("loop.told"):
		return "announced a call and made none"
	case has("search.answered"):
		return "searched for tools"
	case has("correct.asked"):
		return "made no call although one was required"
	}
	return "gave an answer that was not accepted"
}

// reasons describe why a call was rejected. They follow the name of the tool in a sentence.
var reasons = map[callwright.InvalidReason]string{
	callwright.InvalidUndeclared: "which is not declared", callwright.InvalidTruncated: "but its answer was cut inside the call",
	callwright.InvalidMalformed: "with arguments that cannot be read", callwright.InvalidArguments: "with arguments that break its schema",
	callwright.InvalidBesideNative: "in its text, beside native calls", callcheck.InvalidRefused: "which a call rule refused",
}

// describeRejected describes rejected calls, grouped by reason.
func describeRejected(calls []callwright.InvalidCall) (out []string) {
	var order []callwright.InvalidReason
	names := map[callwright.InvalidReason][]string{}
	for i := range calls {
		c := &calls[i]
		if _, ok := names[c.Why]; !ok {
			order = append(order, c.Why)
		}
		names[c.Why] = append(names[c.Why], name(c.Name))
	}
	for _, why := range order {
		reason, ok := reasons[why]
		if !ok {
			reason = "in a way that is not valid"
		}
		what := listWithCounts(names[why])
		switch {
		case len(names[why]) > 1:
			reason = strings.NewReplacer("which is", "which are", "its schema", "their schemas", "the call", "a call").Replace(reason)
		case why == callwright.InvalidArguments:
			reason += place(calls, why)
		}
		separator := ", "
		if strings.HasPrefix(reason, "with") || strings.HasPrefix(reason, "in ") {
			separator = " "
		}
		out = append(out, "called "+what+separator+reason)
	}
	return out
}

// place returns the location of the first schema violation among the calls rejected for a reason, such as " at
// `/city`", or "".
func place(calls []callwright.InvalidCall, why callwright.InvalidReason) string {
	for i := range calls {
		if v := calls[i].Violations; calls[i].Why == why && len(v) > 0 && strings.Trim(v[0].Path, "/") != "" {
			return " at " + name(v[0].Path)
		}
	}
	return ""
}

// kindClauses describe the kinds of errors.
var kindClauses = map[callwright.Kind]string{
	callwright.KindInvalid: "the provider refused the request", callwright.KindSchema: "the provider refused the schema of a tool",
	callwright.KindContextLength: "the request was longer than the model's context",
	callwright.KindUnsupported:   "the provider does not support a feature of the request",
	callwright.KindContentFilter: "a content filter stopped the answer", callwright.KindAuth: "the key was not accepted",
	callwright.KindBilling:    "the account had no credit",
	callwright.KindPermission: "the key may not do this", callwright.KindNotFound: "there was no such model",
	callwright.KindTimeout:  "no answer came in time",
	callwright.KindConflict: "the request conflicted with another one", callwright.KindTooLarge: "the request was too large",
	callwright.KindMediaType: "the form of the request was not accepted", callwright.KindInvalidCall: "no call was valid",
	callwright.KindNoCall:       "there was no call although one was required",
	callwright.KindRefusedCall:  "the provider's parser refused the model's call",
	callwright.KindChangeNeeded: "a change was needed, which the policy strict forbids",
	callwright.KindRateLimited:  "the rate limit was reached",
	callwright.KindCanceled:     "the client disconnected", callwright.KindInternal: "the gateway failed",
	callwright.KindBadAnswer: "the answer could not be read",
	callwright.KindTruncated: "the answer broke off", callwright.KindServer: "the provider failed",
	callwright.KindUnavailable: "the provider could not be reached",
	callwright.KindOverloaded:  "the provider was overloaded", callwright.KindDraining: "the gateway was shutting down",
	callwright.KindNotServed: "the gateway does not serve this", callwright.KindNoEarlier: "the earlier answer is not stored",
}

func kindClause(k callwright.Kind) string {
	if text, ok := kindClauses[k]; ok {
		return text
	}
	return fmt.Sprintf("it failed (%s)", plain(string(k)))
}
