package errorkind_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/errorkind"
)

// Every kind of the vocabulary is listed, in its order.
func TestAll(t *testing.T) {
	text, err := os.ReadFile("../../error.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []callwright.Kind
	for _, m := range regexp.MustCompile(`(?m)^\tKind\w+ +Kind = "(\w+)"`).FindAllSubmatch(text, -1) {
		want = append(want, callwright.Kind(m[1]))
	}
	if got := errorkind.All(); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("expected %v, got %v", want, got)
	}
}
