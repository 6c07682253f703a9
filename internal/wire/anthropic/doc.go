// Package anthropic is the codec of the Anthropic Messages API, whole and streamed, towards clients and towards
// providers.
//
// Requests are indexed by one validating scan and one walk: the small members become Params, the shape of the history
// becomes an outline, and messages and tools are decoded only when a stage asks for them. A request that came over this
// wire and was not changed leaves as the bytes it came as, with another model name; where messages were changed, the
// untouched ones keep their bytes.
//
// What this API demands of a history is the work of requestEncoder, each change with a note: the system text at the
// top, user and assistant in turn, all results of a turn in one user message before its text, inputs that are objects,
// no empty text, an output limit.
//
// # Reasoning of other wires
//
// Clients of this API hand thinking blocks back as they got them, and refuse to lose the signature. Reasoning that did
// not come from this API is therefore given to clients with a signature of our own that holds its origin and its opaque
// state (see [wire.CarrierMark]); when it returns it is the same reasoning again, for the wire it came from, and it
// never goes to Anthropic.
package anthropic
