// Package queuetest tests implementations of [eval.Queue]. The test of an implementation is one call:
//
//	func TestQueue(t *testing.T) {
//		queuetest.Run(t, func(t *testing.T) eval.Queue { return eval.NewMemory() })
//	}
//
// The tests check these properties:
//
//   - Take returns each cell once, in the order of the plan, for any number of concurrent callers, and then none.
//   - Open returns the results stored by Finish, byte for byte as JSON, in the order of the plan. Take does not return
//     their cells again.
//   - After Open, Take returns taken but unfinished cells again.
//   - The first result of a cell is final. A result for an unknown cell is an error of [callwright.KindNotFound].
//   - Open with another header fails with [callwright.KindConflict] and does not change the existing run.
//   - A done context is an error of [callwright.KindCanceled] that wraps the context's error, and nothing is changed.
//   - Before Open, Take returns no cell and Finish fails.
package queuetest
