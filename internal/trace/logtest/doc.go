// Package logtest tests implementations of [trace.Log]. The test of an implementation is one call:
//
//	func TestLog(t *testing.T) {
//		logtest.Run(t, func(t *testing.T, now func() time.Time, l trace.LogLimits) trace.Log { return openFolder(t, now, l) })
//	}
//
// A log must get the time only from now, because the tests do not wait. They check these properties:
//
//   - Entries returns the entries of a request unchanged and in the order of Append, even if entries of other requests
//     were appended between them. Only their Seq may differ.
//   - List returns the requests that the [trace.Query] matches, in the order of [trace.Latest].
//   - A request without an answer is unfinished. Entries without a preceding request entry are in no list.
//   - Above LogLimits, the oldest requests are deleted first. Requests older than the maximum age are not returned.
//     Above the maximum size, the newest requests remain, at least a quarter of the maximum.
//   - Entries recorded by a [trace.Writer] are returned unchanged.
//   - The error for an unknown request is [callwright.KindNotFound], for a done context [callwright.KindCanceled].
package logtest
