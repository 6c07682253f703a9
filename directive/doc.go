// Package directive has a model tell an app what to do, beside what it tells the user, in one turn.
//
// The model answers with a JSON object, the document:
//
//	{"assistant_text": "Here it is.", "directives": [{"type": "open_file", "payload": {"path": "main.go"}}]}
//
// A [Registry] has the types of directives that an app takes, each with the schema of its payload. A [Client] asks a
// model for a [Turn]: with the schema of the document where the provider holds its model to one, else with JSON of any
// form, else with instructions alone, and tools as usual beside them. It streams the text as it comes, and gives each
// directive when it is complete and satisfies its schema.
//
//	reg, err := directive.NewRegistry(directive.TypeOf[openFile]("open_file", "Opens a file in the editor."))
//	turn, err := directive.New(model, reg).Generate(ctx, req)
//	show(turn.Text)
//	for _, d := range turn.Directives { ... }
//
// Directives are data, and nothing is done about them here. Nothing vanishes: each directive that the model wrote is in
// Turn.Directives or, with the reason and what it looked like, in Turn.Dropped. Whatever the answer looks like, it is
// read: with text or a code fence around the document, with several documents or a part of one, or as plain text
// without any; what was read against its wording is in Turn.Notes.
//
// A [Reader] reads the text of an answer alone, for programs that ask models by means of their own.
package directive
