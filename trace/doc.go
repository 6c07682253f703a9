// Package trace records what a model was asked and what it answered, in a file of JSON lines, and plays the answers again without the model.
//
//	w := trace.NewWriter(file)
//	model = trace.Record(model, w) // each request and its answer is recorded
//	...
//	entries, err := trace.ReadAll(file)
//	player, err := trace.NewPlayer(entries) // a model that gives the recorded answers
//
// A line is one [Entry]. Its members are trace, the version of the form; seq, the number of the line; time; kind; id, which joins the
// entries of one request; and data, whose form goes by the kind:
//
//	model    what the model is called and what it can do, before the first request and when it has changed
//	request  what was asked, as package conversation writes it, with its fingerprint
//	sent     the body as it was sent to the provider; several where it was sent several times
//	answer   the answer, as package conversation writes it, with its raw bytes where they came along
//	error    the error in place of an answer, with what came before it
//	call     a call of a tool, and
//	result   what came of it: a program that runs tools appends them, and entries of kinds of its own
//
// Headers are not recorded, and so no credentials. [WithoutContent] leaves out what was said, too.
package trace
