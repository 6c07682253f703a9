// Package responses is the codec of the Responses API: of OpenAI itself and of the servers that offer the same surface.
//
//	var c responses.Codec
//	req, err := c.DecodeRequest(body)                         // from a client: an index, nothing decoded yet
//	out, notes, err := c.EncodeRequest(req, "gpt-x", caps)    // to a provider: the same bytes but for the changes
//	resp, err := c.DecodeResponse(answer)
//
// A conversation is a list of items here. Successive items of the model (reasoning, texts, calls, items of tools that
// the provider ran) are one message of the assistant. Successive outputs are one message of results. Every other item
// is a message of its own. Members of an item beside its content travel with the parts made of the item.
//
// # Tools
//
// A tool inside a namespace has the name NAMESPACE__NAME in the vocabulary, which other wires take too, cut to 64
// characters; calls of it are written as the client knows it, by the tools of the request. Should two tools of a
// request come to one name, the later gets a tail, and the request is sent with plain functions in place of namespaces.
//
// Tools that the client runs though the API defines them (local_shell, shell, apply_patch, tool_search run by the
// client) are functions in the vocabulary, with the schema of their calls; their calls are items of their own types for
// clients and providers of this wire. Tools that the provider runs are hosted tools, which other wires leave out with a
// note.
//
// # State
//
// The codec keeps none. Continue and Items serve servers that keep answers for previous_response_id. Reasoning goes
// back with the encrypted content it came with, right before the item it led to. Opaque state of other wires reaches
// clients as the encrypted content of a reasoning item, in a carrier.
package responses
