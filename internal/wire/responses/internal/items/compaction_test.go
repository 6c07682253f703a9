package items_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// TestCompactionPart reads back what was written, and leaves compactions of the provider alone.
func TestCompactionPart(t *testing.T) {
	item := items.NewCompaction("cmp_1", " The fence is green.\n").Extra
	if !items.IsCompaction(item) || items.IsCompaction(callwright.Extra{Wire: callwright.WireOpenAI, JSON: item.JSON}) {
		t.Errorf("expected a compaction of this wire, got %s", item.JSON)
	}
	for raw, want := range map[string]string{
		string(item.JSON): "\n\nThe fence is green.",
		`{"type":"compaction","encrypted_content":"` + wire.CarrierMark + `!"}`: "cannot be read",
		`{"type":"compaction","encrypted_content":"gAAA"}`:                      "",
		`{"type":"compaction"}`:         "",
		`{"type":"compaction_trigger"}`: "summary alone",
		`{"type":"reasoning"}`:          "",
	} {
		kind, _, _ := strings.Cut(strings.SplitAfter(raw, `"type":"`)[1], `"`)
		p, _ := items.CompactionPart([]byte(raw), kind).(callwright.Text)
		if (want == "") != (p.Text == "") || !strings.Contains(p.Text, want) {
			t.Errorf("%s: expected %q, got %q", raw, want, p.Text)
		}
	}
}

// TestDigest tells items apart by what they say, however it comes.
func TestDigest(t *testing.T) {
	var pieces items.Digest
	pieces.Add("a")
	pieces.Add("b")
	for item, same := range map[string]bool{
		`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"},{"type":"output_text","text":"b"}]}`: true,
		`{"type":"reasoning","summary":[{"type":"summary_text","text":"ab"}]}`:                                                  true,
		`{"type":"custom_tool_call","call_id":"c","name":"f","input":"ab"}`:                                                     true,
		`{"type":"function_call","call_id":"c","name":"f","arguments":"ab"}`:                                                    true,
		`{"type":"message","role":"assistant","content":"ba"}`:                                                                  false,
	} {
		if got := items.DigestOf([]byte(item)) == pieces; got != same {
			t.Errorf("%s: expected %t, got %t", item, same, got)
		}
	}
}
