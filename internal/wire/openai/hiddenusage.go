package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// HidesUsage returns the codec for clients that did not ask for usage in a stream although the provider is asked for
// it. Its stream encoder drops the usage.
func (c Codec) HidesUsage() wire.Codec { return variant{Codec: c, hidesUsage: true} }

// JoinsCalls returns a codec whose stream encoder writes each call in one chunk, as Mistral's API does.
func (c Codec) JoinsCalls() wire.Codec { return variant{Codec: c, joinsCalls: true} }

// variant is a Codec with options for the streams that it encodes.
type variant struct {
	Codec
	hidesUsage, joinsCalls bool // set by the methods of these names
}

// HidesUsage implements [wire.UsageHider].
func (v variant) HidesUsage() wire.Codec {
	v.hidesUsage = true
	return v
}

// JoinsCalls implements [wire.CallJoiner].
func (v variant) JoinsCalls() wire.Codec {
	v.joinsCalls = true
	return v
}

// NewStreamEncoder returns a stream encoder with the options of v.
func (v variant) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	e := newEncoder(req)
	e.hidesUsage, e.joinsCalls = v.hidesUsage, v.joinsCalls
	return e
}
