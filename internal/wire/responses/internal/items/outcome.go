package items

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Outcome collects the facts that determine the Finish of a response. This API has no finish reason. A response has a
// status and, if it is incomplete, a reason.
type Outcome struct {
	status  string
	reason  string // incomplete_details.reason
	Calls   bool   // the response has calls
	Cut     bool   // the arguments of the last call are incomplete
	Free    bool   // the last call has free text, which may be incomplete
	Refused bool   // the response has a refusal part
}

// Read reads the status and the reason of a response object.
func (o *Outcome) Read(response *jsonx.Fields) {
	o.status = jsonx.TextOf(response.Get("status"))
	o.reason = kit.TextAt(response.Get("incomplete_details"), "reason")
}

// Add records a part of the response.
func (o *Outcome) Add(p callwright.Part) {
	switch p := p.(type) {
	case callwright.Call:
		o.Call(p.Type, len(p.Arguments) > 0 && jsonx.Valid(p.Arguments) != nil)
	case callwright.Text:
		o.Refused = o.Refused || p.IsRefusal()
	}
}

// Call records a call. broken reports that its arguments are not valid JSON.
func (o *Outcome) Call(kind callwright.ToolType, broken bool) {
	o.Calls, o.Cut, o.Free = true, broken && kind == callwright.FunctionTool, kind == callwright.CustomTool
}

// Finish returns the Finish of the response. With calls it is FinishCalls if the last call is complete or the status is
// a normal end. Otherwise the status decides, and a refusal with a normal end is FinishContentFilter.
func (o *Outcome) Finish() callwright.Finish {
	stopped := o.statusFinish()
	stoppedEarly := stopped == callwright.FinishLength || stopped == callwright.FinishContentFilter || stopped == callwright.FinishError
	switch {
	case o.Calls && !(o.Cut && stopped != callwright.FinishStop) && !(o.Free && stoppedEarly):
		return callwright.FinishCalls
	case o.Refused && stopped == callwright.FinishStop:
		return callwright.FinishContentFilter
	}
	return stopped
}

// statusFinish returns the Finish that corresponds to the status and reason alone.
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

// StatusOf returns the status of a response with the finish f, and the reason if the status is "incomplete". A response
// whose text is a refusal (refused) is "completed".
func StatusOf(f callwright.Finish, refused bool) (status, reason string) {
	switch {
	case f == callwright.FinishLength:
		return "incomplete", "max_output_tokens"
	case f == callwright.FinishContentFilter && !refused:
		return "incomplete", "content_filter"
	}
	return "completed", ""
}

// Refuses reports whether one of the parts is a refusal.
func Refuses(parts []callwright.Part) bool {
	var o Outcome
	for _, p := range parts {
		o.Add(p)
	}
	return o.Refused
}
