package longtest_test

import (
	"testing"

	"github.com/callwright/callwright/internal/longtest"
)

func TestOnly(t *testing.T) {
	for _, c := range []struct {
		value string
		runs  bool
	}{{"", false}, {"0", false}, {"1", true}, {"yes", true}} {
		t.Run(c.value, func(t *testing.T) {
			t.Setenv("CALLWRIGHT_LONG", c.value)
			ran := false
			t.Run("long", func(t *testing.T) {
				longtest.Only(t)
				ran = true
			})
			if want := c.runs && longtest.IsEnabled(); ran != want || longtest.IsEnabled() != want {
				t.Errorf("CALLWRIGHT_LONG=%q: ran %v", c.value, ran)
			}
		})
	}
}
