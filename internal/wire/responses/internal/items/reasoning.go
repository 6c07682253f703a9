package items

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// WriteReasoningStatus writes the status of reasoning in an answer. That of this wire stays as it came. OpenAI's schema
// leaves the member to the server; SDKs of other providers require it:
// https://github.com/vercel/ai/blob/main/packages/xai/src/responses/xai-responses-api.ts
func WriteReasoningStatus(w *kit.Writer, o callwright.Origin, status string) {
	if o.Wire != callwright.WireResponses {
		w.Text("status", status)
	}
}

// OpenReasoning writes the reasoning that an event opens, without text. fromOwnWire says that it came over this wire.
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
