// Package anthropic is the codec of the Anthropic Messages API. It translates requests and responses, whole and
// streamed, between JSON and the types of package callwright.
//
// A request is decoded lazily. DecodeRequest validates the body, decodes the parameters and summarizes each message.
// Messages and tools are decoded at their first use. A request that came over this API and was not changed is sent with
// the same bytes, except for the model's name. If some messages were changed, the others keep their bytes.
//
// requestEncoder adapts a history to the rules of this API and adds a note for each change: the system prompt is a
// top-level member, user and assistant messages alternate, all results of an assistant message are in one user message
// before its text, the input of a call is an object, texts are not empty, and there is an output limit.
//
// # Reasoning of other APIs
//
// Clients of this API return thinking blocks unchanged and reject blocks without a signature. A client therefore
// receives reasoning of another API with a signature made by [wire.Pack], which contains the origin and the opaque
// state of the reasoning (see [wire.CarrierMark]). When the client returns the block, it is decoded to the original
// reasoning, for the API that it came from. It is never sent to Anthropic.
package anthropic
