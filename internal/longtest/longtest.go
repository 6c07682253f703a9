// Package longtest tells tests whether to run in full. By default a test that takes long runs a part of its cases, and
// one that cannot be divided is skipped, so that the command of the README takes few minutes. All cases run where
// CALLWRIGHT_LONG is set, as in .ci/run. Where it is not, property tests of packages that import this one draw
// fewerCases, unless -rapid.checks says how many.
package longtest

import (
	"flag"
	"os"
	"testing"

	_ "pgregory.net/rapid" // its flags
)

// fewerCases is how many cases a property test draws; 100 where all cases run.
const fewerCases = "25"

func init() {
	if !isWanted() {
		_ = flag.Set("rapid.checks", fewerCases) // before the command line is read
	}
}

// variable names the environment variable that asks for all cases.
const variable = "CALLWRIGHT_LONG"

// IsEnabled reports whether all cases are to run. They never do with -short, as under the race detector.
func IsEnabled() bool { return isWanted() && !testing.Short() }

func isWanted() bool {
	value := os.Getenv(variable)
	return value != "" && value != "0"
}

// Only skips a test that cannot be divided unless all cases are to run.
func Only(t testing.TB) {
	t.Helper()
	if !IsEnabled() {
		t.Skip("runs where " + variable + " is set")
	}
}
