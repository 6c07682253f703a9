// Package toolsearch runs searches for deferred tools if the provider does not support them. A tool is deferred if its
// definition has defer_loading: the model sees it only after a search found it. Two APIs have a tool search,
// Anthropic's and OpenAI's Responses: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool,
// https://developers.openai.com/api/docs/guides/tools-tool-search.
//
// For other providers the search tool is sent as a function that the model calls. The client receives the items or
// content blocks that its own API would return for a search. When the client sends them back in the history, they are
// converted to calls and results of the function.
package toolsearch
