// Package refusal classifies the error messages with which providers reject a request.
//
// A gateway in front of a provider forwards the provider's message, so that any message may arrive over any API.
// Therefore this package classifies the messages of all APIs for all codecs. Only the specifics of an API stay in its
// codec: the format of an error, its codes, and the names of request members ([Wire.Own]).
//
//   - [Wire.Read] classifies a message by its wording.
//   - [Wire.Member] classifies the rejection of a request member.
//   - [Wire.Refine] classifies an error by its message, status and code. [Echo] extracts model output that the message
//     quotes.
package refusal
