package openai

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/sse"
)

// HidesUsage is the codec for clients that did not ask for the usage of a stream, where their provider was asked for it.
func (c Codec) HidesUsage() wire.Codec { return usageHider{c} }

type usageHider struct{ Codec }

// NewStreamEncoder makes an encoder that leaves out the chunk with the usage of a stream.
func (usageHider) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	e := newEncoder(req)
	e.hidesUsage = true
	return e
}

// withoutUsage returns the bytes of a frame without chunks that have usage and nothing else.
func (e *streamEncoder) withoutUsage(frame []byte) []byte {
	if !bytes.Contains(frame, []byte(`"usage"`)) {
		return frame
	}
	var out []byte
	in := sse.NewReader(bytes.NewReader(frame), sse.MaxEvent(len(frame)+1))
	for {
		switch ev, err := in.Next(); {
		case err != nil: // the end
			return out
		case onlyUsage(ev.Data):
			e.Left(callwright.Note{Rule: "response.usage", Path: "/stream_options", Was: callwright.Excerpt(string(ev.Data))})
		default:
			out = append(out, ev.Raw...)
		}
	}
}

// onlyUsage reports whether a chunk has usage and no choice.
func onlyUsage(data []byte) bool {
	if data = jsonx.Trim(data); !jsonx.ValidObject(data) {
		return false
	}
	usage, _ := jsonx.Find(data, "usage")
	choices, _ := jsonx.Find(data, "choices")
	return jsonx.IsObject(usage) && len(slices.Collect(jsonx.Elements(choices))) == 0
}
