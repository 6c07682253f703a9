package agent

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A pastRound holds the calls of one answer and their outcomes, as far as the search for loops needs them. Neither
// their order nor the number of equal ones counts.
type pastRound struct{ calls, results uint64 }

// A history is the rounds of a run.
type history struct {
	rounds []pastRound
	last   map[uint64]uint64 // the hash of a call's latest result, by that of the call
}

var seed = maphash.MakeSeed() // of one process: hashes are never kept

// add takes a round that has ended.
func (h *history) add(r *round) {
	if h.last == nil {
		h.last = map[uint64]uint64{}
	}
	results := make([]uint64, len(r.calls))
	for i, p := range r.calls {
		call := sumOf(p.call)
		was, known := h.last[call]
		if results[i] = was; !known || p.code != CodeNotAllowed { // a refusal stands for the result before it
			results[i] = resultSum(p.result)
		}
		h.last[call] = results[i]
		results[i] = sumOfAll([]uint64{call, results[i]})
	}
	h.rounds = append(h.rounds, pastRound{r.sum(), sumOfSet(results)})
}

// sum is the hash of the calls of a round, in whatever order.
func (r *round) sum() uint64 {
	if !r.summed {
		sums := make([]uint64, len(r.calls))
		for i, p := range r.calls {
			sums[i] = sumOf(p.call)
		}
		r.calledSum, r.summed = sumOfSet(sums), true
	}
	return r.calledSum
}

// sumOfSet hashes numbers whatever their order, each once.
func sumOfSet(sums []uint64) uint64 {
	slices.Sort(sums)
	return sumOfAll(slices.Compact(sums))
}

func sumOfAll(sums []uint64) uint64 {
	b := make([]byte, 0, 8*len(sums))
	for _, s := range sums {
		b = binary.LittleEndian.AppendUint64(b, s)
	}
	return maphash.Bytes(seed, b)
}

// sumOf hashes a call; arguments that mean the same have one hash.
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

// resultSum hashes the result of a call, without its warnings.
func resultSum(r callwright.Result) uint64 {
	text := []byte(envelopeText(r))
	data, _ := jsonx.Find(text, "data")
	errs, ok := jsonx.Find(text, "errors")
	if !ok {
		data = text
	}
	sums := []uint64{maphash.Bytes(seed, data), maphash.Bytes(seed, errs)}
	for _, p := range r.Parts[min(1, len(r.Parts)):] {
		sums = append(sums, maphash.String(seed, fmt.Sprint(p)))
	}
	return sumOfAll(sums)
}

// longestPeriod is the length in rounds of the longest loop that is looked for.
const longestPeriod = 3

// How often the same rounds were made before when something is done: the model is told, then the calls are refused,
// then the run ends.
const (
	loopTold    = 2
	loopRefused = 3
	loopEnds    = 5
)

// repeats is how many times in a row the latest one to three rounds were made with the same results, where a next round
// with these calls begins them once more; 0 where it does not.
func (h *history) repeats(next uint64) int {
	most := 0
	for period := 1; period <= longestPeriod; period++ {
		n := 0
		for at := len(h.rounds) - period; at >= 0 && h.rounds[at].calls == next && h.samePeriod(at, period); at -= period {
			n++
		}
		most = max(most, n)
	}
	return most
}

// samePeriod reports whether the rounds from a place on are those one period later, as far as there are such, with the
// same results.
func (h *history) samePeriod(at, period int) bool {
	for k := at; k < at+period && k+period < len(h.rounds); k++ {
		if h.rounds[k] != h.rounds[k+period] {
			return false
		}
	}
	return true
}
