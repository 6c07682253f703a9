package items

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// IsSpecial reports whether an item is more than a message, a function call, its result or reasoning: servers that
// speak the API in part do not know it.
func (c Class) IsSpecial() bool {
	return c.Opaque || c.Call != nil && c.Call != Function || c.Result != nil && c.Result != Function
}

// LeftOut is the note on a special item that is not sent.
func LeftOut(p callwright.Opaque) callwright.Note {
	kind := kit.TextAt(p.Extra.JSON, "type")
	if kind == AdditionalTools {
		return callwright.Note{Rule: "tools.item", Path: "/input", Was: kind, Why: "its tools are conveyed with the others"}
	}
	return callwright.Note{Rule: "history.opaque", Path: "/input", Was: kind, Why: "the provider does not know the item"}
}

// States are the opaque states in a list of items: of reasoning, and of compactions.
func States(list []byte) []string {
	var out []string
	for item := range jsonx.Elements(list) {
		if state := StateOf(item); state != "" {
			out = append(out, state)
		}
	}
	return out
}

// StateOf is the opaque state of an item, "" without one.
func StateOf(item []byte) string { return kit.TextAt(item, "encrypted_content") }

// IsRefused reports whether the provider could not verify the opaque state, by the value of caps.Caps.RefusedState.
func IsRefused(refused, state string) bool {
	return refused != "" && state != "" && factlist.Has(refused, factlist.Mark(state))
}

// HoldRefused reports whether an item of a turn holds opaque state that the provider could not verify. turn has the
// items as in a JSON array, without its brackets.
func HoldRefused(refused string, turn []byte) bool {
	if refused == "" {
		return false
	}
	list := append(append([]byte{'['}, turn...), ']')
	for _, state := range States(list) {
		if IsRefused(refused, state) {
			return true
		}
	}
	return false
}
