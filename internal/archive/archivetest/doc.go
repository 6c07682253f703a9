// Package archivetest has the suites that every [archive.Answers] and every [archive.Reports] passes. An
// implementation's test is one call:
//
//	func TestAnswers(t *testing.T) {
//		archivetest.Answers(t, func(t *testing.T, now func() time.Time, l archive.Limits) archive.Answers {
//			return archive.NewMemoryAnswers(now, l)
//		})
//	}
//
// Time goes by the function alone that a store is opened with: nothing here waits. Stores count bytes in their own way,
// so the suites only ask that they keep no more than their bound, and the newest of what there is room for by half of
// it.
//
// The laws of answers:
//
//   - What was kept comes back byte for byte, with its conversation; another answer of the same key takes its place.
//   - No owner sees another's, also where one's bytes and id are the other's in another division.
//   - An answer has its whole conversation whatever became of those before it: deleted, too old, or gone to make room, also while it was made.
//   - A conversation of n turns takes the bytes of its turns, not n times as much.
//   - Beyond Limits the oldest goes first; what is larger than all there is room for is [callwright.KindTooLarge] and drives nothing out.
//   - What is not kept is [callwright.KindNotFound]; a context that has ended is [callwright.KindCanceled], and keeps or drops nothing.
//
// The laws of reports are those that apply, and that List gives what [archive.Query.Matches] says, in the order of
// [archive.Latest].
package archivetest
