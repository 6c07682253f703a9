// Package callwright is the vocabulary of reliable tool calls: the types that every package of the module shares.
//
// A [Request] holds messages, tools and parameters. A [Model] answers it, whole with a [Response] or piece by piece
// with [Event] values; both have the same content, and [Collect] and [Response.Events] turn one into the other. A
// [Call] is a model's call of a tool, a [Result] its result. Every change on the way is a [Note], a [Report] holds the
// notes of one request, and an [Error] has a [Kind] that decides about retry, fallback and HTTP status.
//
//	resp, err := model.Generate(ctx, &callwright.Request{
//		Messages: []callwright.Message{callwright.UserText("Weather in Oslo?")},
//		Tools:    tools,
//	})
//	messages = append(messages, resp.Message())
//	for _, call := range resp.Calls() {
//		messages = append(messages, callwright.ToolResult(call, run(call)))
//	}
//
// The package does nothing by itself. Package provider opens a Model that is reached over HTTP, and package reliable
// makes any Model one whose calls name declared tools and satisfy their schemas, or that says why there are none.
package callwright
