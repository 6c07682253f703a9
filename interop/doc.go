// Package interop converts single tools, tool calls and tool results between JSON formats and the types
// [callwright.Tool], [callwright.Call] and [callwright.Result]. The formats are those of the APIs of OpenAI, Anthropic,
// Gemini and Ollama, of MCP, and a generic one. The package is for programs with their own HTTP client, store or tool
// runner.
//
// A [Form] describes a format as data: the paths of its members. A program can define a Form for its own format and
// call the same methods; no registration is needed.
//
// Members that the types have no field for are kept in Extra. Reading and writing a value in one format therefore loses
// nothing. Written in another format, a value keeps the parts that the format can express, and notes name the others.
// Arguments and schemas are never decoded: numbers and the order of members do not change.
package interop
