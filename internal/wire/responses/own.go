package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// own is the wire of this codec.
const own = kit.Own(callwright.WireResponses)

// writer appends JSON of this wire.
type writer struct{ kit.Writer }

func newWriter(dst []byte) writer { return writer{own.Writer(dst)} }
