// Package fakellm is a scripted model server for tests, the demonstration and the simulator. A [Server] is an
// http.Handler that speaks OpenAI Chat Completions (/v1/chat/completions), Anthropic Messages (/v1/messages) and
// /v1/models on both, whole and streamed.
//
// A [Script] decides what the model says from what the client sent; the server writes it on the client's wire. A [Turn] may
// carry a [Fault], a named way in which real models and servers misbehave: calls written as text, broken arguments,
// colliding ids, streams that break. [Faults] is the table of all of them. Payloads are built as raw bytes by this
// package alone, because codecs cannot write what is broken, and so that a codec is never tested against itself.
//
// [Weather] is the script at hand: asked for the weather it calls get_weather, given results it answers, and the model's
// name picks the fault ("sim/hermes-unclosed"). After a correction it behaves, as models mostly do.
//
// Nothing depends on time or chance: one request always gets one answer, but for faults that say they pass.
package fakellm
