package openai

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// decodeUsage decodes a usage object and keeps a copy of it as Extra. Known is false if all counts are zero, because
// some servers send zeros in place of unknown counts.
func decodeUsage(v []byte) callwright.Usage {
	if !jsonx.IsObject(v) {
		return callwright.Usage{}
	}
	in := jsonx.FieldsOf(v)
	prompt := in.Get("prompt_tokens_details")
	u := callwright.Usage{
		Input:      kit.CountOf(in.Get("prompt_tokens")),
		Output:     kit.CountOf(in.Get("completion_tokens")),
		CacheRead:  kit.CountAt(prompt, "cached_tokens"),
		CacheWrite: kit.CountAt(prompt, "cache_write_tokens"),
		Reasoning:  kit.CountAt(in.Get("completion_tokens_details"), "reasoning_tokens"),
		Extra:      own.Extra(slices.Clone(v)),
	}
	if u.CacheRead == 0 { // the names of DeepSeek and Mistral
		u.CacheRead = max(kit.CountOf(in.Get("prompt_cache_hit_tokens")), kit.CountOf(in.Get("num_cached_tokens")))
	}
	// xAI does not include reasoning in completion_tokens. total_tokens shows that.
	if total := kit.CountOf(in.Get("total_tokens")); u.Reasoning > 0 && total == u.Input+u.Output+u.Reasoning {
		u.Output += u.Reasoning
	}
	u.Known = u.Input > 0 || u.Output > 0
	return u
}

// usage writes a usage object as the member key, including the members in u.Extra.
func (w *writer) usage(key string, u callwright.Usage) {
	w.Open(key, '{')
	w.Count("prompt_tokens", u.Input)
	w.Count("completion_tokens", u.Output)
	w.Count("total_tokens", u.Input+u.Output)
	if own.Member(u.Extra, "prompt_tokens_details") == nil {
		w.Open("prompt_tokens_details", '{')
		w.Count("cached_tokens", u.CacheRead)
		if u.CacheWrite > 0 {
			w.Count("cache_write_tokens", u.CacheWrite)
		}
		w.Close('}')
	}
	if own.Member(u.Extra, "completion_tokens_details") == nil {
		w.Open("completion_tokens_details", '{')
		w.Count("reasoning_tokens", u.Reasoning)
		w.Close('}')
	}
	w.Extra(u.Extra, "prompt_tokens", "completion_tokens", "total_tokens")
	w.Close('}')
}
