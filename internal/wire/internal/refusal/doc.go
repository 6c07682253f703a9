// Package refusal reads the error messages with which providers refuse a request.
//
// A gateway forwards the message of the provider behind it, so that any message may come over any API. The messages of
// all APIs are therefore classified here, for all codecs. A codec keeps the peculiarities of its API: the shape of an
// error, its codes, and the names of its members ([Wire.Own]).
//
//   - [Wire.Read] returns the class of a refusal by its message
//   - [Wire.Member] returns the class of the refusal of a member
//   - [Wire.Refine] returns the class by the message, a status and a code, and [Echo] finds the model's text in the
//     message
package refusal
