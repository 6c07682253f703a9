package wire

import "github.com/callwright/callwright"

// LeftOut are notes on parts that an encoder has left out of the stream that it wrote, as its client's API has no place
// for them.
func LeftOut(e StreamEncoder) []callwright.Note {
	if n, ok := e.(interface{ LeftOut() []callwright.Note }); ok {
		return n.LeftOut()
	}
	return nil
}

// Room returns how many bytes a short stream takes, about. It is 0 where the encoder does not know it.
func Room(e StreamEncoder) int {
	if r, ok := e.(interface{ Room() int }); ok {
		return r.Room()
	}
	return 0
}

// An Arrayer is a Codec of an API whose clients may have a stream as one JSON array in place of events.
type Arrayer interface {
	// Arrays is the codec for such clients.
	Arrays() Codec
}

// A UsageHider is a Codec of an API whose clients say whether a stream has its usage at the end.
type UsageHider interface {
	// HidesUsage is the codec for clients that did not say so, where the provider was asked for it all the same.
	HidesUsage() Codec
}

// A CallJoiner is a Codec of an API some of whose clients read each call of a stream in one piece.
type CallJoiner interface {
	// JoinsCalls is the codec for such clients: a call is sent once it is whole.
	JoinsCalls() Codec
}

// A Compactor is a Codec of an API whose clients may ask for a compaction of their conversation at a path of its own.
type Compactor interface {
	// Compacts is the codec for such clients: every request that it decodes asks for a compaction.
	Compacts() Codec
}

// A Completer is a Codec of an API whose clients may ask for the completion of a prompt at a path of its own.
type Completer interface {
	// Completes is the codec for such clients: requests are chats to all behind it, and their answers are written as
	// completions.
	Completes() Codec
	// Templated reports whether such a request asks for what only a server of the API itself can do, as no chat says
	// it. The codec refuses it, or leaves out what can be left out, with a note.
	NeedsSameAPI(body []byte) bool
}

// Earlier has the settings of a request about earlier answers.
type Earlier struct {
	ID     string // of the answer that it goes on from, "" for none
	Stores bool   // its own answer may be kept
	Keeper string // the member that names a conversation which its provider would keep, "" for none
}

// A Continuer is a Codec of an API whose requests may continue an earlier answer that the server keeps. All methods are
// linear, leave their arguments as they are and return bytes of their own; unchanged parts stay byte for byte. Errors
// are *callwright.Error.
type Continuer interface {
	// Earlier reads the settings of a body about earlier answers, as far as the body is JSON.
	Earlier(body []byte) Earlier
	// Continue is the body with the items of earlier, a JSON list, before its own input, and without its reference to
	// the earlier answer.
	Continue(body, earlier []byte) ([]byte, error)
	// Items lists what a later request goes on from: the input items of the body, then the output items of its answer.
	Items(body, answer []byte) ([]byte, error)
}
