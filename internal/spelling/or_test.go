package spelling_test

import (
	"testing"

	"github.com/callwright/callwright/internal/spelling"
)

func TestOr(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := spelling.Or(names); got != want {
			t.Errorf("%v: got %q, want %q", names, got, want)
		}
	}
}
