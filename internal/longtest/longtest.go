// Package longtest controls whether long tests run completely. By default a long test runs only some of its cases, and
// a test that cannot be divided is skipped. All cases run if the environment variable CALLWRIGHT_LONG is set, as in
// .ci/run. Otherwise property tests in packages that import this package draw fewerCases cases, unless -rapid.checks is
// given.
package longtest

import (
	"flag"
	"os"
	"testing"

	_ "pgregory.net/rapid" // its flags
)

// fewerCases is the number of cases of a property test. The default of rapid, if all cases run, is 100.
const fewerCases = "25"

func init() {
	if !isWanted() {
		_ = flag.Set("rapid.checks", fewerCases) // before flags are parsed
	}
}

// variable is the name of the environment variable that enables all cases.
const variable = "CALLWRIGHT_LONG"

// IsEnabled reports whether all cases must run. It is false with -short, which is used with the race detector.
func IsEnabled() bool { return isWanted() && !testing.Short() }

func isWanted() bool {
	value := os.Getenv(variable)
	return value != "" && value != "0"
}

// Only skips a test whose cases cannot be divided. It does nothing if all cases must run.
func Only(t testing.TB) {
	t.Helper()
	if !IsEnabled() {
		t.Skip("runs where " + variable + " is set")
	}
}
