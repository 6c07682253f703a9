package inbound

import "github.com/callwright/callwright"

// maxCalls bounds the calls of an answer, native ones and those in its text.
const maxCalls = 4096

// maxOutput bounds the size of an answer, as eventqueue.CostOf counts it.
const maxOutput = 64 << 20

// over counts bytes and reports whether the answer is too long, in which case Err is set.
func (a *Answer) over(size int) bool {
	if a.size += size; a.size <= maxOutput {
		return false
	}
	a.Outcome.Err = callwright.Errorf("answer", callwright.KindBadAnswer, "", "expected an answer of at most %d bytes, got more", maxOutput)
	return true
}

// tooMany counts a call and reports whether the answer has too many, in which case Err is set.
func (a *Answer) tooMany() bool {
	if a.calls++; a.calls <= maxCalls {
		return false
	}
	a.Outcome.Err = callwright.Errorf("answer", callwright.KindBadAnswer, "", "expected an answer of at most %d calls, got more", maxCalls)
	return true
}
