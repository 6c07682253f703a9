// Package vault keeps for a client what it cannot keep itself: the opaque state that a model wants back with its calls
// (signatures, encrypted reasoning), and reasoning that has to return. Clients of some APIs hand back nothing of a call but
// its id, its name and its arguments; by these the state is found again.
//
// What is kept of an answer is put together by a [Trail]; a [Memory] holds it, bounded in bytes, entries and time. A state
// belongs to one model and one owner and is found for no other.
//
// Ids are not always unique: models that count their calls begin anew in every conversation. So [Pick] gives a state only
// where the arguments mean the same, whatever their white space and order of members, and the turn stands in the same place:
// after the same words of the user and of tools, in a conversation that began with the same words. Where two different
// states would fit it gives none: a lost state costs quality, a wrong one is refused or worse.
//
// Clients that hand back no ids get the state of a call by what it says, [Call.WithoutID], under the same conditions, and each state
// once.
package signature
