// Package logtest is the suite that every [trace.Log] passes. An implementation's test is one call:
//
//	func TestLog(t *testing.T) {
//		logtest.Run(t, func(t *testing.T, now func() time.Time, l trace.LogLimits) trace.Log { return openFolder(t, now, l) })
//	}
//
// Time goes by the function alone that a log is opened with: nothing here waits. The laws are:
//
//   - The entries of a request come back as they were appended, in that order, whatever came between them for others; only their Seq is the log's own affair.
//   - List gives of the requests what [trace.Query.Matches] says of their summaries, in the order of [trace.Latest].
//   - What has begun and has no answer is unfinished. Entries without a request before them are in no list.
//   - Beyond LogLimits the oldest requests go first: too old ones are gone, and of so many bytes the newest are kept, at least those of a quarter of the bound.
//   - What a [trace.Writer] records comes back the same.
//   - What is not kept is [callwright.KindNotFound]; a context that has ended is [callwright.KindCanceled].
package logtest
