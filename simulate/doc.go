// Package simulate is a simulated model server that misbehaves on command, for tests of agents, gateways and clients. A
// [Server] is an http.Handler. It implements five APIs ("wires"), streamed and not streamed, and their lists of models:
//
//	OpenAI Chat Completions  /v1/chat/completions
//	OpenAI Responses         /v1/responses
//	Anthropic Messages       /v1/messages
//	Google Gemini            /v1beta/models/{model}:generateContent and :streamGenerateContent, events with alt=sse, else an array
//	Ollama                   /api/chat, in lines
//	lists of models          /v1/models, /v1beta/models, /api/tags
//
// A [Script] returns the model's turn for a request, and the server encodes the turn for the wire of the request.
// [AnyTools] calls any tools of a request, with arguments that satisfy their schemas. [Recorded] replays recorded turns
// of models. [Weather] knows one tool, which is enough for most tests. Any function from a [Seen] to a [Turn] is a
// Script.
//
// A [Fault] is a named way in which real models and servers misbehave: calls written as text, broken arguments,
// duplicate ids, broken streams, rejected requests. [Faults] is the table of all faults with the wires of each.
// [Classes] are the failure classes of public reports, and [FaultsOf] returns the faults that show a class. Faults are
// selected
//
//   - by a script, in a [Turn];
//   - by the model's name, with the scripts of this package: "sim/hermes-unclosed". Most faults end after a correction
//     by the client, as with real models; a fault with [FaultInfo].Steady continues;
//   - by a [Mix], with a probability. [Families] are mixes for types of models. Each of their numbers has a source.
//
// This package builds response bodies as raw bytes, because codecs cannot write broken bodies, and because a codec must
// not be tested with its own output.
//
// Every server rejects requests that it cannot parse. Real providers reject many more, each with its own messages. The
// table of [Checks] contains their conditions, grouped into [Profiles]. A request is checked against a profile if the
// model's name contains it ("sim/strict-mistral", "strict-gemini-3/hermes-unclosed") or if the server has the option
// [Strict]. A rejected request receives the status and the body of the provider, and the header [CheckHeader] with the
// check.
//
// Responses do not depend on time or chance: equal requests receive equal responses. The exceptions are faults that end
// by themselves, and faults drawn from a mix with a seed.
package simulate
