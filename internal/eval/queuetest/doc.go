// Package queuetest is the suite that every [eval.Queue] passes. An implementation's test is one call:
//
//	func TestQueue(t *testing.T) {
//		queuetest.Run(t, func(t *testing.T) eval.Queue { return eval.NewMemory() })
//	}
//
// The suite holds a queue to these laws:
//
//   - Take gives each cell once, in the order of the plan, however many ask at once, and then none.
//   - What Finish has kept comes back from Open, byte for byte as JSON, in the order of the plan, and such a cell is not given again.
//   - A cell that was taken and not finished is given again after Open.
//   - The first result of a cell stays. One of a cell that the run does not have is [callwright.KindNotFound].
//   - Open with another header is [callwright.KindConflict], and the run that is there stays as it is.
//   - A context that has ended is [callwright.KindCanceled], with the context's error inside, and changes nothing.
//   - Before Open there is nothing to take, and nothing can be finished.
package queuetest
