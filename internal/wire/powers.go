package wire

import "github.com/callwright/callwright"

// LeftOut returns notes on the parts of a response that e omitted from its stream because the client's API cannot
// express them. The result is nil if e does not report omissions.
func LeftOut(e StreamEncoder) []callwright.Note {
	if n, ok := e.(interface{ LeftOut() []callwright.Note }); ok {
		return n.LeftOut()
	}
	return nil
}

// Room returns the approximate size in bytes of a short stream of e, for the first allocation of a buffer. It is 0 if e
// gives no estimate.
func Room(e StreamEncoder) int {
	if r, ok := e.(interface{ Room() int }); ok {
		return r.Room()
	}
	return 0
}

// An Arrayer is a Codec of an API that can send a stream as one JSON array rather than as server-sent events.
type Arrayer interface {
	// Arrays returns the codec whose streams are JSON arrays.
	Arrays() Codec
}

// A UsageHider is a Codec of an API in which a client must request the token usage of a stream.
type UsageHider interface {
	// HidesUsage returns a codec whose streams omit the usage. It is for clients that did not request the usage if the
	// gateway requested it from the provider for its own accounting.
	HidesUsage() Codec
}

// A CallJoiner is a Codec of an API with clients that expect each tool call of a stream in a single chunk.
type CallJoiner interface {
	// JoinsCalls returns a codec that sends a tool call only when its arguments are complete.
	JoinsCalls() Codec
}

// A Compactor is a Codec of an API that has a separate path for requests to compact a conversation.
type Compactor interface {
	// Compacts returns the codec for that path: it decodes every request as a request for a compaction.
	Compacts() Codec
}

// A Completer is a Codec of an API that has a separate path for text completions of a prompt.
type Completer interface {
	// Completes returns the codec for that path. It decodes a completion request into a chat request, and encodes the
	// response as a completion.
	Completes() Codec
	// NeedsSameAPI reports whether a completion request has a setting that no chat request can express, so that only a
	// server of the same API can fulfill it. The codec of Completes rejects such a request, or drops the setting with a
	// note.
	NeedsSameAPI(body []byte) bool
}

// ContinuationSettings has the settings of a request that refer to responses which the server keeps.
type ContinuationSettings struct {
	ID                 string // id of the response that the request continues, "" for none
	Stores             bool   // the server may keep the response to this request
	ConversationMember string // name of the request member that refers to a conversation kept by the provider, "" if absent
}

// A Continuer is a Codec of an API whose requests may continue an earlier response that the server keeps. All methods
// take time linear in their input, do not modify their arguments and copy unchanged parts byte for byte. Errors are
// *callwright.Error.
type Continuer interface {
	// ReadContinuation reads the settings from a request body. It ignores parts that are not valid JSON.
	ReadContinuation(body []byte) ContinuationSettings
	// Continue returns body with the items of earlier, a JSON list, inserted before its own input, and without the id of
	// the earlier response.
	Continue(body, earlier []byte) ([]byte, error)
	// Items returns a JSON list with the input items of a request body, then the output items of its response. A request
	// that continues this response needs these items as earlier.
	Items(body, answer []byte) ([]byte, error)
}
