package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

// Every format carries the names of identifiers, and those with the separators of namespaces. Some do not carry blanks.
func TestCarries(t *testing.T) {
	blanks := 0
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		for _, name := range []string{"get_weather", "math.factorial", "fs:read", "fs/read", "get-weather", "3d_render", strings.Repeat("a", 64), strings.Repeat("letter_by_", 8)} {
			if !f.Carries(name, nil) {
				t.Errorf("%s does not carry %q", f.Name, name)
			}
		}
		if f.Carries("get weather", nil) {
			blanks++
		}
	}
	if f, _ := dialect.Lookup("hermes"); !f.Carries("get weather", nil) {
		t.Error("JSON carries blanks")
	}
	if f, _ := dialect.Lookup("pythonic"); f.Carries("get weather", nil) || blanks == 0 {
		t.Error("Python carries blanks, or nothing does")
	}
}
