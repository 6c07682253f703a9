// Package queuetest is the suite that every [eval.Queue] passes. An implementation's test is one call:
//
//	func TestQueue(t *testing.T) {
//		queuetest.Run(t, func(t *testing.T) eval.Queue { return eval.NewMemory() })
//	}
//
// The suite holds a queue to these laws:
//
//   - Take returns each cell once, in the order of the plan, for any number of concurrent callers, and then none.
//   - Open returns the results that Finish has kept, byte for byte as JSON, in the order of the plan. Take does not
//     return their cells again.
//   - Take returns a cell that was taken and not finished again after Open.
//   - The first result of a cell stays. A result of a cell that the run does not have is [callwright.KindNotFound].
//   - Open with another header is [callwright.KindConflict], and the run that is there stays as it is.
//   - A context that has ended is [callwright.KindCanceled], with the context's error inside, and changes nothing.
//   - Before Open there is nothing to take, and nothing can be finished.
package queuetest
