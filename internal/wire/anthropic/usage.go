package anthropic

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// tally adds up the usage objects of a response. This API counts cached input tokens separately. Its counts are totals:
// a later count replaces an earlier one, and a missing count leaves it unchanged.
type tally struct {
	known                                       bool             // a usage object was received
	input, cacheRead, cacheWrite, output, think int              // tokens
	rest                                        callwright.Extra // unknown members
}

func (t *tally) read(v []byte) {
	if jsonx.KindOf(v) != jsonx.Object {
		return
	}
	var rest extras
	t.known = true
	for k, m := range jsonx.Members(v) {
		name := jsonx.TextBytes(k)
		switch string(name) {
		case "input_tokens":
			count(&t.input, m)
		case "cache_read_input_tokens":
			count(&t.cacheRead, m)
		case "cache_creation_input_tokens":
			count(&t.cacheWrite, m)
		case "output_tokens":
			count(&t.output, m)
		default:
			if string(name) == "output_tokens_details" {
				n, _ := jsonx.Find(m, "thinking_tokens")
				count(&t.think, n)
			}
			rest.add(name, m)
		}
	}
	if rest != nil {
		t.rest = rest.extra()
	}
}

func count(to *int, v []byte) {
	if n, err := strconv.Atoi(string(v)); err == nil && n >= 0 && n < 1<<40 {
		*to = n
	}
}

func (t *tally) usage() callwright.Usage {
	return callwright.Usage{
		Known: t.known, Input: t.input + t.cacheRead + t.cacheWrite, CacheRead: t.cacheRead, CacheWrite: t.cacheWrite,
		Output: t.output, Reasoning: t.think, Extra: t.rest,
	}
}

// appendUsage appends a usage object. It always has the four token counts, which clients require.
func appendUsage(dst []byte, u callwright.Usage) []byte {
	o := open(dst)
	for _, m := range []struct {
		name  string
		value int
	}{
		{"input_tokens", max(0, u.Input-u.CacheRead-u.CacheWrite)}, {"cache_creation_input_tokens", u.CacheWrite},
		{"cache_read_input_tokens", u.CacheRead}, {"output_tokens", u.Output},
	} {
		o.Count(m.name, m.value)
	}
	if _, told := jsonx.Find(own.JSON(u.Extra), "output_tokens_details"); u.Reasoning > 0 && !told {
		o.Open("output_tokens_details", '{')
		o.Count("thinking_tokens", u.Reasoning)
		o.Close('}')
	}
	o.Extra(u.Extra, "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
	return o.close()
}
