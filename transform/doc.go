// Package transform changes requests and responses with named functions at five points:
//
//	point         a function gets                    when
//	tool_result   each result of the conversation    before the request is adapted to the model
//	message       each message of the conversation   after its results
//	tool          each declared tool                 before the tools are encoded or described
//	response      the complete response              before calls are searched in its text
//	tool_call     each call of the response          before it is validated
//
// [Builtins] are transforms of this package. Most are names from other programs for rules that always apply. [Presets]
// are named lists of transforms. [OnMessage], [OnTool], [OnResponse], [OnToolCall] and [OnToolResult] make transforms
// of a program's functions:
//
//	client := reliable.New(model, reliable.WithTransforms(transform.OnToolResult("shorten", shorten)))
//
// At each point, transforms of the configuration run first, then those of the program, in the given order. Each gets
// the result of the previous one.
//
// Functions must be safe for concurrent use. A function gets a copy, which it may change and return. A change is noted
// with the rule transform.NAME; an equal result is not a change. An error or a panic ends the attempt with a
// [callwright.Error]. Its Kind is that of the function's error, otherwise KindInternal. The policies off and observe
// run no transforms.
//
// The results of transforms are processed like received data: the conversation is adapted to the model, and calls are
// validated against the client's schemas. Functions should be deterministic. If the same message gives different
// results, for example by the time of day, the provider's prompt cache is useless.
package transform
