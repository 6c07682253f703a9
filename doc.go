// Package callwright defines the types that all packages of the module share: requests, messages, tool calls, stream
// events, reports and errors.
//
// A [Request] has messages, tools and parameters. A [Model] answers a request with a complete [Response] or with a
// stream of [Event] values. Both have the same content: [Collect] converts a stream to a Response and
// [Response.Events] does the reverse. A [Call] is a tool call of a model and a [Result] is its result. A [Note]
// records a change to a request or response, and a [Report] has all notes of one request. An [Error] has a [Kind],
// which determines retries, fallback and the HTTP status.
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
// This package implements no Model. Package provider opens models over HTTP. Package reliable wraps a Model so that
// every call in its responses names a declared tool and has arguments that satisfy the schema of that tool; otherwise
// it returns an error.
package callwright
