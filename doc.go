// Package callwright is the vocabulary of reliable tool calls: the types in which every package of the module speaks.
//
// A [Request] holds messages, tools and parameters. A [Model] answers it, whole with a [Response] or piece by piece with
// [Event] values; both say the same, and [Collect] and [Response.Events] turn one into the other. A [Call] is what a model
// wants done, a [Result] what came of it. Every change that is made on the way is a [Note], a [Report] holds the notes of one
// request, and an [Error] has a [Kind] that decides about retry, fallback and HTTP status.
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
// The package does nothing by itself. Package provider opens a Model that is reached over HTTP, and package reliable makes any
// Model one whose calls name declared tools and satisfy their schemas, or that says why there are none.
package callwright
