// Package toolsearch answers searches for deferred tools in place of a provider that has no search of its own. A tool
// is deferred where its definition says defer_loading: the model does not see it before a search has found it. Two APIs
// have such a search, Anthropic's and OpenAI's Responses:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool,
// https://developers.openai.com/api/docs/guides/tools-tool-search.
//
// Elsewhere the search is a function that the model calls. The client gets the items or blocks that its own API would
// have returned. When the client sends them back, they are read as the calls and results that the model knows.
package toolsearch
