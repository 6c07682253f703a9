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
	var kept []callwright.Event
	var usage callwright.Usage
	for _, ev := range s.Events {
		switch ev := ev.(type) {
		case callwright.Frame:
			continue
		case callwright.UsageDelta:
			usage = usage.Merge(ev.Usage)
			continue
		case callwright.Begin:
			ev.Extra = callwright.Extra{}
			kept = append(kept, ev)
			continue
		case callwright.End:
			ev.Extra = callwright.Extra{}
			usage.Extra = callwright.Extra{}
			kept = append(kept, callwright.UsageDelta{Usage: usage}, ev)
			continue
		}
		kept = append(kept, ev)
	}
	s.Events = kept
	return s.Dump()
}

// Stages pass some frames on and drop others, of those that announce events. Whatever they choose, the client sees one sound stream that says the same.
func TestAnyFramesMayBeDropped(t *testing.T) {
	for name, s := range streams(t) {
		t.Run(name, func(t *testing.T) {
			want := meaning(s)
			rapid.Check(t, func(t *rapid.T) {
				var kept []callwright.Event
				for _, ev := range s.Events {
					if f, ok := ev.(callwright.Frame); ok && f.Events > 0 && rapid.Bool().Draw(t, "drop") {
						continue
					}
					kept = append(kept, ev)
				}
				out := encodeAll(kept)
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

// frames decodes a stream in which a stage holds the text back: its frames and pieces go, and other comes before the end.
func frames(t *testing.T, name string, other ...callwright.Event) []callwright.Event {
	t.Helper()
	s, ok := streams(t)[name]
	if !ok {
		t.Fatalf("no case %s", name)
	}
	var kept []callwright.Event
	for i, ev := range s.Events {
		if f, ok := ev.(callwright.Frame); ok && f.Events > 0 {
			switch s.Events[i+1].(type) {
			case callwright.TextDelta, callwright.End:
				continue
			}
		}
		switch ev := ev.(type) {
		case callwright.TextDelta:
			continue
		case callwright.End:
			kept = append(kept, other...)
			ev.Finish = callwright.FinishCalls
			kept = append(kept, ev)
			continue
		}
		kept = append(kept, ev)
	}
	return kept
}

func TestTextThatBecameACall(t *testing.T) {
	events := frames(t, "stream_text.txtar", callwright.CallBegin{ID: "x", Name: "f"}, callwright.CallEnd{}, callwright.UsageDelta{})
	out := string(encodeAll(events))
	if strings.Contains(out, `"type":"text"`) || strings.Contains(out, "end_turn") {
		t.Errorf("expected neither an empty text block nor the provider's stop reason, got\n%s", out)
	}
	if !strings.Contains(out, `"index":0,"content_block":{"type":"tool_use"`) || strings.Count(out, "message_delta") != 2 || !strings.Contains(out, `"stop_reason":"tool_use"`) {
		t.Errorf("expected the call as the first block, got\n%s", out)
	}
}

func TestTextThatComesLate(t *testing.T) {
	out := string(encodeAll(frames(t, "stream_text.txtar", callwright.TextDelta{Text: "late"})))
	if strings.Count(out, "content_block_start\n") != 1 || !strings.Contains(out, `"text":"late"`) || strings.Index(out, "late") > strings.Index(out, "content_block_stop") {
		t.Errorf("expected the text inside the one block, got\n%s", out)
	}
}
