// Package ollama is the codec of Ollama's own API, POST /api/chat, whose streams are lines of JSON. It translates
// requests and responses between JSON and the types of package callwright.
//
//	var c ollama.Codec
//	req, err := c.DecodeRequest(body)                           // from a client: indexes the body
//	out, notes, err := c.EncodeRequest(req, "qwen3:8b", caps)   // for a provider: the body with the necessary changes
//	resp, err := c.DecodeResponse(answer)                       // from a provider
//
// Peculiarities of this API:
//
//   - A response is streamed unless the request has "stream":false.
//   - The arguments of a call are a JSON object in requests and in responses. The content of a message is one string.
//     Its images are base64 strings in a member of their own.
//   - Calls and results may lack ids. A call in the history gets an id derived from its position. A result without an
//     id answers the first unanswered call of its tool.
//   - There is no tool_choice, no parallel_tool_calls and no strict. The caps say so ([caps.ShippedForWire]), and the
//     stages before the codec describe a required choice in the prompt. The codec leaves out tools that a choice does
//     not allow.
//   - The server ignores most keywords of a tool's schema. The schema adapter (caps.SchemaOllama) moves them to
//     descriptions.
//   - The API has no opaque state. That of other APIs is sent to clients packed by wire.Pack, in the members signature
//     of a call and thinking_signature of a message, and is never sent to a provider.
//
// Source: https://github.com/ollama/ollama (api/types.go, server/routes.go).
package ollama
