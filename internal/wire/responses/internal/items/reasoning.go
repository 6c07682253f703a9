package items

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// WriteReasoningStatus writes the member status of a reasoning item from another API. Reasoning of this API keeps the
// status in its Extra, if any. OpenAI's schema makes the member optional, but SDKs of other providers require it:
// https://github.com/vercel/ai/blob/main/packages/xai/src/responses/xai-responses-api.ts
func WriteReasoningStatus(w *kit.Writer, o callwright.Origin, status string) {
	if o.Wire != callwright.WireResponses {
		w.Text("status", status)
	}
}

// OpenReasoning writes a reasoning item without text, for the event that opens it in a stream. fromOwnWire reports that
// the reasoning came over this API. It has no status then.
func OpenReasoning(w *kit.Writer, id string, fromOwnWire bool, status string) {
	w.Open("", '{')
	w.Text("id", id)
	w.Text("type", "reasoning")
	if !fromOwnWire {
		w.Text("status", status)
	}
	w.Raw("summary", []byte("[]"))
	w.Close('}')
}
