// Package counterstest is the suite that every [access.Counters] passes. An implementation's test is one call:
//
//	func TestCounters(t *testing.T) {
//		counterstest.Run(t, func(t *testing.T, now func() time.Time) access.Counters {
//			return access.NewMemoryCounters(now)
//		})
//	}
//
// The suite passes a clock that begins at the time of the machine, and moves it forward: nothing sleeps. Counters must
// obey these laws:
//
//   - A window in which nothing was counted has the count 0.
//   - Take counts the amount that it returns: at most n, at least least or else 0, and never more than the limit
//     leaves.
//   - Take returns n if the limit leaves as much, and the rest if it leaves less.
//   - Concurrent callers together get exactly the rest of the limit, to the last one.
//   - Add counts whatever the limit is, and never below 0. A returned amount can be taken again.
//   - Windows of different names or starts are different, also if names differ only by case or look like paths or
//     patterns.
//   - A changed limit applies from then on.
//   - A count is kept until the end of its window.
//   - A context that has ended is [callwright.KindCanceled], with the context's error inside, and counts nothing.
//   - A window that [access.Window.Validate] refuses, and an invalid amount, is [callwright.KindInvalid].
//   - Use leaves a moving window part by part. A returned amount is subtracted from the part in which it was taken.
//   - Use beyond the limit of a moving window counts in the next windows: as much as the limit in each, and in five of
//     them at most.
//   - Several counters over the same store, if New makes such, have the same counts: see RunShared.
package counterstest
