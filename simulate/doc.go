// Package simulate is a simulated model server that misbehaves on command, for tests of agents, gateways and clients. A
// [Server] is an http.Handler that speaks five wires, whole and streamed, and lists its models on each:
//
//	OpenAI Chat Completions  /v1/chat/completions
//	OpenAI Responses         /v1/responses
//	Anthropic Messages       /v1/messages
//	Google Gemini            /v1beta/models/{model}:generateContent and :streamGenerateContent, events with alt=sse, else an array
//	Ollama                   /api/chat, in lines
//	lists of models          /v1/models, /v1beta/models, /api/tags
//
// A [Script] returns the turn of the model for a client's request; the server writes the turn on the client's wire.
// [AnyTools] calls any tools of a request, with arguments that satisfy their schemas. [Recorded] plays recorded turns
// of models. [Weather] knows one tool, which is enough for most tests. Any function of a [Seen] is a Script.
//
// A [Fault] is a named way in which real models and servers misbehave: calls written as text, broken arguments,
// colliding ids, streams that break, requests that are refused. [Faults] is the table of all faults with the wires of
// each; [Classes] are the classes of failures in public reports, and [FaultsOf] gives the faults that show one. A fault
// is asked for
//
//   - by a script, in a [Turn];
//   - by the model's name, under the scripts of this package: "sim/hermes-unclosed". After a correction it is gone, as
//     models mostly behave then, but where it is steady;
//   - by a [Mix], with a probability. [Families] are mixes for kinds of models, every number with its source.
//
// This package builds payloads as raw bytes, because codecs cannot write broken payloads, and so that a codec is never
// tested against itself.
//
// Every server refuses requests that it cannot read. Real providers refuse far more, each with its own messages: the
// table of [Checks] has their conditions, grouped into [Profiles]. A request is checked against a profile where the
// model's name asks for it ("sim/strict-mistral", "strict-gemini-3/hermes-unclosed") or the server does ([Strict]). It
// is then refused with the status and the body that the provider would answer; a header names the check
// ([CheckHeader]).
//
// Nothing depends on time or chance: the same request always gets the same answer. Exceptions are faults that say they
// pass, and faults drawn from a mix, by a seed.
package simulate
