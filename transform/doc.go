// Package transform changes requests and answers by name, at five points on their way:
//
//	point         a function gets                    when
//	tool_result   each result of the conversation    before the request is adapted to its receiver
//	message       each message of the conversation   after its results
//	tool          each declared tool                 before the tools are conveyed in the mode at hand
//	response      the whole answer                   before calls are looked for in it
//	tool_call     each call of the answer            before it is validated
//
// Some are built in, see [Builtins]; most of those are other programs' names for rules that always apply. [Presets] are
// lists of them. A program adds functions of its own with [OnMessage], [OnTool], [OnResponse], [OnToolCall] and
// [OnToolResult]:
//
//	client := reliable.New(model, reliable.WithTransforms(transform.OnToolResult("shorten", shorten)))
//
// At each point the transforms of the configuration come first, then those of the program, each in the order in which
// they were given. Each transform gets the result of the one before.
//
// Functions are called by many goroutines at once. A function gets a copy, which it may change and return; an equal
// result is no change and is not noted. A change is noted by the rule transform.NAME. An error or a panic of a function
// ends the attempt with a [callwright.Error]: of the kind of the error where that is one itself, else of KindInternal.
// The policies off and observe make no transform.
//
// The results of transforms are treated like received data: the conversation is adapted to its receiver, and calls are
// validated against the schemas of the client. The request bytes for the beginning of a conversation do not change as
// it grows if a function is deterministic: one that depends on the time or a counter breaks the provider's prompt
// cache.
package transform
