// Package journaltest contains the test suite for implementations of [agent.Journal]. A test of an implementation is
// one call:
//
//	func TestJournal(t *testing.T) {
//		journaltest.Run(t, func(t *testing.T) agent.Journal { return agent.NewMemory() })
//	}
//
// The suite checks these rules:
//
//   - Load of an unknown run returns no entries and the number 0.
//   - Load returns entries in the order of Append, with their Data byte for byte. Data that is nil becomes empty.
//   - The journal copies Data: a later change of appended or loaded Data does not change the journal.
//   - Append returns an error of [callwright.KindConflict] and records nothing unless prev is the number of entries. If
//     several goroutines append with the same prev, exactly one succeeds.
//   - Of several concurrent decisions about the calls of a waiting run, one succeeds ([agent.Decide]).
//   - Runs are independent of each other, also if their IDs differ only by case.
//   - With a cancelled context, methods return an error of [callwright.KindCanceled] that wraps the context's error,
//     and record nothing.
//   - For an ID that [agent.RunID.Validate] rejects, or an entry that [agent.Entry.Validate] rejects, methods return
//     an error of [callwright.KindInvalid].
//
// A journal that implements [agent.RunLister] must also list the runs with entries, in descending order of ID.
package journaltest
