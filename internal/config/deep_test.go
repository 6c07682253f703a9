package config_test

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/config"
)

// A text that is nested without end is refused for that, at little cost, whatever nests.
func TestDeepNestingIsCheap(t *testing.T) {
	var steps strings.Builder
	for i := range 1200 {
		steps.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	const size = 1 << 20
	for name, text := range map[string]string{
		"lists": strings.Repeat("[", size), "closed lists": strings.Repeat("[", size/2) + strings.Repeat("]", size/2),
		"objects": strings.Repeat("{a: ", size/4), "after a key": "models: " + strings.Repeat("[", size/2),
		"sequences": strings.Repeat("- ", size/2), "keys": strings.Repeat("? ", size/2), "mixed": strings.Repeat("- [{", size/4), "steps": steps.String(),
		"quoted lists": strings.Repeat(`["a",`, size/5), "lines of lists": strings.Repeat("[\n", size/2), "lists of lists": "a: " + strings.Repeat("[[],", size/4),
		"tags": strings.Repeat("!a ", size/3), "anchors": strings.Repeat("&a ", size/3), "colons": strings.Repeat("a: ", size/3),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		_, err := config.Parse([]byte(text), env())
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		if grown := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || grown > 64 {
			t.Errorf("%s: %d MiB in %s: %.200v", name, grown, took, err)
		}
	}
}
