// Package answer finds the text for the user and the directives in the text of a model's response. The response may
// have the requested document (see package directive), several documents or an incomplete one, with text, code blocks
// and reasoning around them. The package does not know the directive types.
//
// A [Reader] processes the text in chunks, in linear time. Its results are final and do not depend on the chunking.
package answer
