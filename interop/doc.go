// Package interop reads and writes single tools, calls and results in the forms of other programs: the APIs of OpenAI,
// Anthropic, Gemini and Ollama, MCP, and a generic form. It is for programs that keep their own HTTP client, their own
// store or their own tool runner, and need their data as [callwright.Tool], [callwright.Call] and [callwright.Result].
//
// A [Form] is data: the places of the members. A program's own format is a value like the ones here, passed to the
// functions that need it; nothing is registered.
//
// Members that the vocabulary has no place for are kept as Extra, so that reading and writing in one format loses no
// member. Written in another format, a value keeps the parts that the format can carry, and notes name the others.
// Arguments and schemas are JSON text from end to end: no number changes, no member moves.
package interop
