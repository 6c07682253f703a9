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

// sentinels stand in place of a signature that was lost. Providers take them, nobody else knows them.
// https://ai.google.dev/gemini-api/docs/thought-signatures
var sentinels = []string{kit.SignatureSentinel, "context_engineering_is_the_way_to_go"}

func isSentinel(signature string) bool { return signature == sentinels[0] || signature == sentinels[1] }

// encodeCarrier is a carrier as clients hand it back: the member is bytes, which some decode and encode again.
func encodeCarrier(carrier string) string { return base64.StdEncoding.EncodeToString([]byte(carrier)) }

// decodeSignature is r with the opaque state of a thoughtSignature: that of another wire where it is a carrier, else
// this wire's own.
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
		carrier = []byte(wire.CarrierMark) // damaged: it belongs nowhere
	}
	r, _ = wire.Unpack(r, string(carrier))
	return r
}

// fromOwnWire reports whether opaque state is this wire's.
func fromOwnWire(o callwright.Origin) bool { return o.Wire == callwright.WireGemini }

// encodeSignature is the thoughtSignature that clients get for reasoning: this wire's own as it is, another's as a
// carrier.
func encodeSignature(r callwright.Reasoning) string {
	switch {
	case r.Signature == "" && r.Redacted == "":
		return ""
	case fromOwnWire(r.Origin):
		return r.Signature
	}
	return encodeCarrier(wire.Pack(r))
}

// sealedCall is the thoughtSignature that clients get for a call.
func sealedCall(c callwright.Call) string {
	if c.Signature == "" || fromOwnWire(c.Origin) {
		return c.Signature
	}
	return encodeCarrier(wire.PackCall(c))
}
