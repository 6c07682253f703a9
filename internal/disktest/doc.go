// Package disktest contains helpers for tests of packages that write files: processes that are killed during a write,
// full or read-only disks, and checks of file permissions.
//
// A package whose tests start such processes calls Work in TestMain, so that its test binary can run a job:
//
//	func TestMain(m *testing.M) {
//		if !disktest.Work(jobs) {
//			goleak.VerifyTestMain(m)
//		}
//	}
package disktest
