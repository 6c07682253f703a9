// Package simulate is a model server without a model, which misbehaves on command: for tests of agents, gateways and
// clients. A [Server] is an http.Handler that speaks five wires, whole and streamed, and lists its models on each:
//
//	OpenAI Chat Completions  /v1/chat/completions
//	OpenAI Responses         /v1/responses
//	Anthropic Messages       /v1/messages
//	Google Gemini            /v1beta/models/{model}:generateContent and :streamGenerateContent, events with alt=sse, else an array
//	Ollama                   /api/chat, in lines
//	lists of models          /v1/models, /v1beta/models, /api/tags
//
// A [Script] decides what the model says from what the client sent; the server writes it on the client's wire.
// [AnyTools] uses whatever tools a request offers, with arguments that satisfy their schemas; [Recorded] plays what
// models once said; [Weather] knows one tool, which is enough for most tests; any function of a [Seen] is another.
//
// A [Fault] is a named way in which real models and servers misbehave: calls written as text, broken arguments,
// colliding ids, streams that break, requests that are refused. [Faults] is the table of all of them and says on which
// wires each one can be shown; [Classes] are the classes of failures in public reports, and [FaultsOf] gives the faults
// that show one. A fault is asked for
//
//   - by a script, in a [Turn];
//   - by the model's name, under the scripts of this package: "sim/hermes-unclosed". After a correction it is gone, as models mostly behave then,
//     but where it is steady;
//   - by a [Mix], with a probability. [Families] are mixes for kinds of models, every number with its source.
//
// Payloads are built as raw bytes by this package alone, because codecs cannot write what is broken, and so that a
// codec is never tested against itself.
//
// Every server refuses what it cannot make sense of. Real providers refuse far more, each in its own words: the table
// of [Checks] has what they look at, grouped into [Profiles]. A request is held to a profile where the model's name
// asks for it ("sim/strict-mistral", "strict-gemini-3/hermes-unclosed") or the server does ([Strict]). It is then
// refused with the status and the body that the provider would answer; a header names the check ([CheckHeader]).
//
// Nothing depends on time or chance: one request always gets one answer, but for faults that say they pass and for what
// is drawn from a mix, by a seed.
package simulate
