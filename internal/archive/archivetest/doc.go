// Package archivetest has the suites that every [archive.Answers] and every [archive.Reports] passes. An
// implementation's test is one call:
//
//	func TestAnswers(t *testing.T) {
//		archivetest.Answers(t, func(t *testing.T, now func() time.Time, l archive.Limits) archive.Answers {
//			return archive.NewMemoryAnswers(now, l)
//		})
//	}
//
// A store takes the time only from the function with which it is opened: no test waits. Stores count bytes in their own
// way. So the suites only require that a store stays within its bound, and that it keeps the newest entries that fit
// half of the bound.
//
// The laws of answers:
//
//   - A kept answer comes back byte for byte, with its conversation. Another answer of the same key replaces it.
//   - No owner sees another's answers, also if the bytes of owner and id together are the same.
//   - An answer has its whole conversation even if earlier answers are gone: deleted, expired, or dropped to make room,
//     also while the answer was made.
//   - A conversation of n turns takes the bytes of its turns, not n times as much.
//   - Beyond Limits the oldest answer is dropped first. An answer larger than the whole bound is
//     [callwright.KindTooLarge] and drops nothing.
//   - An answer that is not kept is [callwright.KindNotFound]. A context that has ended is [callwright.KindCanceled],
//     and keeps or drops nothing.
//
// The laws of reports are those of them that apply to reports. In addition, List returns the reports for which
// [archive.Query.Matches] is true, in the order of [archive.Latest].
package archivetest
