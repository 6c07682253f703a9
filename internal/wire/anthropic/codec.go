package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// Codec is the codec of the Messages API. Its zero value is ready for use; it has no state and is safe for concurrent
// use.
type Codec struct{}

var (
	_ wire.Codec            = Codec{}
	_ wire.RequestAppender  = Codec{}
	_ wire.ResponseAppender = Codec{}
)

// Name is "anthropic".
func (Codec) Name() callwright.WireName { return callwright.WireAnthropic }

// Target is the path of the Messages API below a base URL without version. It is the same for every model.
func (Codec) Target(string, bool) (path, query string) { return "/v1/messages", "" }

// Lines is false: streams are server-sent events.
func (Codec) Lines() bool { return false }
