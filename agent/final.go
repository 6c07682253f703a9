package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/callwright/callwright"
)

// The maximum number of messages that the loop adds in a run, for each reason.
const (
	mostMoreWork  = 3
	mostTruncated = 2
	mostDemands   = 2
	mostVerified  = 2
	mostFormats   = 2
)

// defaultEmptyText is the default message to a model after a response without text and calls.
const defaultEmptyText = "Your last answer was empty. Give the final answer now, in plain text."

// afterAnswer handles a response without calls: it ends the run, or adds a message so that the model is asked again.
func (r *run) afterAnswer(ctx context.Context) error {
	st, resp := r.st, r.st.response
	text := strings.TrimSpace(resp.Text())
	switch {
	case text == "" && resp.Finish == callwright.FinishLength && st.added[addedTruncated] < mostTruncated:
		return r.addUserMessage(ctx, addedTruncated, truncatedText)
	case text == "" && !r.o.emptyFinal.Off && st.added[addedEmpty] == 0:
		return r.tellEmpty(ctx)
	case text == "":
		return r.stop(ctx, StopModel, "the model ended with an empty answer")
	case resp.NeedsMoreWork != nil && *resp.NeedsMoreWork && st.added[addedMoreWork] < mostMoreWork:
		return r.addUserMessage(ctx, addedMoreWork, "Go on where you stopped.")
	case r.o.mode == ModeEnforced && st.usage.Calls == 0 && len(r.tools.offered) > 0:
		if st.added[addedNoCall] < mostDemands {
			return r.addUserMessage(ctx, addedNoCall, "Call at least one of the tools before you answer: "+r.tools.names()+".")
		}
		return r.stop(ctx, StopNoCall, "the model answered without calling a tool")
	case st.added[addedIntent] == 0 && r.announces(text):
		return r.addUserMessage(ctx, addedIntent, "You said what you are going to do and called no tool. Call it now, or give the final answer.")
	}
	if f, ok := r.findUnsupportedClaim(text); ok && st.added[addedClaim] == 0 {
		return r.addUserMessage(ctx, addedClaim, claimQuestion(&f))
	}
	return r.accept(ctx, resp)
}

// tellEmpty adds the message that asks the model for an answer after an empty one.
func (r *run) tellEmpty(ctx context.Context) error {
	return r.addUserMessage(ctx, addedEmpty, cmp.Or(r.o.emptyFinal.Text, defaultEmptyText))
}

// accept ends the run with the response. If the format check or the verifier rejects it, which each may do twice in a
// run, accept sends the rejection to the model instead. Failed tools make the run fail, as WithFailures demands.
func (r *run) accept(ctx context.Context, resp *callwright.Response) error {
	if r.o.check != nil && r.st.added[addedFormat] < mostFormats {
		if wrong := r.o.check(resp); wrong != "" {
			return r.addUserMessage(ctx, addedFormat, wrong)
		}
	}
	if r.mustVerify(resp) && r.st.added[addedWrong] < mostVerified {
		if r.st.verified == nil {
			return r.verify(ctx, resp)
		}
		if wrong := r.st.verified.wrong; wrong != "" {
			return r.addUserMessage(ctx, addedWrong, wrong)
		}
	}
	failed := r.st.failedTools()
	switch {
	case len(failed) == 0, r.o.failures == FailuresTold:
	case r.o.failures == FailuresTolerated && r.st.worked > 0:
	case r.o.failures == FailuresTolerated:
		return r.stop(ctx, StopToolFailed, "no tool call succeeded")
	default:
		return r.stop(ctx, StopToolFailed, fmt.Sprintf("the last call of %s failed", strings.Join(failed, ", ")))
	}
	return r.stop(ctx, StopAnswered, "")
}
