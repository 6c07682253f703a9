package spelling_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/spelling"
)

func TestNearest(t *testing.T) {
	names := []string{"models", "model", "max_retries", "groq", "openai/NAME", "heal", "heal+heuristic", "observe", "go"}
	for name, want := range map[string]string{
		"modls": "models", "mdoel": "model", "maxRetries": "max_retries", "MAX-RETRIES": "max_retries", "gorq": "groq", "heel": "heal",
		"obsreve": "observe", "open": "openai/NAME", "obs": "observe", "ob": "", "telepathy": "", "x": "", "": "", "off": "", "providers": "", strings.Repeat("a", 1<<20): "",
	} {
		if got := spelling.Nearest(name, names); got != want {
			t.Errorf("%.20s: got %q, want %q", name, got, want)
		}
	}
}
