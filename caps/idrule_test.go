package caps_test

import (
	"testing"

	"github.com/callwright/callwright/caps"
)

// An id is accepted by its length and by its characters; one that is empty never is.
func TestAccepts(t *testing.T) {
	for _, c := range []struct {
		rule caps.IDRule
		id   string
		want bool
	}{
		{caps.IDRule{}, "", false}, {caps.IDRule{}, "any thing", true}, {caps.IDRule{Exact: 9}, "aB3456789", true},
		{caps.IDRule{Exact: 9}, "aB345678", false}, {caps.IDRule{Exact: 9}, "call_6789", false}, {caps.IDRule{Max: 4, Extra: "_"}, "a_b", true},
		{caps.IDRule{Max: 4, Extra: "_"}, "a_b_c", false}, {caps.IDRule{Max: 4, Extra: "*"}, "ä:", true},
	} {
		if got := c.rule.Accepts(c.id); got != c.want {
			t.Errorf("%+v %q: expected %t, got %t", c.rule, c.id, c.want, got)
		}
	}
}
