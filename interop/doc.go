// Package interop reads and writes single tools, calls and results in the shapes that other programs have them in: the APIs
// of OpenAI, Anthropic, Gemini and Ollama, MCP, and a generic form. It is for programs that keep their own HTTP client, their
// own store or their own tool runner, and want [callwright.Tool], [callwright.Call] and [callwright.Result] of what they have.
//
// A [Form] is data: the places of the members. A program's own format is a value like the ones here, handed to whoever
// needs it; nothing is registered.
//
// What is read keeps what the vocabulary has no place for as Extra, so that reading and writing in one format loses no
// member. What is written in another format than it was read in keeps what that format can carry, and a note says what it
// cannot. Arguments and schemas are JSON text from end to end: no number changes, no member moves.
package interop
