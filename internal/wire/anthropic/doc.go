// Package anthropic is the codec of the Anthropic Messages API, whole and streamed, towards clients and towards
// providers.
//
// Requests are indexed by one validating scan and one walk: the small members become Params, the shape of the history
// becomes an outline, and messages and tools are decoded only when a stage asks for them. A request that came over this
// wire and was not changed is sent with the bytes that came, with another model name. Where messages were changed, the
// other messages keep their bytes.
//
// requestEncoder fits a history to the demands of this API, each change with a note: the system text at the top, user
// and assistant in turn, all results of a turn in one user message before its text, inputs that are objects, no empty
// text, an output limit.
//
// # Reasoning of other wires
//
// Clients of this API return thinking blocks unchanged, and refuse blocks without a signature. Reasoning of another API
// is therefore sent to clients with a signature of our own, which holds the origin and the opaque state of the
// reasoning (see [wire.CarrierMark]). When such a block returns, it is decoded to the same reasoning, for the wire it
// came from. It is never sent to Anthropic.
package anthropic
