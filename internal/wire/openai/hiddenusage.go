package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// HidesUsage is the codec for clients that did not ask for the usage of a stream, where their provider was asked for
// it.
func (c Codec) HidesUsage() wire.Codec { return variant{Codec: c, hidesUsage: true} }

// JoinsCalls is the codec for clients that read each call of a stream in one piece, as Mistral's API sends it.
func (c Codec) JoinsCalls() wire.Codec { return variant{Codec: c, joinsCalls: true} }

// variant is the codec for clients with wishes about streams.
type variant struct {
	Codec
	hidesUsage, joinsCalls bool
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

// NewStreamEncoder makes an encoder that follows the wishes.
func (v variant) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	e := newEncoder(req)
	e.hidesUsage, e.joinsCalls = v.hidesUsage, v.joinsCalls
	return e
}
