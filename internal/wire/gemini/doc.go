// Package gemini is the codec of Google's Gemini API: POST /v1beta/models/NAME:generateContent and
// :streamGenerateContent. It translates requests and responses between JSON and the types of package callwright.
//
//	var c gemini.Codec
//	req, err := c.DecodeRequest(body)                                 // from a client: indexes the body
//	out, notes, err := c.EncodeRequest(req, "gemini-3-flash", caps)   // for a provider: the body with changes
//	resp, err := c.DecodeResponse(answer)                             // from a provider
//
// Peculiarities of this API:
//
//   - The URL path contains the model's name and whether the response is streamed. A decoded Request has neither: the
//     caller sets Model and Params.Stream.
//   - Names of members may be in camel case or in snake case. The codec writes new members in camel case. Existing
//     members keep their names.
//   - The arguments of a call are a JSON object in requests and in responses. Calls and results may lack ids. A call in
//     the history gets an id derived from its position, a call in a response one derived from the response. A result
//     without an id answers the first unanswered call of its function. Generated ids are not sent to this API.
//   - All results of the calls of a turn are in one content directly after it, in the order of the calls.
//   - A thoughtSignature must be sent back with the part that it came with. That of a call is its Signature. That of a
//     text is a [callwright.Reasoning] without text, after the text. Opaque state of other APIs is sent to clients in
//     the same member, packed by wire.Pack and encoded in base64, and is never sent to a provider.
//   - Schemas in parameters and responseSchema are OpenAPI schemas. Tool.Schema is their translation to JSON Schema. A
//     provider of this API gets the original.
//   - A stream has no end mark. It ends with the HTTP body, and the decoder holds the last chunk back until then. A
//     client that does not request server-sent events gets one JSON array, see [Codec.Arrays].
//
// Sources: https://ai.google.dev/api/generate-content and https://ai.google.dev/gemini-api/docs/thought-signatures.
package gemini
