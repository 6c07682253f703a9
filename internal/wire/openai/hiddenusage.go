package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
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
