// Package searchform has the forms in which APIs show a search for deferred tools: Anthropic's as blocks, that of
// Responses as items.
package searchform
