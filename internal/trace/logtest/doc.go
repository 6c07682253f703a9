// Package logtest is the suite that every [trace.Log] passes. An implementation's test is one call:
//
//	func TestLog(t *testing.T) {
//		logtest.Run(t, func(t *testing.T, now func() time.Time, l trace.LogLimits) trace.Log { return openFolder(t, now, l) })
//	}
//
// The function now is the only source of time of a log: the suite does not wait. The laws are:
//
//   - The entries of a request come back as they were appended and in that order, whatever entries of others came
//     between them. Only their Seq is chosen by the log.
//   - List returns the requests whose summaries [trace.Query.Matches] selects, in the order of [trace.Latest].
//   - A request without an answer is unfinished. Entries without a request before them are in no list.
//   - Beyond LogLimits the oldest requests are deleted first. Requests beyond the limit of age are gone. Of more bytes
//     than the limit the newest are kept, at least a quarter of the limit.
//   - Entries that a [trace.Writer] records come back the same.
//   - A request that is not kept is [callwright.KindNotFound]. A context that has ended is [callwright.KindCanceled].
package logtest
