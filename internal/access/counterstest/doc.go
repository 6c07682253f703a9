// Package counterstest tests implementations of [access.Counters]. The test of an implementation is one call:
//
//	func TestCounters(t *testing.T) {
//		counterstest.Run(t, func(t *testing.T, now func() time.Time) access.Counters {
//			return access.NewMemoryCounters(now)
//		})
//	}
//
// The suite passes a manual clock that begins at the current time and only advances, so that nothing sleeps. Counters
// must satisfy these laws:
//
//   - A window in which nothing was counted has the count 0.
//   - Take counts the amount that it returns: at most n, at least least or else 0, and never more than the limit
//     permits.
//   - Take returns n if the limit permits it, and the rest of the limit otherwise.
//   - Concurrent callers together get exactly the rest of the limit.
//   - Add counts regardless of the limit, and never below 0. A returned amount can be taken again.
//   - Windows of different names or starts are different, also if names differ only by case or look like paths or
//     patterns.
//   - A changed limit applies from then on.
//   - A count is kept until the end of its window.
//   - A context that has ended is [callwright.KindCanceled], with the context's error inside, and counts nothing.
//   - A window that [access.Window.Validate] rejects, and an invalid amount, is [callwright.KindInvalid].
//   - Use leaves a sliding window part by part. A returned amount is subtracted from the part in which it was taken.
//   - Use beyond the limit of a sliding window counts in the next windows: as much as the limit in each, and in at most
//     five of them.
//   - Several counters over the same store, if New makes such, have the same counts: see RunShared.
package counterstest
