package callwright

// An Event is one step of a streamed response. The order is:
//
//   - Begin
//   - text, reasoning, media, opaque parts and calls
//   - UsageDelta, if the provider reports usage
//   - End
//   - Done, only in the stream of a client of package reliable
//
// A call is CallBegin, any number of CallDelta, and CallEnd, with equal Index. A client of package reliable never
// interleaves the events of two calls. A broken stream yields an error in place of End.
type Event interface{ event() }

// Begin is the first event of a response.
type Begin struct {
	ID    string
	Model string // the model's name as the provider reports it
	Extra Extra  // further members of the response object
}

// TextBegin starts a text part that has Extra members, such as a refusal or citations. The TextDeltas up to the next
// part or TextBegin belong to this part. A text part without Extra has no TextBegin.
type TextBegin struct{ Extra Extra }

// TextDelta is a fragment of visible text.
type TextDelta struct{ Text string }

// ReasoningDelta is a fragment of reasoning text.
type ReasoningDelta struct{ Text string }

// ReasoningEnd ends a reasoning part. Its fields are those of [Reasoning] that follow the text, such as the signature.
type ReasoningEnd struct {
	Signature string
	Redacted  string
	ID        string
	Origin    Origin
	Extra     Extra
}

// CallBegin starts a tool call. Name is complete, never a fragment.
type CallBegin struct {
	Index     int // number of the call in the response, from 0
	ID        string
	Name      string
	Type      ToolType
	Signature string
	Origin    Origin
	Extra     Extra
}

// CallDelta is a fragment of the JSON arguments of a call, or of the input of a custom tool's call.
type CallDelta struct {
	Index int
	Text  string
}

// CallEnd ends a call. If Call is set, it is the complete validated call and replaces the deltas. If Call is nil, as
// from a codec, the deltas joined are the arguments.
type CallEnd struct {
	Index int
	Call  *Call
}

// OpaquePart is a response part that only the API named in its Extra understands. See [Opaque].
type OpaquePart struct{ Extra Extra }

// MediaPart is an [Image] or a [File] that the model generated.
type MediaPart struct{ Part Part }

// UsageDelta updates the token usage of the response. Its non-zero counts are totals, not increments: they replace
// earlier counts, see [Usage.Merge].
type UsageDelta struct{ Usage Usage }

// End is the last event of a model's response.
type End struct {
	Finish Finish
	Extra  Extra // further members of the response object; they override those of Begin with the same name
}

// Done follows End in the stream of a client of package reliable. Its fields are those of [Response].
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
