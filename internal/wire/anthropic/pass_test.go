package anthropic_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/anthropic"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"
)

// streams are the streamed answers among the cases that end well.
func streams(t *testing.T) map[string]wiretest.Stream {
	t.Helper()
	paths, err := filepath.Glob("testdata/stream_*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("expected cases, got %v", err)
	}
	all := map[string]wiretest.Stream{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(b).Files {
			if f.Name != "stream.sse" {
				continue
			}
			if s := wiretest.Decode(anthropic.Codec{}, bytes.NewReader(f.Data)); s.Err == nil {
				all[filepath.Base(path)] = s
			}
		}
	}
	return all
}

// meaning is a stream without what may differ when it is written anew: members of one wire, repeated usage.
func meaning(s wiretest.Stream) string {
	var kept []callwright.Batch
	var usage callwright.Usage
	for _, b := range s.Batches {
		var events []callwright.Event
		for _, ev := range b.Events {
			switch ev := ev.(type) {
			case callwright.UsageDelta:
				usage = usage.Merge(ev.Usage)
				continue
			case callwright.Begin:
				ev.Extra = callwright.Extra{}
				events = append(events, ev)
				continue
			case callwright.End:
				ev.Extra = callwright.Extra{}
				usage.Extra = callwright.Extra{}
				events = append(events, callwright.UsageDelta{Usage: usage}, ev)
				continue
			}
			events = append(events, ev)
		}
		kept = append(kept, callwright.Batch{Events: events, Notes: b.Notes})
	}
	s.Batches = kept
	return s.Dump()
}

// Stages keep the bytes of some batches and drop those of others, of the batches with events. Whatever they choose, and wherever the answer
// pauses, the client sees one sound stream that says the same.
func TestAnyBytesMayBeDropped(t *testing.T) {
	for name, s := range streams(t) {
		t.Run(name, func(t *testing.T) {
			want := meaning(s)
			rapid.Check(t, func(t *rapid.T) {
				var kept []callwright.Batch
				for _, b := range s.Batches {
					if len(b.Events) > 0 && rapid.Bool().Draw(t, "drop") {
						b.Raw = nil
					}
					b.More = rapid.Bool().Draw(t, "more")
					kept = append(kept, b)
				}
				out := encodeBatches(kept)
				again := wiretest.Decode(anthropic.Codec{}, bytes.NewReader(out))
				if got := meaning(again); got != want {
					t.Fatalf("expected\n%s\ngot\n%s\nfrom\n%s", want, got, out)
				}
				sound(t, out)
			})
		})
	}
}

// sound checks what clients insist on: one open block at a time, indexes that count up, deltas and stops of the open block.
func sound(t *rapid.T, stream []byte) {
	open, next := "", 0
	for _, line := range lines(stream) {
		name, data, _ := strings.Cut(line, " ")
		_, index, _ := strings.Cut(data, `"index":`)
		if i := strings.IndexAny(index, ",} "); i >= 0 {
			index = index[:i]
		}
		switch name {
		case "content_block_start":
			if open != "" || index != string(rune('0'+next)) {
				t.Fatalf("expected block %d to start alone, got %s while %q is open", next, line, open)
			}
			open = index
			next++
		case "content_block_delta":
			if index != open {
				t.Fatalf("expected a delta of block %q, got %s", open, line)
			}
		case "content_block_stop":
			if index != open {
				t.Fatalf("expected the stop of block %q, got %s", open, line)
			}
			open = ""
		case "message_delta", "message_stop":
			if open != "" {
				t.Fatalf("expected block %s to be closed before %s", open, name)
			}
		}
	}
}

// withoutText decodes a stream in which a stage holds the text back: its bytes and pieces go, and other comes before the end.
func withoutText(t *testing.T, name string, other ...callwright.Event) []callwright.Batch {
	t.Helper()
	s, ok := streams(t)[name]
	if !ok {
		t.Fatalf("no case %s", name)
	}
	var kept []callwright.Batch
	for _, b := range s.Batches {
		var events []callwright.Event
		for _, ev := range b.Events {
			switch ev := ev.(type) {
			case callwright.TextDelta:
				b.Raw = nil
				continue
			case callwright.End:
				b.Raw = nil
				events = append(events, other...)
				ev.Finish = callwright.FinishCalls
				events = append(events, ev)
				continue
			}
			events = append(events, ev)
		}
		b.Events, b.More = events, true
		kept = append(kept, b)
	}
	return kept
}

func TestTextThatBecameACall(t *testing.T) {
	batches := withoutText(t, "stream_text.txtar", callwright.CallBegin{ID: "x", Name: "f"}, callwright.CallEnd{}, callwright.UsageDelta{})
	out := string(encodeBatches(batches))
	if strings.Contains(out, `"type":"text"`) || strings.Contains(out, "end_turn") {
		t.Errorf("expected neither an empty text block nor the provider's stop reason, got\n%s", out)
	}
	if !strings.Contains(out, `"index":0,"content_block":{"type":"tool_use"`) || strings.Count(out, "message_delta") != 2 || !strings.Contains(out, `"stop_reason":"tool_use"`) {
		t.Errorf("expected the call as the first block, got\n%s", out)
	}
}

func TestTextThatComesLate(t *testing.T) {
	out := string(encodeBatches(withoutText(t, "stream_text.txtar", callwright.TextDelta{Text: "late"})))
	if strings.Count(out, "content_block_start\n") != 1 || !strings.Contains(out, `"text":"late"`) || strings.Index(out, "late") > strings.Index(out, "content_block_stop") {
		t.Errorf("expected the text inside the one block, got\n%s", out)
	}
}
