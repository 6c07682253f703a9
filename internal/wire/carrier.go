package wire

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// CarrierMark begins every carrier. Opaque state of one wire travels to the clients of another inside a member of
// theirs that they hand back unchanged: a thinking signature, encrypted content, a thought signature. The carrier is
// the mark and the state as an object in base64url:
//
//	w wire and m model of the origin, s signature, r redacted, i id, x extra members, xw their wire,
//	c the id of the call that the signature belongs to
//
// A codec unpacks the carriers in requests of clients, so that no carrier is ever sent to a provider.
const CarrierMark = "callwright.v1."

// CarrierMark64 begins every carrier in a member of bytes, which is base64: it is the whole groups of CarrierMark.
const CarrierMark64 = "Y2FsbHdyaWdodC52"

// Carries reports whether a body of any wire may hold a carrier.
func Carries(body []byte) bool { return HasMark(body) || bytes.Contains(body, []byte(CarrierMark64)) }

// HasMark reports whether a body, or the history in it, holds the CarrierMark.
func HasMark(text []byte) bool { return jsonx.Contains(text, CarrierMark) }

// strangers is the wire of a damaged carrier: its state belongs to no wire.
const strangers callwright.WireName = "unknown"

// Pack returns the carrier for the opaque state of reasoning of another wire, without the text of the reasoning.
func Pack(r callwright.Reasoning) string { return pack(r, "") }

// PackCall is the carrier for the opaque state of a call of another wire.
func PackCall(c callwright.Call) string {
	return pack(callwright.Reasoning{Signature: c.Signature, Origin: c.Origin}, c.ID)
}

func pack(r callwright.Reasoning, call string) string {
	var list jsonx.List
	for _, m := range []struct{ name, value string }{
		{"w", string(r.Origin.Wire)}, {"m", string(r.Origin.Model)}, {"s", r.Signature}, {"r", r.Redacted},
		{"i", r.ID}, {"xw", string(r.Extra.Wire)}, {"c", call},
	} {
		if m.value != "" {
			list.Set(m.name, jsonx.AppendQuote(nil, m.value))
		}
	}
	if r.Extra.JSON != nil {
		list.Set("x", r.Extra.JSON)
	}
	return CarrierMark + base64.RawURLEncoding.EncodeToString(list.Append(nil))
}

// Unpack returns the reasoning that a carrier was made of, with the text of r, or r itself where packed is no carrier.
// call is the id of the call to which the signature belongs, "" for a signature of reasoning.
func Unpack(r callwright.Reasoning, packed string) (out callwright.Reasoning, call string) {
	packed, ok := strings.CutPrefix(packed, CarrierMark)
	if !ok {
		return r, ""
	}
	r.Signature, r.Redacted, r.Origin, r.Extra = "", "", callwright.Origin{}, callwright.Extra{}
	state, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil || jsonx.Valid(state) != nil || jsonx.KindOf(state) != jsonx.Object {
		r.Origin.Wire = strangers
		return r, ""
	}
	list, _ := jsonx.ParseObject(state)
	get := func(name string) string {
		v, _ := list.Get(name)
		return jsonx.TextOf(v)
	}
	r.Signature, r.Redacted, r.ID = get("s"), get("r"), get("i")
	r.Origin = callwright.Origin{Wire: callwright.WireName(get("w")), Model: callwright.ModelID(get("m"))}
	if r.Origin.Wire == "" {
		r.Origin.Wire = strangers
	}
	if x, ok := list.Get("x"); ok {
		r.Extra = callwright.Extra{Wire: callwright.WireName(get("xw")), JSON: x}
	}
	return r, get("c")
}
