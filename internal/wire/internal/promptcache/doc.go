// Package promptcache writes the cache marks and keys for a provider's prompt cache into requests.
//
// Anthropic's API, and others modelled on it, caches the prompt up to a mark: the member cache_control of a tool, of a
// block of the instructions or of a block of a message. A request may have [MaxMarks] marks
// (https://platform.claude.com/docs/en/build-with-claude/prompt-caching). OpenRouter accepts the same marks in its
// variant of Chat Completions (https://openrouter.ai/docs/features/prompt-caching). OpenAI's APIs cache without marks,
// and find cached prompts by prompt_cache_key (https://platform.openai.com/docs/guides/prompt-caching).
//
//   - [Marks.ConvertHistory] and [Marks.OfTool] convert marks of a client that uses another API with marks.
//   - [Marks.Add] adds marks for clients whose API has none.
//   - [Key] returns the key for clients whose API has none.
//   - [Without] removes the client's marks and keys from a body.
package promptcache
