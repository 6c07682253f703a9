package main

import "testing"

// needsLong skips a test in short runs, such as the race detector's, in which a process takes a second to start: it runs command lines one after the other
// as users do, and what these run beside each other has tests of its own.
func needsLong(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it runs in whole tests")
	}
}
