package callwright

// A Response is a whole answer. Parts are in the order in which the model gave them.
type Response struct {
	ID     string
	Model  string
	Parts  []Part
	Finish Finish
	Usage  Usage
	// NeedsMoreWork says whether the work goes on after this answer. With calls it is true. Without calls it is the value
	// of needs_more_work in an enveloped answer, or says whether the answer was cut. It is nil in the answer of a Model
	// that is not a reliable client.
	NeedsMoreWork *bool
	// Confidence is 1 for a native answer that was left untouched and falls with every implied or heuristic change.
	Confidence float64
	Report     *Report
	Extra      Extra
	// Raw is the answer as it came, kept only while nothing in it was changed.
	Raw *Raw
}

// Raw is bytes as they came over a wire.
type Raw struct {
	Wire  WireName
	Bytes []byte
}

// Text is the visible text.
func (r *Response) Text() string { return TextOf(r.Parts) }

// Calls returns the calls, in order. The calls of a reliable client satisfy their schemas unless they are Unvalidated.
func (r *Response) Calls() []Call { return CallsOf(r.Parts) }

// Message is the answer as the message to append to the conversation.
func (r *Response) Message() Message { return Message{Role: RoleAssistant, Parts: r.Parts} }

// Reasoning is the joined text of the reasoning.
func (r *Response) Reasoning() string {
	var b []byte
	for _, p := range r.Parts {
		if t, ok := p.(Reasoning); ok {
			b = append(b, t.Text...)
		}
	}
	return string(b)
}

// A Finish is the reason why an answer ended.
type Finish string

// The finishes. A codec maps an unknown reason of its wire to FinishOther; whether the answer has calls is decided by
// the calls, never by the reason.
const (
	FinishStop          Finish = "stop"
	FinishCalls         Finish = "tool_calls"
	FinishLength        Finish = "length"
	FinishContentFilter Finish = "content_filter"
	FinishMalformedCall Finish = "malformed_tool_call"
	FinishPause         Finish = "pause"
	FinishError         Finish = "error"
	FinishOther         Finish = "other"
)

// Usage counts tokens, inclusive: Input includes cached reads and writes, Output includes Reasoning. Known reports
// whether the provider reported anything.
type Usage struct {
	Known      bool
	Input      int
	CacheRead  int
	CacheWrite int
	Output     int
	Reasoning  int
	Extra      Extra
}

// Plus returns the usage of two requests together. Extra is the Extra of the later one, or that of u where the later
// one has none.
func (u Usage) Plus(later Usage) Usage {
	return Usage{Known: u.Known || later.Known, Input: u.Input + later.Input, CacheRead: u.CacheRead + later.CacheRead,
		CacheWrite: u.CacheWrite + later.CacheWrite,
		Output:     u.Output + later.Output, Reasoning: u.Reasoning + later.Reasoning, Extra: u.Merge(later).Extra}
}

// Merge returns u with the known counts of a later usage of the same request in place of its own. A zero in later is
// known where later has a count of input.
func (u Usage) Merge(later Usage) Usage {
	out := u
	out.Known = u.Known || later.Known
	for _, m := range []struct{ to, from *int }{
		{&out.Input, &later.Input}, {&out.CacheRead, &later.CacheRead}, {&out.CacheWrite, &later.CacheWrite},
		{&out.Output, &later.Output}, {&out.Reasoning, &later.Reasoning},
	} {
		if *m.from != 0 || later.Input != 0 { // a zero beside other counts is one
			*m.to = *m.from
		}
	}
	if later.Extra.JSON != nil {
		out.Extra = later.Extra
	}
	return out
}
