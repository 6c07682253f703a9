// Package prerequisite is for tests that need a program, a file or a service of the machine. Such a test is skipped
// where its prerequisite is missing. It fails where CALLWRIGHT_REQUIRE is set, as .ci/run does, so that no test is left
// out unseen.
package prerequisite

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// variable names the environment variable that makes missing prerequisites failures.
const variable = "CALLWRIGHT_REQUIRE"

// Missing skips a test whose prerequisite is missing, or fails it where CALLWRIGHT_REQUIRE is set to anything but 0.
// The arguments name the missing prerequisite, as those of testing.TB.Skip.
func Missing(t testing.TB, reason ...any) {
	t.Helper()
	if required := os.Getenv(variable); required != "" && required != "0" {
		t.Fatal(append([]any{variable + " is set:"}, reason...)...)
	}
	t.Skip(reason...)
}

// Program returns the path of the first of several programs that is installed. The test is skipped or fails where none
// is.
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
