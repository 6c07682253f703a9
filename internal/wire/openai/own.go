package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// own is the name of this API. Its methods read and write callwright.Extra objects, whose members only this codec
// understands.
const own = kit.API(callwright.WireOpenAI)

// writer appends JSON of the Chat Completions API to a buffer.
type writer struct{ kit.Writer }

func newWriter(dst []byte) writer { return writer{own.Writer(dst)} }
