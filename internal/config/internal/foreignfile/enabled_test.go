package foreignfile

import (
	"strings"
	"testing"
)

// A key that Bifrost does not use is not imported.
func TestBifrostKeyNotEnabled(t *testing.T) {
	r, err := Import([]byte(`{"providers": {"openai": {"keys": [{"name": "a", "value": "env.OPENAI_A"}, {"name": "b", "value": "env.OPENAI_B", "enabled": false}]}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(r.Text), "OPENAI_B") || len(r.Missing) != 1 {
		t.Errorf("got %s, %q", r.Text, r.Missing)
	}
}
