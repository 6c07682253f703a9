package refusal

import (
	"cmp"

	"github.com/callwright/callwright"
)

// Refine classifies an error by its message (words). by is the kind that status and code determine. If it is decisive,
// the message is ignored. own is the kind that a Callwright gateway reported, "" if the error is from another server;
// the message then only adds a feature. recovered is the model output that the message quotes, "" for none. With such
// output the kind is always KindRefusedCall.
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

// IsDecisive reports whether an error of the kind k is classified by status and code alone, without its message.
// Messages about limits, keys and money mention features that are not the cause.
func IsDecisive(k callwright.Kind) bool {
	switch k {
	case callwright.KindAuth, callwright.KindBilling, callwright.KindRateLimited, callwright.KindTimeout, callwright.KindCanceled:
		return true
	}
	return false
}
