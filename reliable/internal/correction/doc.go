// Package correction writes self-correction requests after an invalid response. Such a request has the conversation,
// the model's response, its valid calls, and the schema violations of the invalid calls.
package correction
