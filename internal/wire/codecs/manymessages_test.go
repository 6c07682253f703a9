package codecs_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// conversations are a turn of each side, and what stands around turns.
var conversations = map[callwright.WireName]struct{ turns, head, tail string }{
	callwright.WireOpenAI:    {`{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":"b"}`, `{"model":"m","messages":[`, `]}`},
	callwright.WireResponses: {`{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]},{"role":"assistant","content":"b"}`, `{"model":"m","input":[`, `]}`},
	callwright.WireAnthropic: {`{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":"b"}`, `{"model":"m","max_tokens":1,"messages":[`, `]}`},
	callwright.WireGemini:    {`{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]}`, `{"contents":[`, `]}`},
	callwright.WireOllama:    {`{"role":"user","content":"a"},{"role":"assistant","content":"b"}`, `{"model":"m","messages":[`, `]}`},
}

// Decoding a request allocates nothing for each message.
func TestMessagesAllocateNothing(t *testing.T) {
	const n, most = 400, 40
	for _, c := range codecs.All() {
		is := conversations[c.Name()]
		body := []byte(is.head + strings.Repeat(is.turns+",", n-1) + is.turns + is.tail)
		got := testing.AllocsPerRun(10, func() {
			if _, err := c.DecodeRequest(body); err != nil {
				t.Fatal(err)
			}
		})
		if got > most {
			t.Errorf("%s: %v allocations for %d messages", c.Name(), got, 2*n)
		}
	}
}
