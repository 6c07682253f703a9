package gemini

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The token counts in usageMetadata. candidatesTokenCount excludes thoughts, and promptTokenCount excludes text added
// by the provider's tools. totalTokenCount includes everything.
var (
	promptCount   = name{"promptTokenCount", "prompt_token_count"}
	cachedCount   = name{"cachedContentTokenCount", "cached_content_token_count"}
	saidCount     = name{"candidatesTokenCount", "candidates_token_count"}
	thoughtsCount = name{"thoughtsTokenCount", "thoughts_token_count"}
	toolsCount    = name{"toolUsePromptTokenCount", "tool_use_prompt_token_count"}
	totalCount    = name{"totalTokenCount", "total_token_count"}

	countKeys = spellings(promptCount, cachedCount, saidCount, thoughtsCount, totalCount)
)

// decodeUsage decodes usageMetadata. Known is false if it has neither promptTokenCount nor totalTokenCount.
func decodeUsage(v []byte) callwright.Usage {
	prompt, total := promptCount.in(v), totalCount.in(v)
	if prompt == nil && total == nil {
		return callwright.Usage{}
	}
	u := callwright.Usage{
		Known: true, Input: kit.CountAt(prompt) + kit.CountAt(toolsCount.in(v)), CacheRead: kit.CountAt(cachedCount.in(v)),
		Reasoning: kit.CountAt(thoughtsCount.in(v)), Extra: own.ExtraOf(v, countKeys),
	}
	u.Output = kit.CountAt(saidCount.in(v)) + u.Reasoning
	return u
}

// usage writes usageMetadata. Clients require the member, so that it is an empty object if the usage is unknown.
func (w *writer) usage(u callwright.Usage) {
	w.Open(usageMetadata.camel, '{')
	if u.Known {
		tools := kit.CountAt(own.Member(u.Extra, toolsCount.camel))
		w.Count(promptCount.camel, max(u.Input-tools, 0))
		w.Count(saidCount.camel, max(u.Output-u.Reasoning, 0)) // without the thoughts
		w.Count(totalCount.camel, u.Input+u.Output)
		for _, c := range []struct {
			key string
			n   int
		}{{cachedCount.camel, u.CacheRead}, {thoughtsCount.camel, min(u.Reasoning, u.Output)}} {
			if c.n > 0 {
				w.Count(c.key, c.n)
			}
		}
		w.Writer.Extra(u.Extra)
	}
	w.Close('}')
}
