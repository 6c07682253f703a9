package items

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Types of items about a compaction. A client whose conversation gets too long ends its input with a Trigger item and
// receives a Compaction item, whose opaque content replaces the conversation from then on. A provider that is not known
// to support compactions is asked for a summary, and the content is that summary, packed by wire.Pack.
const (
	Trigger    = "compaction_trigger"
	Compaction = "compaction"
)

// askForSummary is the prompt that replaces the Trigger for a provider that is not known to support compactions.
const askForSummary = "This conversation is about to be replaced by a summary. Write it for the assistant that goes on with the work and sees nothing else: " +
	"what the user wants, decisions and constraints, what was done and found (with the names of files, commands and results that still matter), " +
	"what is open, and the next step. Be exact and brief. Call no tool. Answer with the summary alone."

// summaryHead precedes the summary in the message that replaces a Compaction.
const summaryHead = "Summary of the conversation up to here:\n\n"

// summaries is the wire name in the packed state of a summary. It distinguishes summaries from reasoning.
const summaries callwright.WireName = "summary"

// IsSummary reports whether the encrypted_content of a compaction was made by NewCompaction and not by a provider.
func IsSummary(encrypted string) bool { return strings.HasPrefix(encrypted, wire.CarrierMark) }

// CompactionPart returns the text for an item of the type kind: the prompt for a Trigger, the summary for a Compaction
// of NewCompaction. It returns nil for any other item.
func CompactionPart(item []byte, kind string) callwright.Part {
	switch kind {
	case Trigger:
		return own.ReplaceBlock(askForSummary, item)
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

// NewCompaction returns a Compaction item with a summary as its content.
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

// IsCompaction reports whether x, the Extra of an opaque part, is a Compaction item.
func IsCompaction(x callwright.Extra) bool {
	return x.Wire == callwright.WireResponses && kit.TextAt(x.JSON, "type") == Compaction
}
