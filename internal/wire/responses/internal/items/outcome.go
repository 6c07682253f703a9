package items

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Outcome holds the facts at the end of an answer. The API has no finish reason: the status says whether the answer is
// complete, its items say the rest.
type Outcome struct {
	status  string
	reason  string // of incomplete_details
	Calls   bool
	Cut     bool // the last call breaks off inside its arguments
	Refused bool // the model refused in a part of its own
}

// Read takes the status out of a response object.
func (o *Outcome) Read(response *jsonx.Fields) {
	o.status = jsonx.TextOf(response.Get("status"))
	o.reason = kit.TextAt(response.Get("incomplete_details"), "reason")
}

// Add takes note of a part of the answer.
func (o *Outcome) Add(p callwright.Part) {
	switch p := p.(type) {
	case callwright.Call:
		o.Call(p.Type, len(p.Arguments) > 0 && jsonx.Valid(p.Arguments) != nil)
	case callwright.Text:
		o.Refused = o.Refused || p.IsRefusal()
	}
}

// Call takes note of a call, and whether its arguments are no JSON.
func (o *Outcome) Call(kind callwright.ToolType, broken bool) {
	o.Calls, o.Cut = true, broken && kind == callwright.FunctionTool
}

// Finish derives the finish: calls decide, unless the last is cut off.
func (o *Outcome) Finish() callwright.Finish {
	stopped := o.statusFinish()
	switch {
	case o.Calls && !(o.Cut && stopped != callwright.FinishStop):
		return callwright.FinishCalls
	case o.Refused && stopped == callwright.FinishStop:
		return callwright.FinishContentFilter
	}
	return stopped
}

// statusFinish is the finish that the status means.
func (o *Outcome) statusFinish() callwright.Finish {
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

// StatusOf is the status, and the reason of one that is incomplete, for a finish. An answer whose text says that it is
// a refusal is complete.
func StatusOf(f callwright.Finish, refused bool) (status, reason string) {
	switch {
	case f == callwright.FinishLength:
		return "incomplete", "max_output_tokens"
	case f == callwright.FinishContentFilter && !refused:
		return "incomplete", "content_filter"
	}
	return "completed", ""
}

// Refuses reports whether a part of an answer says that it is a refusal.
func Refuses(parts []callwright.Part) bool {
	var o Outcome
	for _, p := range parts {
		o.Add(p)
	}
	return o.Refused
}
