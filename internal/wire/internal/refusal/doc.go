// Package refusal reads what providers say when they refuse a request.
//
// A gateway passes on the words of the provider behind it, so that any words may come over any API: they are told apart
// here, for all codecs. A codec keeps what is its own: the shape of an error, its codes, and what its members are
// called ([Wire.Own]).
//
//   - [Wire.Read] tells what a refusal comes to, by its words
//   - [Wire.Member] tells what the refusal of a member comes to
//   - [Wire.Refine] tells it beside what a status and a code say, and [Echo] finds the model's text in the words
package refusal
