package inbound

import "github.com/callwright/callwright"

// maxCalls is the maximum number of calls in a response, native and in text.
const maxCalls = 4096

// maxOutput is the maximum size of a response in bytes, see eventqueue.CostOf.
const maxOutput = 64 << 20

// over adds to the size of the response. It returns true and sets Err if the response is too large.
func (a *Answer) over(size int) bool {
	if a.size += size; a.size <= maxOutput {
		return false
	}
	a.Outcome.Err = callwright.Errorf("answer", callwright.KindBadAnswer, "", "expected an answer of at most %d bytes, got more", maxOutput)
	return true
}

// tooMany counts a call. It returns true and sets Err if there are too many.
func (a *Answer) tooMany() bool {
	if a.calls++; a.calls <= maxCalls {
		return false
	}
	a.Outcome.Err = callwright.Errorf("answer", callwright.KindBadAnswer, "", "expected an answer of at most %d calls, got more", maxCalls)
	return true
}
