package ollama

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func isCount(v []byte, n int) bool {
	got, err := strconv.Atoi(string(v))
	return err == nil && got == n
}

// usageKeys are the counts in an answer. The first is missing where the prompt was in the server's cache.
var usageKeys = []string{"prompt_eval_count", "eval_count"}

// decodeUsage reads the counts of an answer.
func decodeUsage(v []byte) callwright.Usage {
	in, asked := jsonx.Find(v, usageKeys[0])
	out, said := jsonx.Find(v, usageKeys[1])
	return callwright.Usage{Known: asked || said, Input: kit.CountAt(in), Output: kit.CountAt(out)}
}

// usage writes the counts, if they are known.
func (w *writer) usage(u callwright.Usage) {
	if u.Known {
		w.Count(usageKeys[0], u.Input)
		w.Count(usageKeys[1], u.Output)
	}
}
