// Package gemini is the codec of Google's generateContent, POST /v1beta/models/NAME:generateContent and
// :streamGenerateContent.
//
//	var c gemini.Codec
//	req, err := c.DecodeRequest(body)                                 // from a client: an index, nothing decoded yet
//	out, notes, err := c.EncodeRequest(req, "gemini-3-flash", caps)   // to a provider: the bytes but for the changes
//	resp, err := c.DecodeResponse(answer)
//
// Peculiarities of this API:
//
//   - The model's name and whether the answer streams stand in the path. A decoded Request has neither: its caller sets
//     Model and Params.Stream.
//   - Keys may come in camel case or with underscores. New members are written in camel case; edited members keep their
//     keys.
//   - Arguments are objects in both directions. Calls and results may come without ids: a call of the history gets one
//     from its place, a call of an answer one from the answer, and a result belongs to the first unanswered call of its
//     tool. Ids that did not come from this API are not sent to it.
//   - All results of a turn's calls stand in one content right after it, in the same order.
//   - A thoughtSignature returns on the part it came on. The thoughtSignature of a call is its Signature; that of a
//     text follows the text as [callwright.Reasoning] without text. State of other wires travels to clients in the same
//     member, as a carrier in base64, since the member is bytes, and is never sent to a provider.
//   - Schemas under parameters and responseSchema are OpenAPI's. Tool.Schema is their meaning in JSON Schema; the
//     original goes back to this API.
//   - A stream has no end mark: it ends with the body. Its last chunk is held until then. Clients that do not ask for
//     events get one JSON array, see [Codec.Arrays].
//
// Facts are from https://ai.google.dev/api/generate-content and
// https://ai.google.dev/gemini-api/docs/thought-signatures.
package gemini
