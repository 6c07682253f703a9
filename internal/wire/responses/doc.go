// Package responses is the codec of OpenAI's Responses API, which other servers also implement. It translates requests
// and responses between JSON and the types of package callwright.
//
//	var c responses.Codec
//	req, err := c.DecodeRequest(body)                        // from a client: indexes the body
//	out, notes, err := c.EncodeRequest(req, "gpt-x", caps)   // for a provider: the body with the necessary changes
//	resp, err := c.DecodeResponse(answer)                    // from a provider
//
// A conversation in this API is a list of items. Successive items of the model (reasoning, texts, calls, items of tools
// that the provider runs) become one assistant message. Successive call outputs become one message of results. Every
// other item becomes a message of its own. Members of an item beside its content are kept as Extra of the parts that
// the item is decoded to.
//
// # Tools
//
// A tool inside a namespace gets the name NAMESPACE__NAME, cut to 64 characters, which other APIs accept. Calls of it
// are encoded for the client with its namespace and name, which the codec finds in the tools of the request. If two
// tools of a request would get the same name, the later one gets a suffix, and the request is sent with plain functions
// in place of namespaces.
//
// Tools that the API defines and the client runs (local_shell, shell, apply_patch, and tool_search with execution
// "client") become functions with the schema of their calls. For clients and providers of this API, their calls are
// encoded as items of their own types. Tools that the provider runs are of type callwright.HostedTool. Other codecs
// leave them out with a note.
//
// # State
//
// The codec is stateless. Codec.Continue and Codec.Items serve gateways that store responses for previous_response_id.
// Reasoning is sent back with its encrypted content, right before the item that followed it. Opaque state of other APIs
// reaches clients as the encrypted content of a reasoning item, packed by wire.Pack.
package responses
