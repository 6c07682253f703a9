package gemini

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The counts of an answer. The model's own output excludes its thoughts, and the prompt excludes text added by tools of
// the provider; the total includes all.
var (
	promptCount   = name{"promptTokenCount", "prompt_token_count"}
	cachedCount   = name{"cachedContentTokenCount", "cached_content_token_count"}
	saidCount     = name{"candidatesTokenCount", "candidates_token_count"}
	thoughtsCount = name{"thoughtsTokenCount", "thoughts_token_count"}
	toolsCount    = name{"toolUsePromptTokenCount", "tool_use_prompt_token_count"}
	totalCount    = name{"totalTokenCount", "total_token_count"}

	countKeys = spellings(promptCount, cachedCount, saidCount, thoughtsCount, totalCount)
)

// decodeUsage reads the counts of an answer.
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

// usage writes the counts. Clients insist on the member, also where nothing is known.
func (w *writer) usage(u callwright.Usage) {
	w.Open(usageMetadata.camel, '{')
	if u.Known {
		tools := kit.CountAt(own.Member(u.Extra, toolsCount.camel))
		w.Count(promptCount.camel, max(u.Input-tools, 0))
		w.Count(saidCount.camel, max(u.Output-u.Reasoning, 0)) // with the thoughts it adds up to the output
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
