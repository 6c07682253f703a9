package kit_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

func TestLost(t *testing.T) {
	x := callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"context_management":{"edits":[]},"metadata":{"a":1}}`)}
	if notes := kit.NoteLostMembers(x, callwright.WireAnthropic); notes != nil {
		t.Errorf("members of the own wire are said to be lost: %v", notes)
	}
	notes := kit.NoteLostMembers(x, callwright.WireOpenAI)
	if len(notes) != 2 || notes[0].Was != `context_management: {"edits":[]}` || notes[1].Rule != "params.left_out" {
		t.Errorf("got %v", notes)
	}
}
