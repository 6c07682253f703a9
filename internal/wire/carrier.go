package wire

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// CarrierMark is the prefix of every carrier. A carrier is a string that holds opaque state of one API inside a member
// of another API that clients send back unchanged: a thinking signature, encrypted content or a thought signature.
// After the prefix follows a JSON object in unpadded base64url with these members:
//
//	w   API that the state came from
//	m   model that the state came from
//	s   signature
//	r   redacted reasoning
//	i   id of the reasoning
//	x   additional members
//	xw  API of the additional members
//	c   id of the tool call that the signature belongs to
//
// Codecs unpack the carriers in requests of clients. No carrier is ever sent to a provider.
const CarrierMark = "callwright.v1."

// CarrierMark64 is the prefix of every carrier that is encoded in base64 once more, as in a member of type bytes. It
// encodes the first 12 bytes of CarrierMark, so that it does not depend on the bytes that follow.
const CarrierMark64 = "Y2FsbHdyaWdodC52"

// Carries reports whether a request body of any API may contain a carrier, plain or in base64.
func Carries(body []byte) bool { return HasMark(body) || bytes.Contains(body, []byte(CarrierMark64)) }

// HasMark reports whether a request body contains CarrierMark.
func HasMark(text []byte) bool { return jsonx.Contains(text, CarrierMark) }

// unknownWire is the wire name for the state of a damaged carrier. It matches no API, so that no encoder sends the
// state.
const unknownWire callwright.WireName = "unknown"

// Pack returns a carrier with the opaque state of r: its signature, redacted data, id, origin and extra members. The
// text of r is not in it.
func Pack(r callwright.Reasoning) string { return pack(r, "") }

// PackCall returns a carrier with the signature, origin and id of the tool call c.
func PackCall(c callwright.Call) string {
	return pack(callwright.Reasoning{Signature: c.Signature, Origin: c.Origin}, c.ID)
}

// pack returns a carrier with the opaque state of r. call is the id of the tool call that the signature belongs to, ""
// for reasoning.
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

// Unpack decodes packed, which may be a carrier. out has the text of r and the opaque state of the carrier. If packed
// is no carrier, out is r unchanged. If the carrier is damaged, the origin of out is unknown. call is the id of the
// tool call that the signature belongs to, "" for reasoning.
func Unpack(r callwright.Reasoning, packed string) (out callwright.Reasoning, call string) {
	packed, ok := strings.CutPrefix(packed, CarrierMark)
	if !ok {
		return r, ""
	}
	r.Signature, r.Redacted, r.Origin, r.Extra = "", "", callwright.Origin{}, callwright.Extra{}
	state, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil || jsonx.Valid(state) != nil || jsonx.KindOf(state) != jsonx.Object {
		r.Origin.Wire = unknownWire
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
		r.Origin.Wire = unknownWire
	}
	if x, ok := list.Get("x"); ok {
		r.Extra = callwright.Extra{Wire: callwright.WireName(get("xw")), JSON: x}
	}
	return r, get("c")
}
