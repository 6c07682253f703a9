package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
)

func TestCarries(t *testing.T) {
	for _, f := range dialect.Formats() {
		if !f.Renders() {
			continue
		}
		for _, n := range []string{"get_weather", "math.factorial", "fs:read", "fs/read", "get weather", "get-weather", "3d_render", strings.Repeat("a", 64), "_" + strings.Repeat("b", 79), "für"} {
			t.Log(f.Name, n[:min(len(n), 20)], f.Carries(n, nil))
		}
	}
}
