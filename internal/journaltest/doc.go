// Package journaltest is the suite that every [agent.Journal] passes. An implementation's test is one call:
//
//	func TestJournal(t *testing.T) {
//		journaltest.Run(t, func(t *testing.T) agent.Journal { return agent.NewMemory() })
//	}
//
// The suite holds a journal to these laws:
//
//   - A run that is unknown has no entries and the number 0.
//   - Entries come back in the order in which they were recorded, their Data byte for byte; Data that is empty or nil
//     comes back empty.
//   - Writing to Data, before or after, changes no entry that was recorded.
//   - Append with a prev that is not the number of entries is [callwright.KindConflict] and records nothing; of several
//     at the same prev exactly one records its entry.
//   - Of several concurrent decisions about the calls of a parked run, one succeeds ([agent.Decide]).
//   - No run sees the entries of another, also where ids differ only by case.
//   - A context that has ended is [callwright.KindCanceled], with the context's error inside, and records nothing.
//   - An id that [agent.RunID.Validate] refuses, or an entry that [agent.Entry.Validate] refuses, is
//     [callwright.KindInvalid].
//
// A journal that is an [agent.RunLister] also lists the runs that have entries, the greatest id first.
package journaltest
