package anthropic_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/wiretest"
)

// A server may leave out message_start, and put text and thinking into the starts of their blocks.
func TestStreamWithoutHead(t *testing.T) {
	stream := `data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"Hm","signature":"s"}}

data: {"type":"content_block_stop","index":0}

data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":"Aye"}}

data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"."}}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":4}}

data: {"type":"message_stop"}

`
	want := `begin
reasoning "Hm"
reasoning-end signature="s"
text "Aye."
usage output=4
end stop extra={"stop_reason":"end_turn"}
`
	s := wiretest.Decode(anthropic.Codec{}, strings.NewReader(stream))
	if got := s.Dump(); got != want {
		t.Errorf("expected\n%s\ngot\n%s", want, got)
	}
	again := wiretest.Decode(anthropic.Codec{}, bytes.NewReader(encodeBatches(s.Batches)))
	if again.Err != nil || !strings.Contains(again.Dump(), `text "Aye."`) {
		t.Errorf("expected a sound stream, got %s", again.Dump())
	}
}

// Blocks that a server mixes are bounded: those open longest are ended first, and nothing is lost.
func TestManyOpenBlocks(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		b.WriteString(`data: {"type":"content_block_start","index":` + strings.Repeat("1", i%9+1) + strings.Repeat("0", i/9%9) + `,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}}` + "\n\n")
	}
	b.WriteString("data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n")
	s := wiretest.Decode(anthropic.Codec{}, strings.NewReader(b.String()))
	if n := strings.Count(s.Dump(), "\ncall "); s.Err != nil || n != 200 {
		t.Errorf("expected 200 calls, got %d (%v)", n, s.Err)
	}
}
