package items

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Usage decodes a usage object and keeps a copy of it as Extra. Known is false if the counts of input and output tokens
// are zero, because some servers do not count tokens.
func Usage(v []byte) callwright.Usage {
	if !jsonx.IsObject(v) || kit.CountAt(v, "input_tokens") == 0 && kit.CountAt(v, "output_tokens") == 0 {
		return callwright.Usage{}
	}
	u := callwright.Usage{
		Known:      true,
		Input:      kit.CountAt(v, "input_tokens"),
		Output:     kit.CountAt(v, "output_tokens"),
		CacheRead:  kit.CountAt(v, "input_tokens_details", "cached_tokens"),
		CacheWrite: kit.CountAt(v, "input_tokens_details", "cache_write_tokens"),
		Reasoning:  kit.CountAt(v, "output_tokens_details", "reasoning_tokens"),
		Extra:      own.Extra(slices.Clone(v)),
	}
	return u
}

// WriteUsage writes the member usage, including the unknown members in u.Extra.
func WriteUsage(w *kit.Writer, u callwright.Usage) {
	w.Open("usage", '{')
	w.Count("input_tokens", u.Input)
	if own.Member(u.Extra, "input_tokens_details") == nil {
		w.Open("input_tokens_details", '{')
		w.Count("cached_tokens", u.CacheRead)
		w.Count("cache_write_tokens", u.CacheWrite)
		w.Close('}')
	}
	w.Count("output_tokens", u.Output)
	if own.Member(u.Extra, "output_tokens_details") == nil {
		w.Open("output_tokens_details", '{')
		w.Count("reasoning_tokens", u.Reasoning)
		w.Close('}')
	}
	w.Count("total_tokens", u.Input+u.Output)
	w.Extra(u.Extra, "input_tokens", "output_tokens", "total_tokens")
	w.Close('}')
}
