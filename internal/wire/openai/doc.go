// Package openai is the codec of OpenAI's Chat Completions API, which many other servers also implement. It translates
// requests and responses between JSON and the types of package callwright. It handles the differences between servers
// that are visible in the JSON. Facts about a single model or provider come in as [caps.Caps].
//
//	var c openai.Codec
//	req, err := c.DecodeRequest(body)                        // from a client: indexes the body
//	out, notes, err := c.EncodeRequest(req, "gpt-x", caps)   // for a provider: the body with the necessary changes
//	resp, err := c.DecodeResponse(answer)                    // from a provider
//
// A request is decoded lazily. DecodeRequest scans the body once and summarizes each message (Body.Summaries). Messages
// and tools are decoded at their first use. JSON values of the decoded request alias the body.
//
// In a response, the presence of tool calls decides over the finish reason. The stream decoder assembles the fragments
// of streamed calls even if their indices or ids are missing, repeated or wrong, and emits the calls one after another.
// If it had to correct something, the response has a note and no Raw bytes, so that the gateway encodes it anew for
// clients.
package openai
