// Package items tells what the items of the Responses API are: whose turn an item belongs to, which kind of call or result it is, what
// the tools inside namespaces are called in the vocabulary, and which parts an item comes to.
package items
