package kit_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func TestNotesAreGraded(t *testing.T) {
	var notes kit.Notes
	notes.Add(callwright.Note{Rule: "history.media", Was: strings.Repeat("x", 1000)})
	notes.Add(callwright.Note{Rule: "history.unheard_of"})
	if len(notes) != 2 {
		t.Fatalf("got %v", notes)
	}
	n := notes[0]
	if n.Risk != callwright.RiskImplied || n.Fault != "F55" || n.Stage != callwright.StageEncode || len(n.Was) > 300 {
		t.Errorf("expected the grade of the rule, the stage and a short excerpt, got %+v", n)
	}
	if notes[1].Risk != callwright.RiskImplied {
		t.Errorf("expected the grade of the family, got %+v", notes[1])
	}
}
