// Package hosted runs the tools that a client's API has its provider run (a search of the web, the fetch of a page,
// code) by functions of the program, where the model's provider has none of them.
//
// The model is offered a function in place of such a tool. When it calls it, the program runs the function that it was
// given for the tool, nothing else, and the model continues with the result. The client gets the items that its own API
// has for such a tool, as far as it has a form for them; the report has the note hosted.ran. Numbers, times and sizes
// are bounded.
package hosted
