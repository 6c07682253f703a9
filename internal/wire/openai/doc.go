// Package openai is the codec of the Chat Completions API: of OpenAI itself and of the many servers that speak nearly
// the same. What they do differently and can be told from the bytes alone is understood here; what only a model or a
// provider insists on comes as caps.
//
//	var c openai.Codec
//	req, err := c.DecodeRequest(body)                         // from a client: an index, nothing decoded yet
//	out, notes, err := c.EncodeRequest(req, "gpt-x", caps)    // to a provider: the same bytes but for what differs
//	resp, err := c.DecodeResponse(answer)
//
// A request is read lazily: one scan finds the shape of the history (Body.Summaries), messages and tools are decoded
// when a stage asks for them. JSON values alias the body.
//
// Answers are read whatever the finish reason says: calls decide. Fragments of streamed calls are put together also
// where indices or ids are missing, repeated or wrong, and calls come out one after another. Where the bytes had to be
// understood against their wording, the answer has a note and no Raw, so that clients get a clean encoding.
package openai
