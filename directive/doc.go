// Package directive gets two things from a model in one turn: text for the user and directives for an app.
//
// The model answers with a JSON object, the document:
//
//	{"assistant_text": "Here it is.", "directives": [{"type": "open_file", "payload": {"path": "main.go"}}]}
//
// A [Registry] has the types of directives that an app takes, each with the schema of its payload. A [Client] asks a
// model for a [Turn]: with the schema of the document where the provider holds its model to one, else with JSON of any
// form, else with instructions alone, and tools as usual beside them. The Client streams the text, and returns each
// directive when the directive is complete and satisfies its schema.
//
//	reg, err := directive.NewRegistry(directive.TypeOf[openFile]("open_file", "Opens a file in the editor."))
//	turn, err := directive.New(model, reg).Generate(ctx, req)
//	show(turn.Text)
//	for _, d := range turn.Directives { ... }
//
// Directives are data: this package does not execute them. No directive is lost: each one that the model wrote is in
// Turn.Directives or, with its text and the reason, in Turn.Dropped. Answers of every form are read: with text or a
// code fence around the document, with several documents or a part of one, and plain text without a document.
// Turn.Notes has a note for each repair.
//
// A [Reader] reads the text of an answer alone, for programs with a model client of their own.
package directive
