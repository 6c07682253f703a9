package anthropic

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
)

// Codec translates between the Messages API and the types of package callwright. The zero Codec is ready for use. It
// has no state and is safe for concurrent use.
type Codec struct{}

var (
	_ wire.Codec            = Codec{}
	_ wire.RequestAppender  = Codec{}
	_ wire.ResponseAppender = Codec{}
)

// Name returns callwright.WireAnthropic.
func (Codec) Name() callwright.WireName { return callwright.WireAnthropic }

// Target returns the path /v1/messages, relative to the provider's base URL, and no query. It is the same for every
// model, streamed or not.
func (Codec) Target(string, bool) (path, query string) { return "/v1/messages", "" }

// StreamsJSONLines returns false: streams of this API are server-sent events, not lines of JSON.
func (Codec) StreamsJSONLines() bool { return false }
