package callwright

// An Event is one step of a streamed answer. A whole answer is the same events at once. The order is: Begin; then text,
// reasoning, media, opaque parts and calls, each call as CallBegin, CallDelta and CallEnd with one Index, calls never
// interleaved once they have passed the reliable client; then UsageDelta where known, and End, which Done follows in
// the stream of a reliable client. A stream that breaks has an error in place of End.
type Event interface{ event() }

// Begin opens an answer.
type Begin struct {
	ID    string
	Model string // as the provider names it
	Extra Extra  // members of the answer
}

// TextBegin begins a text of its own, for one that has more than its words: a refusal, sources. The TextDeltas up to
// the next part or TextBegin belong to it. Other texts begin without.
type TextBegin struct{ Extra Extra }

// TextDelta is a piece of visible text.
type TextDelta struct{ Text string }

// ReasoningDelta is a piece of reasoning.
type ReasoningDelta struct{ Text string }

// ReasoningEnd closes a stretch of reasoning with its opaque state, if it has any.
type ReasoningEnd struct {
	Signature string
	Redacted  string
	ID        string
	Origin    Origin
	Extra     Extra
}

// CallBegin opens a call. Name is complete.
type CallBegin struct {
	Index     int // counts the calls of the answer from 0
	ID        string
	Name      string
	Type      ToolType
	Signature string
	Origin    Origin
	Extra     Extra
}

// CallDelta is a piece of a call's arguments, or of a custom call's input.
type CallDelta struct {
	Index int
	Text  string
}

// CallEnd closes a call. A judged call comes as a whole in Call; from a codec Call is nil and the pieces are the call.
type CallEnd struct {
	Index int
	Call  *Call
}

// OpaquePart is a part that only its wire understands.
type OpaquePart struct{ Extra Extra }

// MediaPart is an [Image] or a [File] that the model made.
type MediaPart struct{ Part Part }

// UsageDelta replaces the members of the usage known so far that it has (they are totals, not increments).
type UsageDelta struct{ Usage Usage }

// End closes an answer.
type End struct {
	Finish Finish
	Extra  Extra // members of the answer, like those of Begin; for the same name those of End count
}

// Done is the last event in the stream of a reliable client.
type Done struct {
	Report        *Report
	NeedsMoreWork *bool
}

func (Begin) event()          {}
func (TextBegin) event()      {}
func (TextDelta) event()      {}
func (ReasoningDelta) event() {}
func (ReasoningEnd) event()   {}
func (CallBegin) event()      {}
func (CallDelta) event()      {}
func (CallEnd) event()        {}
func (OpaquePart) event()     {}
func (MediaPart) event()      {}
func (UsageDelta) event()     {}
func (End) event()            {}
func (Done) event()           {}
