// Package archivetest tests implementations of [archive.Answers] and [archive.Reports]. The test of an implementation
// is one call:
//
//	func TestAnswers(t *testing.T) {
//		archivetest.Answers(t, func(t *testing.T, now func() time.Time, l archive.Limits) archive.Answers {
//			return archive.NewMemoryAnswers(now, l)
//		})
//	}
//
// A store must get the time only from now, because the tests do not wait. Stores may count bytes in different ways. The
// tests therefore only require that a store stays within its limit, and that it retains the newest entries that fit
// into half of the limit.
//
// The tests of answers check these properties:
//
//   - An answer is returned byte for byte, with its conversation. An answer with the same key replaces it.
//   - No owner sees answers of another owner, even if the concatenated owner and id are equal.
//   - An answer has its complete conversation even if earlier answers were deleted, expired, or removed to free space,
//     also during the generation of the answer.
//   - A conversation of n turns needs the bytes of its turns, not n times as many.
//   - Above Limits, the oldest answer is removed first. An answer larger than the limit is an error of
//     [callwright.KindTooLarge] and removes nothing.
//   - The error for a missing answer is [callwright.KindNotFound], for a done context [callwright.KindCanceled]. A call
//     with a done context changes nothing.
//
// The tests of reports check those properties that apply to reports. In addition, List must return the reports for
// which [archive.Query.Matches] is true, in the order of [archive.Latest].
package archivetest
