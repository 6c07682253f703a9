package refusal

import (
	"cmp"

	"github.com/callwright/callwright"
)

// Refine returns the error for a refusal whose kind its status and its code leave open, by its words. own is the kind
// that a gateway like this one gave it, "" without: the words of such a gateway decide only open questions. recovered
// is the model's text inside the words.
func (w *Wire) Refine(own, by callwright.Kind, words string) (c Class, recovered string) {
	if recovered = Echo(words); recovered != "" {
		return Class{Kind: callwright.KindRefusedCall}, recovered
	}
	by = cmp.Or(own, by)
	if own == "" && IsDecisive(by) {
		return Class{Kind: by}, ""
	}
	if c, said := w.Read(words); said && (own == "" || own == c.Kind) {
		return c, ""
	}
	return Class{Kind: by}, ""
}

// IsDecisive reports whether the status and the code of an error decide its kind by themselves, so that its words are
// not read: words about limits, keys and money name much that is no fault of the request.
func IsDecisive(k callwright.Kind) bool {
	switch k {
	case callwright.KindAuth, callwright.KindBilling, callwright.KindRateLimited, callwright.KindTimeout, callwright.KindCanceled:
		return true
	}
	return false
}
