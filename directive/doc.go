// Package directive obtains text for the user and directives for the app from a model in one turn. A directive is a
// typed instruction to the app, such as to open a file.
//
// The model responds with a JSON object, the document:
//
//	{"assistant_text": "Here it is.", "directives": [{"type": "open_file", "payload": {"path": "main.go"}}]}
//
// A [Registry] has the directive types of an app, each with the JSON Schema of its payload. A [Client] requests a
// [Turn] from a model. It sends the document's schema as the response format if the provider enforces schemas,
// otherwise it uses JSON mode, otherwise only instructions. Requests may also have tools. The Client streams the text,
// and returns each directive when it is complete and valid.
//
//	reg, err := directive.NewRegistry(directive.TypeOf[openFile]("open_file", "Opens a file in the editor."))
//	turn, err := directive.New(model, reg).Generate(ctx, req)
//	show(turn.Text)
//	for _, d := range turn.Directives { ... }
//
// This package does not execute directives. Every directive of the model is in Turn.Directives or, with its text and
// the reason, in Turn.Dropped. The package also reads responses with text or a code block around the document, with
// several or incomplete documents, and plain text without a document. Turn.Notes has a note for each repair.
//
// A [Reader] reads the text of a response, for programs with their own model client.
package directive
