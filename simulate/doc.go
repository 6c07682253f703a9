// Package simulate is a scripted model server for tests, the demonstration and the simulator. A [Server] is an http.Handler that
// speaks five wires, whole and streamed, and lists its models on each:
//
//	OpenAI Chat Completions  /v1/chat/completions
//	OpenAI Responses         /v1/responses
//	Anthropic Messages       /v1/messages
//	Google Gemini            /v1beta/models/{model}:generateContent and :streamGenerateContent, events with alt=sse, else an array
//	Ollama                   /api/chat, in lines
//	lists of models          /v1/models, /v1beta/models, /api/tags
//
// A [Script] decides what the model says from what the client sent; the server writes it on the client's wire. A [Turn] may
// carry a [Fault], a named way in which real models and servers misbehave: calls written as text, broken arguments,
// colliding ids, streams that break. [Faults] is the table of all of them, and says on which wires each one can be shown. Payloads
// are built as raw bytes by this package alone, because codecs cannot write what is broken, and so that a codec is never tested
// against itself.
//
// Every server refuses what it cannot make sense of. Real providers refuse far more, each in its own words: the table of [Checks]
// has what they look at, grouped into [Profiles]. A request is held to a profile where the model's name asks for it
// ("sim/strict-mistral", "strict-gemini-3/hermes-unclosed") or the server does ([Strict]). It is then refused with the status and
// the body that the provider would answer; a header names the check ([CheckHeader]).
//
// [Weather] is the script at hand: asked for the weather it calls get_weather, given results it answers, and the model's
// name picks the fault ("sim/hermes-unclosed"). After a correction it behaves, as models mostly do.
//
// Nothing depends on time or chance: one request always gets one answer, but for faults that say they pass.
package simulate
