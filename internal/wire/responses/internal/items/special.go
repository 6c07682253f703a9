package items

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// IsSpecial reports whether an item is neither a message, a function call, its output, nor reasoning. Partial
// implementations of the API reject such items.
func (c Class) IsSpecial() bool {
	return c.Opaque || c.Call != nil && c.Call != Function || c.Result != nil && c.Result != Function
}

// LeftOut returns the note about an item that was omitted.
func LeftOut(p callwright.Opaque) callwright.Note {
	kind := kit.TextAt(p.Extra.JSON, "type")
	if kind == AdditionalTools {
		return callwright.Note{Rule: "tools.item", Path: "/input", Was: kind, Why: "its tools are conveyed with the others"}
	}
	return callwright.Note{Rule: "history.opaque", Path: "/input", Was: kind, Why: "the provider does not know the item"}
}

// States returns the encrypted_content of all items in a JSON list that have it: reasoning and compactions.
func States(list []byte) []string {
	var out []string
	for item := range jsonx.Elements(list) {
		if state := StateOf(item); state != "" {
			out = append(out, state)
		}
	}
	return out
}

// StateOf returns the encrypted_content of an item, "" if it is missing.
func StateOf(item []byte) string { return kit.TextAt(item, "encrypted_content") }

// IsRefused reports whether the provider rejected the opaque state earlier. refused is the value of
// caps.Caps.RefusedState.
func IsRefused(refused, state string) bool {
	return refused != "" && state != "" && factlist.Has(refused, factlist.Mark(state))
}

// HoldRefused reports whether an item of a message has opaque state that the provider rejected earlier. refused is the
// value of caps.Caps.RefusedState. turn holds the items as JSON, separated by commas.
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
