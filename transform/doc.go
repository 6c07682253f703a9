// Package transform changes requests and answers by name, at five points on their way:
//
//	point         a function gets                    when
//	tool_result   each result of the conversation    before the request is made fit for its receiver
//	message       each message of the conversation   after its results
//	tool          each tool that is declared         before the tools are conveyed in the mode at hand
//	response      the whole answer                   before calls are looked for in it
//	tool_call     each call of the answer            before it is judged
//
// Some are built in, see [Builtins]; most of those are names that other programs have for rules which hold anyway. [Presets] are lists
// of them. A program adds functions of its own with [OnMessage], [OnTool], [OnResponse], [OnToolCall] and [OnToolResult]:
//
//	client := reliable.New(model, reliable.WithTransforms(transform.OnToolResult("shorten", shorten)))
//
// At each point the transforms of the configuration come first, then those of the program, each in the order in which they were given. A
// later one gets what an earlier one made.
//
// Functions are called by many goroutines at once. What a function gets is a copy, which it may change and return; what it returns equal to that is no change and is not noted. A change is
// noted by the rule transform.NAME. An error or a panic of a function ends the attempt with a [callwright.Error]: of the kind of the
// error where that is one itself, else of KindInternal. The policies off and observe make no transform.
//
// What transforms make is treated as what came: the conversation is made fit for its receiver, and calls are judged against the schemas of
// the client. What is sent for the beginning of a conversation does not change as it grows where a function always makes the same
// of the same: one that tells the time, or counts, breaks the provider's prompt cache.
package transform
