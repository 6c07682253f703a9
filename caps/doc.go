// Package caps holds the known facts about the capabilities of models: the modes in which tools can be conveyed, the
// rules of their providers, and the source of each fact.
//
// Facts are layered: built-in defaults, the shipped table, the provider's list, the results of a probe, lessons of
// traffic (with an expiry), the user's configuration, and an operator's overrides; a later layer outranks an earlier
// one, member by member.
// [ShippedFor] and [ShippedForWire] are the shipped tables; a [CapsStore] keeps the learned layer, and [Memory] is one
// in memory.
package caps
