// Package answer finds, in the text of a model's answer, what the user is to read and the directives as they were
// written: in the document that the model was asked for, in several or in a part of one, with text, code fences and
// reasoning around it. It does not know the types of directives.
//
// A [Reader] is fed the text as it comes. It is linear, never takes back what it said, and finds the same however the
// text is cut.
package answer
