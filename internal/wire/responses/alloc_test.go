package responses_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/sse"
)

// allocated is how many bytes a function allocates.
func allocated(f func()) float64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// longItem is how an item that says one text looks, and how its text is streamed.
type longItem struct {
	item            string // with %s for the text
	events, repeats string // the events of its text; the member that repeats it
	parts           bool   // its text stands in a part
}

var longItems = map[string]longItem{
	"message":   {`{"id":"i","type":"message","role":"assistant","content":[{"type":"output_text","text":%s,"annotations":[]}]}`, "output_text", "text", true},
	"reasoning": {`{"id":"i","type":"reasoning","summary":[{"type":"summary_text","text":%s}]}`, "reasoning_summary_text", "text", false},
	"call":      {`{"id":"i","type":"function_call","call_id":"c","name":"f","arguments":%s}`, "function_call_arguments", "arguments", false},
	"custom":    {`{"id":"i","type":"custom_tool_call","call_id":"c","name":"f","input":%s}`, "custom_tool_call_input", "input", false},
}

// answer is the item with the text as a whole answer.
func (l longItem) answer(text string) string {
	return `{"id":"resp_1","status":"completed","model":"m","output":[` + fmt.Sprintf(l.item, quoted(text)) + `]}`
}

// stream is the same answer in pieces of so many bytes, with all the events that repeat it.
func (l longItem) stream(text string, size int) []byte {
	var b []byte
	event := func(name, format string, args ...any) {
		b = sse.Append(b, "response."+name, []byte(`{"type":"response.`+name+`","item_id":"i","output_index":0,`+fmt.Sprintf(format, args...)+`}`))
	}
	event("created", `"response":{"id":"resp_1","status":"in_progress","model":"m","output":[]}`)
	event("output_item.added", `"item":%s`, fmt.Sprintf(l.item, `""`))
	for rest := text; rest != ""; {
		n := min(size, len(rest))
		event(l.events+".delta", `"delta":%s`, quoted(rest[:n]))
		rest = rest[n:]
	}
	event(l.events+".done", `"%s":%s`, l.repeats, quoted(text))
	if l.parts {
		event("content_part.done", `"part":{"type":"output_text","text":%s,"annotations":[]}`, quoted(text))
	}
	event("output_item.done", `"item":%s`, fmt.Sprintf(l.item, quoted(text)))
	event("completed", `"response":%s`, l.answer(text))
	return b
}

// TestBytesAllocated bounds what reading a long answer allocates: in all some multiple of the answer, and where it comes in pieces of
// few bytes no more than these take.
func TestBytesAllocated(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("large inputs; what is measured is memory, of which the race detector takes more")
	}
	const wholeTimes, streamTimes = 3, 8
	for name, text := range map[string]string{
		"plain":   `{"s":"` + strings.Repeat("abcdefgh ", 25_000) + `"}`,
		"escaped": `{"s":` + quoted(strings.Repeat("line \"a\"\n", 25_000)) + `}`,
	} {
		for kind, long := range longItems {
			answer := []byte(long.answer(text))
			t.Run(name+"/"+kind+"/whole", func(t *testing.T) {
				n := allocated(func() {
					if _, err := (responses.Codec{}).DecodeResponse(answer); err != nil {
						t.Fatal(err)
					}
				})
				if times := n / float64(len(answer)); times > wholeTimes {
					t.Errorf("%.1f times the answer is allocated, expected at most %d", times, wholeTimes)
				}
			})
			for _, size := range []int{5, 50, 4096, 1 << 19} {
				t.Run(fmt.Sprintf("%s/%s/pieces of %d", name, kind, size), func(t *testing.T) {
					raw := long.stream(text, size)
					events := eventsOf(raw)
					n := allocated(func() { decodeStream(t, events) })
					bound := float64(streamTimes * len(answer))
					if size < 50 {
						bound = float64(len(raw))
					}
					if n > bound {
						t.Errorf("%.1f times the answer, %.1f times the stream is allocated", n/float64(len(answer)), n/float64(len(raw)))
					}
				})
			}
		}
	}
}

// eventsOf reads the events of a stream.
func eventsOf(raw []byte) (out []sse.Event) {
	for r := sse.NewReader(bytes.NewReader(raw)); ; {
		ev, err := r.Next()
		if err != nil {
			return out
		}
		ev.Data, ev.Raw = slices.Clone(ev.Data), slices.Clone(ev.Raw)
		out = append(out, ev)
	}
}

// decodeStream decodes a stream about which there is nothing to note.
func decodeStream(t *testing.T, events []sse.Event) {
	d := responses.Codec{}.NewStreamDecoder()
	for _, ev := range events {
		b, err := d.Feed(ev)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range b.Notes {
			t.Fatalf("unexpected note %+v", n)
		}
	}
	if _, err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
