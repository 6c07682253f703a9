// Package promptcache writes the marks and keys of prompt caches into requests for providers.
//
// APIs after Anthropic's cache the content before a mark: the member cache_control of a tool, of a block of the
// instructions or of a block of a message, at most [MaxMarks] in a request
// (https://platform.claude.com/docs/en/build-with-claude/prompt-caching). OpenRouter takes the same marks in its form
// of Chat Completions (https://openrouter.ai/docs/features/prompt-caching). OpenAI's APIs cache without marks, and find
// cached content by prompt_cache_key (https://platform.openai.com/docs/guides/prompt-caching).
//
//   - [Marks.ConvertHistory] and [Marks.OfTool] write marks that a client of another such API set
//   - [Marks.Add] adds marks for clients whose API has none
//   - [Key] is the key for clients whose API has none
//   - [Without] removes the client's marks and keys of caching from a body
package promptcache
