package trace_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
)

// Every kind that an error may have is offered as a filter.
func TestErrorKinds(t *testing.T) {
	text, err := os.ReadFile("../../error.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []callwright.Kind
	for _, m := range regexp.MustCompile(`(?m)^\tKind\w+ +Kind = "(\w+)"`).FindAllSubmatch(text, -1) {
		want = append(want, callwright.Kind(m[1]))
	}
	if got := trace.ErrorKinds(); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("expected %v, got %v", want, got)
	}
}
