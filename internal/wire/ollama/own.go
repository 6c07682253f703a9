package ollama

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

const own = kit.API(callwright.WireOllama)

// writer appends JSON of the Ollama API to a buffer.
type writer struct{ kit.Writer }

func newWriter(dst []byte) writer { return writer{own.Writer(dst)} }
