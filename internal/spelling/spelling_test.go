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

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		name, other string
		want        int
		near        bool
	}{
		{"modls", "models", 1, true}, {"max-retries", "maxRetries", 0, true}, {"gorq", "groq", 1, true}, {"open", "openai/NAME", 7, true},
		{"gpt-4o", "gpt-4o-mini", 4, true}, {"op", "openai", 0, false}, {"telepathy", "models", 0, false}, {"", "models", 0, false},
		{"a", strings.Repeat("a", 1<<20), 0, false}, {"aaa", strings.Repeat("a", 1<<20), 0, false},
	} {
		if got, near := spelling.Distance(c.name, c.other); got != c.want || near != c.near {
			t.Errorf("%.20s, %.20s: got %d, %t", c.name, c.other, got, near)
		}
	}
}
