// Package counterstest is the suite that every [access.Counters] passes. An implementation's test is one call:
//
//	func TestCounters(t *testing.T) {
//		counterstest.Run(t, func(t *testing.T, now func() time.Time) access.Counters { return access.NewMemoryCounters(now) })
//	}
//
// The clock that is handed over begins at the time of the machine and is moved forward by the suite: nothing sleeps.
// The suite holds counters to these laws:
//
//   - A window in which nothing was counted has the count 0.
//   - Take counts what it returns: never more than was asked for, never less than the least but 0, and never so much that the count passes the
//     limit.
//   - Take returns all that was asked for where that is left, and what is left where that is less.
//   - Of any number of callers at the same time all together get what the limit leaves, to the last one, and no more.
//   - Add counts whatever the limit is, and never below 0. What is given back can be taken again.
//   - Windows of other names and other starts are others, also where names differ only by case or look like paths or patterns.
//   - A limit that changes holds from then on.
//   - A count stays until the end of its window.
//   - A context that has ended is [callwright.KindCanceled], with the context's error inside, and counts nothing.
//   - A window that [access.Window.Validate] refuses, and amounts that are none, are [callwright.KindInvalid].
//   - Of a window that moves what was counted leaves it part by part; what is given back is given back in the part in which it was taken.
//   - What was used beyond the limit of a window that moves stands in those that come, as much as the limit in each, and in five of them at most.
//   - Several counters made over the same store, where New makes such, have the same counts: see RunShared.
package counterstest
