package errorkind_test

import (
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/errorkind"
)

// Each kind is of one class, but for those that say that no other model can help.
func TestClasses(t *testing.T) {
	none := []callwright.Kind{callwright.KindInvalid, callwright.KindConflict, callwright.KindChangeNeeded, callwright.KindCanceled, callwright.KindNoEarlier}
	for _, k := range errorkind.All() {
		var of []string
		for _, name := range errorkind.Classes() {
			if slices.Contains(errorkind.Kinds(errorkind.Class(name)), k) {
				of = append(of, name)
			}
		}
		switch is := errorkind.ClassOf(k); {
		case slices.Contains(none, k):
			if is != "" || len(of) != 0 {
				t.Errorf("%s is of %v, expected none", k, of)
			}
		case len(of) != 1 || of[0] != string(is):
			t.Errorf("%s is of %v and by ClassOf of %q, expected one class", k, of, is)
		}
	}
	if errorkind.Kinds("none") != nil {
		t.Error("a class that is none has kinds")
	}
}
