// Package items decodes the items of the Responses API: the role of the message that an item belongs to, the type of a
// call or call output, the callwright name of a tool inside a namespace, and the parts of an item.
package items
