// Package searchform reads and writes searches for deferred tools (tools whose definitions the model gets only after a
// search) as they appear in responses and histories: as blocks in Anthropic's API, as items in the Responses API.
package searchform
