// Package caps holds what is known of what a model can do: the modes in which tools can be conveyed to it, the rules its
// provider insists on, and where each fact comes from.
//
// Facts are layered: built-in defaults, the shipped table, what the provider lists, what a probe found, what traffic
// taught (with an expiry), what the user configured, and what an operator has set over that; a later layer outranks an earlier one, member by
// member.
// [ShippedFor] and [ShippedForWire] are the shipped tables; a [Shelf] keeps the learned layer, and [Memory] is one in memory.
package caps
