package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

const (
	latePiece    = "wire.late_piece"
	latePieceWhy = "pieces of a call came after its end"
)

// isWhole reports whether text is the complete input of a call: valid JSON, or a non-empty text for a custom call.
func isWhole(text string, kind callwright.ToolType) bool {
	if kind == callwright.CustomTool {
		return text != ""
	}
	var check jsonx.Checker
	return check.FeedString(text) == nil && check.Complete()
}

// findLateItem returns the call that ended with incomplete arguments and to which the event f belongs, or nil.
func (d *streamDecoder) findLateItem(f *eventData) *streamItem {
	if len(d.late) == 0 {
		return nil
	}
	if b := d.findByName(f); b != nil {
		if b.incomplete {
			return b
		}
		return nil
	}
	index, placed := f.place()
	for i := len(d.late) - 1; i >= max(0, len(d.late)-maxOpen); i-- {
		if b := d.late[i]; b.incomplete && b.mayHaveCallID(f.callID()) && (!placed || b.index == index) {
			return b
		}
	}
	return nil
}

// completeLate completes the arguments of a call that has ended. whole holds all of its arguments.
func (d *streamDecoder) completeLate(b *streamItem, whole string) {
	switch rest, ok := b.sum.Rest(whole); {
	case !ok:
		d.noteDeviation(otherText, otherTextWhy)
	case rest != "":
		d.addLate(b, rest)
		d.settle(b)
	}
}

// addLate adds an arguments delta to a call that has ended.
func (d *streamDecoder) addLate(b *streamItem, piece string) {
	d.noteDeviation(latePiece, latePieceWhy)
	b.sum.Add(piece)
	b.digest.Add(piece)
	d.hold.AddLate(b.call.Index, piece)
	if b.call.Type == callwright.CustomTool {
		return
	}
	_ = b.args.FeedString(piece) // invalid arguments are handled after the call
	if b.call.Index == d.calls-1 {
		d.end.Cut = !b.args.Complete()
	}
	if b.args.Complete() {
		d.settle(b)
	}
}

// settle marks the arguments of a call that has ended as complete.
func (d *streamDecoder) settle(b *streamItem) {
	b.incomplete = false
	d.hold.Settle(b.call.Index)
}
