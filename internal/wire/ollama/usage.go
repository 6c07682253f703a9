package ollama

import (
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func isCount(v []byte, n int) bool {
	got, err := strconv.Atoi(string(v))
	return err == nil && got == n
}

// usageKeys are the members with the numbers of input and output tokens. The first is missing if the server has the
// prompt in its cache.
var usageKeys = []string{"prompt_eval_count", "eval_count"}

// decodeUsage decodes the token counts of a response. Known is false if both are zero, because some servers send zeros
// in place of unknown counts.
func decodeUsage(v []byte) callwright.Usage {
	in, _ := jsonx.Find(v, usageKeys[0])
	out, _ := jsonx.Find(v, usageKeys[1])
	u := callwright.Usage{Input: kit.CountOf(in), Output: kit.CountOf(out)}
	u.Known = u.Input > 0 || u.Output > 0
	return u
}

// usage writes the token counts, zeros if they are unknown, because clients add them up.
func (w *writer) usage(u callwright.Usage) {
	w.Count(usageKeys[0], u.Input)
	w.Count(usageKeys[1], u.Output)
}

// timing measures the durations of a stream for which the provider sends none. Clients compute with them:
// https://github.com/strands-agents/sdk-python/blob/main/src/strands/models/ollama.py
type timing struct {
	began, first time.Time // first is the time of the first line, zero before that
}

// line records the time of the first line. It does nothing for later lines.
func (t *timing) line() {
	if t.first.IsZero() {
		t.first = time.Now()
	}
}

// durations writes the durations of a stream at its end, unless extra has the provider's.
func (w *writer) durations(t *timing, extra callwright.Extra) {
	w.times(t.first.Sub(t.began), time.Since(t.first), extra)
}

// times writes the durations of the prompt and the response in nanoseconds, unless extra has the provider's. The
// duration of the response is at least 1, because clients divide by it.
func (w *writer) times(prompt, answer time.Duration, extra callwright.Extra) {
	if own.Member(extra, "total_duration") != nil {
		return
	}
	prompt, answer = max(prompt, 0), max(answer, 1)
	for _, m := range []struct {
		key   string
		value time.Duration
	}{{"total_duration", prompt + answer}, {"load_duration", 0}, {"prompt_eval_duration", prompt}, {"eval_duration", answer}} {
		if own.Member(extra, m.key) == nil {
			w.Raw(m.key, strconv.AppendInt(nil, int64(m.value), 10))
		}
	}
}
