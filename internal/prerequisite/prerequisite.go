// Package prerequisite is for tests that require a program, a file or a service on the machine. Such a test is skipped
// if the prerequisite is missing. If the environment variable CALLWRIGHT_REQUIRE is set, as in .ci/run, the test fails
// instead, so that no test is skipped unnoticed.
package prerequisite

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// variable is the name of the environment variable that makes tests with missing prerequisites fail.
const variable = "CALLWRIGHT_REQUIRE"

// Missing skips a test whose prerequisite is missing. The test fails instead if CALLWRIGHT_REQUIRE is set to a value
// other than "0". The arguments name the prerequisite, as in testing.TB.Skip.
func Missing(t testing.TB, reason ...any) {
	t.Helper()
	if required := os.Getenv(variable); required != "" && required != "0" {
		t.Fatal(append([]any{variable + " is set:"}, reason...)...)
	}
	t.Skip(reason...)
}

// Program returns the path of the first of the named programs that is installed. If none is installed, it calls
// Missing.
func Program(t testing.TB, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, strings.Join(names, ", ")+": not installed")
	return ""
}
