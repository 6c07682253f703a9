// Package hosted runs the tools that a client's API has its provider run (a search of the web, the fetch of a page, code) by functions of the
// program, where the model's provider has none of them.
//
// The model is offered a function in place of such a tool. When it calls it, the program runs what it was given for it, nothing else, and the
// model goes on with the result. The client is shown what its own API would have shown, as far as that has a form for it; the report has
// the note hosted.ran. How often, how long and how much is bounded.
package hosted
