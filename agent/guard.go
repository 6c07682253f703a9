package agent

import (
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A pastCall is a call that has ended, and what came of it, as far as the search for loops needs it.
type pastCall struct {
	call   uint64
	result uint64
}

var seed = maphash.MakeSeed() // of one process: the sums are never kept

// pastCallOf sums a call, whose arguments may be written in any way, and what came of it, without warnings. A call that was not allowed came
// to what it came to before.
func pastCallOf(history []pastCall, c callwright.Call, r callwright.Result, code Code) pastCall {
	m := pastCall{call: sumOf(c)}
	if code == CodeNotAllowed {
		for _, before := range slices.Backward(history) {
			if before.call == m.call {
				return before
			}
		}
	}
	text := []byte(envelopeText(r))
	data, _ := jsonx.Find(text, "data")
	errs, ok := jsonx.Find(text, "errors")
	if !ok {
		data = text
	}
	m.result = maphash.Bytes(seed, data) ^ maphash.Bytes(seed, errs)
	for _, p := range r.Parts[min(1, len(r.Parts)):] {
		m.result ^= maphash.String(seed, fmt.Sprint(p))
	}
	return m
}

func sumOf(c callwright.Call) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	_, _ = h.WriteString(c.Name)
	_ = h.WriteByte(0)
	if jsonx.Valid(c.Arguments) == nil {
		_, _ = h.Write(jsonx.Canonical(nil, c.Arguments))
	} else {
		_, _ = h.Write(c.Arguments)
	}
	return h.Sum64()
}

// longestPeriod is how many calls a loop may have that is seen.
const longestPeriod = 3

// How often the same calls were made before when something is done: the model is told, then the call is refused, then the run ends.
const (
	loopTold    = 2
	loopRefused = 3
	loopEnds    = 5
)

// repeats is how many times the end of the history and the next call are the same one to three calls with the same results: 0 for a
// call that begins nothing again.
func repeats(history []pastCall, next uint64) int {
	most := 0
	for period := 1; period <= longestPeriod; period++ {
		n := 0
		for at := len(history) - period; at >= 0 && history[at].call == next && samePeriod(history, at, period); at -= period {
			n++
		}
		most = max(most, n)
	}
	return most
}

// samePeriod reports whether the calls from a place on are those one period later, as far as there are such, with the same results.
func samePeriod(history []pastCall, at, period int) bool {
	for k := at; k < at+period && k+period < len(history); k++ {
		if history[k] != history[k+period] {
			return false
		}
	}
	return true
}
