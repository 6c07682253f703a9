package items

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The types of items about a compaction. A client whose conversation gets too long ends its input with a Trigger and
// gets a Compaction, an item with opaque content that stands for the conversation from then on. Providers that are not
// known to have it are asked for a summary; it is the content, in a carrier of ours.
const (
	Trigger    = "compaction_trigger"
	Compaction = "compaction"
)

// askForSummary stands for the trigger where the provider does not know it.
const askForSummary = "This conversation is about to be replaced by a summary. Write it for the assistant that goes on with the work and sees nothing else: " +
	"what the user wants, decisions and constraints, what was done and found (with the names of files, commands and results that still matter), " +
	"what is open, and the next step. Be exact and brief. Call no tool. Answer with the summary alone."

// summaryHead stands before a summary in the conversation that continues with it.
const summaryHead = "Summary of the conversation up to here:\n\n"

// summaries is the origin of summaries in carriers.
const summaries callwright.WireName = "summary"

// IsSummary reports whether the content of a compaction is of ours.
func IsSummary(encrypted string) bool { return strings.HasPrefix(encrypted, wire.CarrierMark) }

// CompactionPart is the part of a turn that a trigger, or a compaction of ours, comes to; nil for other items.
func CompactionPart(item []byte, kind string) callwright.Part {
	switch kind {
	case Trigger:
		return own.Standing(askForSummary, item)
	case Compaction:
		content := kit.TextAt(item, "encrypted_content")
		if !IsSummary(content) {
			return nil
		}
		if r, _ := wire.Unpack(callwright.Reasoning{}, content); r.Origin.Wire == summaries {
			return callwright.Text{Text: summaryHead + r.Redacted}
		}
		return callwright.Text{Text: summaryHead + "(it cannot be read)"}
	}
	return nil
}

// NewCompaction is the item that has a summary as its content.
func NewCompaction(id, summary string) callwright.Opaque {
	w := own.Writer(nil)
	w.Open("", '{')
	w.Text("id", id)
	w.Text("type", Compaction)
	w.Text("encrypted_content", wire.Pack(callwright.Reasoning{Redacted: strings.TrimSpace(summary),
		Origin: callwright.Origin{Wire: summaries}}))
	w.Close('}')
	return callwright.Opaque{Extra: own.Extra(w.Buf)}
}

// IsCompaction reports whether a part of an answer is a compaction.
func IsCompaction(x callwright.Extra) bool {
	return x.Wire == callwright.WireResponses && kit.TextAt(x.JSON, "type") == Compaction
}
