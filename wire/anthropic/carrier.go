package anthropic

import (
	"encoding/base64"
	"strings"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Opaque state of other wires travels to clients inside a thinking signature, or inside redacted thinking where there is
// no text, because clients hand both back unchanged. The carrier is the mark and the state as an object in base64url:
//
//	w wire and m model of the origin, s signature, r redacted, i id, x extra members, xw their wire
//
// A request with such blocks is never passed on to this API as it came.
const carrierMark = "callwright.v1."

// load is the carrier for reasoning of another wire.
func load(r callwright.Reasoning) string {
	var list jsonx.List
	for _, m := range []struct{ name, value string }{
		{"w", string(r.Origin.Wire)}, {"m", string(r.Origin.Model)}, {"s", r.Signature}, {"r", r.Redacted},
		{"i", r.ID}, {"xw", string(r.Extra.Wire)},
	} {
		if m.value != "" {
			list.Set(m.name, jsonx.AppendQuote(nil, m.value))
		}
	}
	if r.Extra.JSON != nil {
		list.Set("x", r.Extra.JSON)
	}
	return carrierMark + base64.RawURLEncoding.EncodeToString(list.Append(nil))
}

// unload gives back the reasoning a carrier was made of; r itself when signature is no carrier.
func unload(r callwright.Reasoning, signature string) callwright.Reasoning {
	packed, ok := strings.CutPrefix(signature, carrierMark)
	if !ok {
		return r
	}
	r.Signature, r.Redacted, r.Origin, r.Extra = "", "", callwright.Origin{}, callwright.Extra{}
	state, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil || jsonx.Valid(state) != nil || jsonx.KindOf(state) != jsonx.Object {
		r.Origin.Wire = "unknown" // a damaged carrier belongs nowhere
		return r
	}
	list, _ := jsonx.ParseObject(state)
	get := func(name string) string {
		v, _ := list.Get(name)
		return text(v)
	}
	r.Signature, r.Redacted, r.ID = get("s"), get("r"), get("i")
	r.Origin = callwright.Origin{Wire: callwright.WireName(get("w")), Model: callwright.ModelID(get("m"))}
	if r.Origin.Wire == "" {
		r.Origin.Wire = "unknown"
	}
	if x, ok := list.Get("x"); ok {
		r.Extra = callwright.Extra{Wire: callwright.WireName(get("xw")), JSON: x}
	}
	return r
}

// foreign tells whether reasoning came from elsewhere, so that its opaque state means nothing to this API.
func foreign(o callwright.Origin) bool { return o.Wire != callwright.WireAnthropic }
