package faultlist_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/faultlist"
)

// Every fault, family and profile is listed, in lines that are not too long.
func TestListHasEverything(t *testing.T) {
	var b strings.Builder
	faultlist.New().Print(&b, 100)
	text := b.String()
	for _, names := range [][]string{faultlist.Names(), faultlist.Families(), faultlist.Profiles()} {
		for _, name := range names {
			if !strings.Contains(text, name) {
				t.Errorf("%s is not listed", name)
			}
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 101 {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
}
