package gemini

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// sentinels are signatures that Gemini accepts in place of a lost one.
// https://ai.google.dev/gemini-api/docs/thought-signatures
var sentinels = []string{kit.SignatureSentinel, "context_engineering_is_the_way_to_go"}

func isSentinel(signature string) bool { return signature == sentinels[0] || signature == sentinels[1] }

// encodeCarrier encodes packed opaque state in base64, because thoughtSignature is of type bytes and some clients
// decode and encode it.
func encodeCarrier(carrier string) string { return base64.StdEncoding.EncodeToString([]byte(carrier)) }

// decodeSignature returns r with the opaque state of a thoughtSignature, which is a JSON string. It unpacks the state
// of another API.
func decodeSignature(r callwright.Reasoning, signature []byte) callwright.Reasoning {
	s := jsonx.TextOf(signature)
	r.Origin = origin
	if !strings.HasPrefix(s, wire.CarrierMark64) {
		r.Signature = s
		return r
	}
	plain := strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(s, "="))
	carrier, err := base64.RawStdEncoding.DecodeString(plain)
	if err != nil || !bytes.HasPrefix(carrier, []byte(wire.CarrierMark)) {
		carrier = []byte(wire.CarrierMark) // damaged: the result has an unknown origin
	}
	r, _ = wire.Unpack(r, string(carrier))
	return r
}

// fromOwnWire reports whether opaque state of the origin o came over this API.
func fromOwnWire(o callwright.Origin) bool { return o.Wire == callwright.WireGemini }

// encodeSignature returns the thoughtSignature of reasoning for a client, "" if it has none. State of other APIs is
// packed.
func encodeSignature(r callwright.Reasoning) string {
	switch {
	case r.Signature == "" && r.Redacted == "":
		return ""
	case fromOwnWire(r.Origin):
		return r.Signature
	}
	return encodeCarrier(wire.Pack(r))
}

// callSignature returns the thoughtSignature of a call for a client, "" if it has none. State of other APIs is packed.
func callSignature(c callwright.Call) string {
	if c.Signature == "" || fromOwnWire(c.Origin) {
		return c.Signature
	}
	return encodeCarrier(wire.PackCall(c))
}
