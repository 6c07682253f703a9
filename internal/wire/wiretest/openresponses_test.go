package wiretest_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/wire/wiretest"
)

// TestOpenResponsesComplaints takes a sound object, and complains about each member that is missing or of another type.
func TestOpenResponsesComplaints(t *testing.T) {
	const sound = `{"type":"response.output_item.done","sequence_number":4,"output_index":0,"item":{"type":"message","id":"m","status":"completed","role":"assistant",` +
		`"content":[{"type":"output_text","text":"","annotations":[],"logprobs":[]}]}}`
	if got := wiretest.OpenResponsesEventComplaints([]byte(sound)); len(got) > 0 {
		t.Errorf("a sound event: %q", got)
	}
	for was, now := range map[string]string{
		`"sequence_number":4,`: ``, `"output_index":0`: `"output_index":"0"`, `"output_index":0,`: `"output_index":0.5,`, `"id":"m",`: ``, `"completed"`: `"done"`,
		`,"logprobs":[]`: ``, `"text":""`: `"text":null`, `"annotations":[]`: `"annotations":[{"type":"url_citation"}]`, `output_item.done`: `output_item.gone`,
		`"type":"message"`: `"type":"massage"`,
	} {
		if got := wiretest.OpenResponsesEventComplaints([]byte(strings.Replace(sound, was, now, 1))); len(got) == 0 {
			t.Errorf("no complaint about %s in place of %s", now, was)
		}
	}
	if got := wiretest.OpenResponsesComplaints([]byte(`{}`)); len(got) != 32 {
		t.Errorf("%d members are missing in nothing: %q", len(got), got)
	}
}
