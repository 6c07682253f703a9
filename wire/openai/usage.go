package openai

import (
	"slices"
	"strconv"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// count reads a number of tokens; what is no whole number counts as none.
func count(v []byte) int {
	n, err := strconv.Atoi(string(v))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func countAt(v []byte, path ...string) int {
	in, _ := jsonx.Lookup(v, path...)
	return count(in)
}

// decodeUsage reads a usage object. The object as it came is kept as Extra.
func decodeUsage(v []byte) callwright.Usage {
	if !jsonx.IsObject(v) {
		return callwright.Usage{}
	}
	u := callwright.Usage{
		Known:      true,
		Input:      countAt(v, "prompt_tokens"),
		Output:     countAt(v, "completion_tokens"),
		CacheRead:  countAt(v, "prompt_tokens_details", "cached_tokens"),
		CacheWrite: countAt(v, "prompt_tokens_details", "cache_write_tokens"),
		Reasoning:  countAt(v, "completion_tokens_details", "reasoning_tokens"),
		Extra:      callwright.Extra{Wire: callwright.WireOpenAI, JSON: slices.Clone(v)},
	}
	if u.CacheRead == 0 { // the names of DeepSeek and Mistral
		u.CacheRead = max(countAt(v, "prompt_cache_hit_tokens"), countAt(v, "num_cached_tokens"))
	}
	// xAI counts reasoning beside the completion; the total tells.
	if total := countAt(v, "total_tokens"); u.Reasoning > 0 && total == u.Input+u.Output+u.Reasoning {
		u.Output += u.Reasoning
	}
	u.Reasoning = min(u.Reasoning, u.Output)
	return u
}

// usage writes a usage object, with the members that came beside the counts.
func (w *writer) usage(key string, u callwright.Usage) {
	w.Open(key, '{')
	w.count("prompt_tokens", u.Input)
	w.count("completion_tokens", u.Output)
	w.count("total_tokens", u.Input+u.Output)
	if ownMember(u.Extra, "prompt_tokens_details") == nil {
		w.Open("prompt_tokens_details", '{')
		w.count("cached_tokens", u.CacheRead)
		w.Close('}')
	}
	if ownMember(u.Extra, "completion_tokens_details") == nil {
		w.Open("completion_tokens_details", '{')
		w.count("reasoning_tokens", u.Reasoning)
		w.Close('}')
	}
	w.Extra(u.Extra, "prompt_tokens", "completion_tokens", "total_tokens")
	w.Close('}')
}

func (w *writer) count(key string, n int) {
	w.Key(key)
	w.Buf = strconv.AppendInt(w.Buf, int64(n), 10)
}
