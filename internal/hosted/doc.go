// Package hosted runs hosted tools (web search, web fetch, code execution) in the gateway if the provider of the model
// does not offer them.
//
// The request to the model has a function tool in place of each hosted tool. If the model calls this function, the
// gateway runs the configured tool and sends the result to the model, which continues its answer. The client receives
// the result as the output items that its API defines for hosted tools. The report has a note hosted.ran for each call.
// The numbers of rounds and calls, the time of a call and the size of a result are limited.
package hosted
