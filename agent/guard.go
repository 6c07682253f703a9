package agent

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// A pastRound contains hashes of the calls and the results of one response, for the detection of loops. The order of
// the calls and duplicates do not affect the hashes.
type pastRound struct{ calls, results uint64 }

// A history is the list of past rounds of a run. A round is the tool calls of one model response.
type history struct {
	rounds []pastRound
	last   map[uint64]uint64 // from the hash of a call to the hash of its latest result
}

var seed = maphash.MakeSeed() // differs for each process; hashes are never stored

// add appends a round of tool calls after all of them have ended.
func (h *history) add(r *round) {
	if h.last == nil {
		h.last = map[uint64]uint64{}
	}
	results := make([]uint64, len(r.calls))
	for i, p := range r.calls {
		call := sumOf(p.call)
		was, known := h.last[call]
		if results[i] = was; !known || p.code != CodeNotAllowed { // a refused call counts with its earlier result
			results[i] = resultSum(p.result)
		}
		h.last[call] = results[i]
		results[i] = sumOfAll([]uint64{call, results[i]})
	}
	h.rounds = append(h.rounds, pastRound{r.sum(), sumOfSet(results)})
}

// sum returns a hash of the set of calls in the round, independent of their order.
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

// sumOfSet hashes a set of numbers, independent of order and duplicates. It sorts sums in place.
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

// sumOf returns a hash of the call's name and arguments. Arguments that are equal as JSON have equal hashes.
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

// resultSum returns a hash of a tool result, without its warnings.
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

// longestPeriod is the maximum length in rounds of a loop that is detected.
const longestPeriod = 3

// The number of earlier repetitions of the same rounds that triggers each reaction: a warning to the model, refusal of
// the calls, end of the run.
const (
	loopTold    = 2
	loopRefused = 3
	loopEnds    = 5
)

// repeats detects a loop of one to three rounds at the end of the history. next is the call hash of the next round. If
// next equals the first round of the loop, the result is the number of its repetitions so far, otherwise 0.
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

// samePeriod compares two consecutive groups of rounds, each of the length period; the first begins at index at. It
// reports whether their calls and results are equal. Rounds that do not exist yet are ignored.
func (h *history) samePeriod(at, period int) bool {
	for k := at; k < at+period && k+period < len(h.rounds); k++ {
		if h.rounds[k] != h.rounds[k+period] {
			return false
		}
	}
	return true
}
