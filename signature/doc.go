// Package signature stores reasoning signatures: the opaque state that a model needs back with its calls (signatures,
// encrypted reasoning), for clients that drop it. Clients of some APIs send back only the id, the name and the
// arguments of a call.
//
//	client := reliable.New(model, reliable.WithSignatures(signature.NewMemory(nil, signature.Limits{})))
//
// A [Store] holds the states. [Memory] is one in memory, bounded in bytes, entries and time. A state belongs to one
// model and one owner and is found for no other.
//
// Ids are not always unique: some models number their calls anew in every conversation. [Pick] returns a state only
// where the arguments mean the same and the turn stands in the same place: after the same words of the user and of
// tools, in a conversation with the same beginning. It returns none where two different states would fit. Clients that
// send back no ids are served by [Call.WithoutID], under the same conditions.
package signature
