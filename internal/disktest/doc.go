// Package disktest tests the files of packages on disk: with processes that are killed, and with folders that others
// must not read.
//
// A package whose tests need such processes makes of its test binary one that does a job:
//
//	func TestMain(m *testing.M) {
//		if !disktest.Work(jobs) {
//			goleak.VerifyTestMain(m)
//		}
//	}
package disktest
