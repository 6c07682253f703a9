// Package items classifies the items of the Responses API: whose turn an item belongs to, which kind of call or result
// it is, the names of tools inside namespaces in the vocabulary, and the parts of an item.
package items
