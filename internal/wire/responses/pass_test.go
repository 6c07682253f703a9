package responses_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/sse"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// streams are the cases that can be passed through.
func streams(t *testing.T) map[string]wiretest.Stream {
	t.Helper()
	paths, err := filepath.Glob("testdata/stream_*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]wiretest.Stream{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(b).Files {
			if s := wiretest.Decode(responses.Codec{}, bytes.NewReader(f.Data)); f.Name == "stream.sse" && s.Kept {
				out[filepath.Base(path)] = s
			}
		}
	}
	if len(out) < 5 {
		t.Fatalf("expected streams to pass through, got %d", len(out))
	}
	return out
}

// content is what a stream says, whatever items it says it in.
func content(events []callwright.Event) string {
	var b strings.Builder
	for _, ev := range events {
		switch ev := ev.(type) {
		case callwright.TextDelta:
			b.WriteString(ev.Text)
		case callwright.ReasoningDelta:
			b.WriteString(ev.Text)
		case callwright.ReasoningEnd:
			b.WriteString("\n" + ev.Redacted + "\n")
			if ev.Redacted != "" {
				b.WriteString(ev.ID)
			}
		case callwright.CallBegin:
			b.WriteString("\n" + ev.ID + " " + ev.Name + " ")
		case callwright.CallDelta:
			b.WriteString(ev.Text)
		case callwright.OpaquePart:
			b.Write(ev.Extra.JSON)
		case callwright.End:
			b.WriteString("\n" + string(ev.Finish))
		}
	}
	return b.String()
}

// TestBytesMayEndAnywhere drops the bytes of a stream from each batch on: its events are encoded where the bytes ended.
func TestBytesMayEndAnywhere(t *testing.T) {
	for name, s := range streams(t) {
		t.Run(name, func(t *testing.T) {
			want := content(s.Events)
			for cut := 1; cut < len(s.Batches); cut++ { // from the first batch on it is known where the answer comes from
				e := responses.Codec{}.NewStreamEncoder(&callwright.Request{})
				var out []byte
				for i, b := range s.Batches {
					if i >= cut {
						b.Raw = nil
					}
					out = e.Encode(out, b)
				}
				again := wiretest.Decode(responses.Codec{}, bytes.NewReader(out))
				if diff := cmp.Diff(want, content(again.Events)); again.Err != nil || !again.Kept || diff != "" {
					t.Fatalf("without bytes from batch %d on (%v, kept %t; -want +got):\n%s\n%s", cut, again.Err, again.Kept, diff, out)
				}
				coherent(t, out)
			}
		})
	}
}

// coherent checks that the numbers of a stream rise, that its items are those of the whole answer at its end, and
// that no piece belongs to an item that is not open.
func coherent(t *testing.T, stream []byte) {
	t.Helper()
	type object struct{ ID string }
	n, open, items := 0, "", []string(nil)
	r := sse.NewReader(bytes.NewReader(stream))
	for ev, err := r.Next(); err == nil; ev, err = r.Next() {
		if len(ev.Data) == 0 || string(ev.Data) == "[DONE]" {
			continue
		}
		var in struct {
			Type     string
			Number   int    `json:"sequence_number"`
			Index    int    `json:"output_index"`
			Of       string `json:"item_id"`
			Item     object
			Response struct{ Output []object }
		}
		if err := json.Unmarshal(ev.Data, &in); err != nil {
			t.Fatal(err)
		}
		if in.Number < n {
			t.Errorf("expected event %d or a later one, got %s", n, ev.Data)
		}
		n = in.Number + 1
		switch in.Type {
		case "response.output_item.added":
			open = in.Item.ID
		case "response.output_item.done":
			items = append(items, in.Item.ID)
		case "response.completed", "response.incomplete":
			var whole []string
			for _, o := range in.Response.Output {
				whole = append(whole, o.ID)
			}
			if diff := cmp.Diff(items, whole); diff != "" {
				t.Errorf("unexpected items in the whole answer (-items +whole):\n%s", diff)
			}
		}
		if in.Of != "" && in.Of != open || in.Item.ID != "" && in.Item.ID != open {
			t.Errorf("expected something about %s, got %s", open, ev.Data)
		}
	}
}

// TestChangedTextIsNotRepeated cuts a piece of text as stages do: no later event may bring it back.
func TestChangedTextIsNotRepeated(t *testing.T) {
	s := streams(t)["stream_text.txtar"]
	for _, c := range []struct {
		name string
		late bool // the text comes after the batches that repeat it
	}{{"cut", false}, {"held back", true}} {
		t.Run(c.name, func(t *testing.T) {
			e := responses.Codec{}.NewStreamEncoder(&callwright.Request{})
			var out []byte
			var held []callwright.Event
			for _, b := range s.Batches {
				switch ev := last(b.Events).(type) {
				case callwright.TextDelta:
					if strings.HasPrefix(ev.Text, "rage") {
						held = append(held, b.Events...)
						continue
					}
				case callwright.End:
					if c.late {
						out = e.Encode(out, callwright.Batch{Events: held, More: true})
					}
				}
				out = e.Encode(out, b)
			}
			coherent(t, out)
			if whole := bytes.Count(out, []byte(`A storage`)); whole > 0 {
				t.Errorf("expected the text that was cut nowhere, got\n%s", out)
			}
			again := wiretest.Decode(responses.Codec{}, bytes.NewReader(out))
			if again.Err != nil || !again.Kept {
				t.Errorf("expected a sound stream, got %v from\n%s", again.Err, out)
			}
		})
	}
}

// last is the last event, nil without.
func last(events []callwright.Event) callwright.Event {
	if len(events) == 0 {
		return nil
	}
	return events[len(events)-1]
}

// TestFail ends a stream with the error, whatever came before.
func TestFail(t *testing.T) {
	for _, events := range [][]callwright.Event{nil, {callwright.Begin{ID: "resp_1"}, callwright.TextDelta{Text: "a"}}} {
		e := responses.Codec{}.NewStreamEncoder(&callwright.Request{Model: "lab/tern"})
		out := e.Encode(nil, callwright.Batch{Events: events, More: true})
		out = e.Fail(out, &callwright.Error{Kind: callwright.KindRateLimited, Message: "slow down"})
		s := wiretest.Decode(responses.Codec{}, bytes.NewReader(out))
		if callwright.KindOf(s.Err) != callwright.KindRateLimited || !strings.Contains(s.Err.Error(), "slow down") {
			t.Errorf("expected the error, got %v from %s", s.Err, out)
		}
		if more := e.Encode(nil, callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: "b"}}}); len(more) > 0 {
			t.Errorf("expected nothing behind the error, got %s", more)
		}
	}
}
