package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// outcome is what is known at the end of an answer. The API has no finish reason: the status says whether the answer is
// complete, its items say the rest.
type outcome struct {
	status       string
	reason       string // of incomplete_details
	calls        bool
	cut          bool // the last call breaks off inside its arguments
	modelRefused bool // the model refused in a part of its own
}

// read takes the status out of a response object.
func (o *outcome) read(response *jsonx.Fields) {
	o.status = jsonx.TextOf(response.Get("status"))
	o.reason = kit.TextAt(response.Get("incomplete_details"), "reason")
}

// add takes note of a part of the answer.
func (o *outcome) add(p callwright.Part) {
	switch p := p.(type) {
	case callwright.Call:
		o.call(p.Type, len(p.Arguments) > 0 && jsonx.Valid(p.Arguments) != nil)
	case callwright.Text:
		o.modelRefused = o.modelRefused || p.IsRefusal()
	}
}

// call takes note of a call, and whether its arguments are no JSON.
func (o *outcome) call(kind callwright.ToolType, broken bool) {
	o.calls, o.cut = true, broken && kind == callwright.FunctionTool
}

// finish derives the finish: calls decide, unless the last is cut off.
func (o *outcome) finish() callwright.Finish {
	stopped := o.stopped()
	switch {
	case o.calls && !(o.cut && stopped != callwright.FinishStop):
		return callwright.FinishCalls
	case o.modelRefused && stopped == callwright.FinishStop:
		return callwright.FinishContentFilter
	}
	return stopped
}

// stopped is the finish that the status means.
func (o *outcome) stopped() callwright.Finish {
	switch o.status {
	case "completed", "": // some servers say nothing
		return callwright.FinishStop
	case "queued", "in_progress":
		return callwright.FinishPause
	case "cancelled", "failed":
		return callwright.FinishError
	case "incomplete":
		switch o.reason {
		case "max_output_tokens", "max_tokens", "length":
			return callwright.FinishLength
		case "content_filter":
			return callwright.FinishContentFilter
		}
	}
	return callwright.FinishOther
}

// statusOf is the status, and the reason of one that is incomplete, for a finish. An answer whose text says that it is a
// refusal is complete.
func statusOf(f callwright.Finish, refused bool) (status, reason string) {
	switch {
	case f == callwright.FinishLength:
		return "incomplete", "max_output_tokens"
	case f == callwright.FinishContentFilter && !refused:
		return "incomplete", "content_filter"
	}
	return "completed", ""
}
