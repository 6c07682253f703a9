// Package ollama is the codec of Ollama's own API, POST /api/chat with streams of JSON lines.
//
//	var c ollama.Codec
//	req, err := c.DecodeRequest(body)                         // from a client: an index, nothing decoded yet
//	out, notes, err := c.EncodeRequest(req, "qwen3:8b", caps) // to a server: the same bytes but for the changes
//	resp, err := c.DecodeResponse(answer)
//
// Peculiarities of this API:
//
//   - A request without the member stream is for a streamed answer.
//   - Arguments are objects in both directions, images base64 text beside the content, which is always one text.
//   - Calls and results may come without ids. Such a call of the history gets an id from its place, the same in every
//     request; such a result belongs to the first unanswered call of its tool.
//   - There is no tool_choice, no switch for parallel calls and no strict. Capabilities say so ([caps.ShippedForWire])
//     and the stages above the codec put a choice into words; the codec itself leaves out tools that a choice does not
//     allow.
//   - The server keeps only some keywords of a parameter's schema and silently drops the others. Their contents go into
//     the description.
//   - Nothing opaque belongs to this API. State of other wires travels to its clients as a carrier in the member
//     signature of a call and thinking_signature of a message, and is never sent to a server.
//
// Facts are from the server's source, https://github.com/ollama/ollama (api/types.go, server/routes.go).
package ollama
