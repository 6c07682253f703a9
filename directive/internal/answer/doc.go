// Package answer finds the text for the user and the directives, as written, in the text of a model's answer. The
// answer may hold the requested document, several documents or a part of one, with text, code fences and reasoning
// around it. The package does not know the types of directives.
//
// A [Reader] takes the text piece by piece and in linear time. It never takes back a finding, and its findings are the
// same for any chunking of a text.
package answer
