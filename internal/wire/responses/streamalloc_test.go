package responses_test

import (
	"testing"

	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/sse"
)

// A piece of a text allocates its event and its words, but nothing for the names in it and for its batch.
func TestPiecesAllocateNoNames(t *testing.T) {
	d := responses.Codec{}.NewStreamDecoder()
	feed := func(data string) func() {
		ev := sse.Event{Data: []byte(data), Raw: []byte("data: " + data + "\n\n")}
		return func() {
			if _, err := d.Feed(ev); err != nil {
				t.Fatal(err)
			}
		}
	}
	feed(`{"type":"response.created","response":{"id":"resp_1","model":"m"}}`)()
	feed(`{"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"msg_1","role":"assistant","content":[]}}`)()
	piece := feed(`{"type":"response.output_text.delta","output_index":0,"item_id":"msg_1","content_index":0,"delta":"some words"}`)
	if got := testing.AllocsPerRun(100, piece); got > 2 {
		t.Errorf("expected 2 allocations, got %v", got)
	}
}
