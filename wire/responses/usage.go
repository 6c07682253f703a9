package responses

import (
	"slices"
	"strconv"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// countAt reads a number of tokens; what is no whole number counts as none.
func countAt(v []byte, path ...string) int {
	in, _ := jsonx.Lookup(v, path...)
	n, err := strconv.Atoi(string(in))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// decodeUsage reads a usage object, whose counts are totals. The object as it came is kept as Extra.
func decodeUsage(v []byte) callwright.Usage {
	if !jsonx.IsObject(v) {
		return callwright.Usage{}
	}
	u := callwright.Usage{
		Known:      true,
		Input:      countAt(v, "input_tokens"),
		Output:     countAt(v, "output_tokens"),
		CacheRead:  countAt(v, "input_tokens_details", "cached_tokens"),
		CacheWrite: countAt(v, "input_tokens_details", "cache_write_tokens"),
		Reasoning:  countAt(v, "output_tokens_details", "reasoning_tokens"),
		Extra:      callwright.Extra{Wire: callwright.WireResponses, JSON: slices.Clone(v)},
	}
	u.Reasoning = min(u.Reasoning, u.Output)
	return u
}

// usage writes a usage object, with the members that came beside the counts.
func (w *writer) usage(u callwright.Usage) {
	w.Open("usage", '{')
	w.count("input_tokens", u.Input)
	if ownMember(u.Extra, "input_tokens_details") == nil {
		w.Open("input_tokens_details", '{')
		w.count("cached_tokens", u.CacheRead)
		if u.CacheWrite > 0 {
			w.count("cache_write_tokens", u.CacheWrite)
		}
		w.Close('}')
	}
	w.count("output_tokens", u.Output)
	if ownMember(u.Extra, "output_tokens_details") == nil {
		w.Open("output_tokens_details", '{')
		w.count("reasoning_tokens", u.Reasoning)
		w.Close('}')
	}
	w.count("total_tokens", u.Input+u.Output)
	w.Extra(u.Extra, "input_tokens", "output_tokens", "total_tokens")
	w.Close('}')
}

func (w *writer) count(key string, n int) {
	w.Key(key)
	w.Buf = strconv.AppendInt(w.Buf, int64(n), 10)
}
