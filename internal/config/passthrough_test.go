package config_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright/internal/config"
)

// What goes on as it came is said as a list, as one word or as none; nothing said is told from none.
func TestPassthrough(t *testing.T) {
	for text, want := range map[string]config.Passthrough{
		"listen: 127.0.0.1:1": nil, "passthrough: []": {}, "passthrough: none": {}, "passthrough: audio": {"audio"}, "passthrough: [audio, rerank]": {"audio", "rerank"},
	} {
		c, err := config.Parse([]byte(text), env())
		if err != nil || !slices.Equal(c.Passthrough, want) || (c.Passthrough == nil) != (want == nil) {
			t.Errorf("%s: got %#v, %v", text, c, err)
		}
	}
}
