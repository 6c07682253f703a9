// Package openai is the codec of the Chat Completions API: of OpenAI itself and of the many servers that speak nearly
// the same. Differences that the bytes alone show are handled here; the demands of a single model or provider come as
// caps.
//
//	var c openai.Codec
//	req, err := c.DecodeRequest(body)                         // from a client: an index, nothing decoded yet
//	out, notes, err := c.EncodeRequest(req, "gpt-x", caps)    // to a provider: the same bytes but for the changes
//	resp, err := c.DecodeResponse(answer)
//
// A request is read lazily: one scan finds the shape of the history (Body.Summaries), messages and tools are decoded
// when a stage asks for them. JSON values alias the body.
//
// Answers are read whatever the finish reason says: calls decide. Fragments of streamed calls are put together also
// where indices or ids are missing, repeated or wrong, and calls come out one after another. Where the reading had to
// correct the bytes, the answer has a note and no Raw, so that clients get a clean encoding.
package openai
