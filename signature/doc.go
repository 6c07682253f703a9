// Package signature stores reasoning signatures: opaque state, such as signatures and encrypted reasoning, that a
// model requires back with its calls. Clients of some APIs send back only the ID, the name and the arguments of a call
// and lose this state.
//
//	client := reliable.New(model, reliable.WithSignatures(signature.NewMemory(nil, signature.Limits{})))
//
// A [Store] keeps the state. [Memory] is a Store in memory, with limits on bytes, entries and time. State is found
// only for the model and the owner for which it was kept.
//
// Call IDs are not always unique: some models number the calls of every conversation from the start. [Pick] therefore
// returns a state only if the arguments are equal and the turn is at the same [Place]: after the same user texts and
// tool results, in a conversation with the same beginning. It returns none if two different states match. For clients
// that send back no IDs, use [Call.WithoutID] under the same conditions.
package signature
