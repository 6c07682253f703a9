package wiretest

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/sse"
	"github.com/google/go-cmp/cmp"
)

// Stream is a decoded stream: its batches, their events, and the error that ended it, nil for success.
type Stream struct {
	Batches []callwright.Batch
	Events  []callwright.Event
	Err     error
	// Kept reports whether the batches have all bytes of the input, so that they can be forwarded unchanged.
	Kept bool
}

// Dump returns the text dump of the stream for golden files: its joined events, its notes and its error.
func (s Stream) Dump() string {
	out := Batches(s.Batches)
	if s.Err != nil {
		out += Error(s.Err)
	}
	return out
}

// Decode decodes a stream with a new decoder of c. It overwrites the bytes of each event afterwards, to detect a
// decoder that keeps them. The batches are copies that stay valid.
func Decode(c wire.Codec, r io.Reader) Stream {
	reader := sse.NewReader(r)
	if c.StreamsJSONLines() {
		reader = sse.NewLineReader(r)
	}
	d := c.NewStreamDecoder()
	s := Stream{}
	came := 0
	for {
		ev, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			s.Err = err
			return s
		}
		came += len(ev.Raw)
		ev.Data, ev.Raw = bytes.Clone(ev.Data), bytes.Clone(ev.Raw)
		b, err := d.Feed(ev)
		s.keep(b)
		scribble(ev.Data)
		scribble(ev.Raw)
		if err != nil {
			s.Err = err
			return s
		}
	}
	b, err := d.Close()
	s.keep(b)
	s.Err = err
	s.Kept = err == nil && s.has(came)
	return s
}

// has reports whether every batch with events has raw bytes, and the raw bytes of all batches add up to the size came.
func (s *Stream) has(came int) bool {
	bytes := 0
	for _, b := range s.Batches {
		if b.Raw == nil && len(b.Events) > 0 {
			return false
		}
		bytes += len(b.Raw)
	}
	return bytes == came
}

// scribble overwrites b, which is valid only until the next event, so that a decoder that keeps it fails the test.
func scribble(b []byte) {
	for i := range b {
		b[i] = '!'
	}
}

// keep appends a copy of the batch b, if it is not empty, to the stream.
func (s *Stream) keep(b callwright.Batch) {
	if b.Raw == nil && len(b.Events)+len(b.Notes) == 0 {
		return
	}
	b.Raw, b.Events = bytes.Clone(b.Raw), slices.Clone(b.Events)
	if k, ok := b.Hint.(callwright.Keeper); ok {
		b.Hint = k.Keep()
	}
	s.Batches = append(s.Batches, b)
	s.Events = append(s.Events, b.Events...)
}

// Encode encodes events with a new encoder of c, for a client that requested usage.
func Encode(c wire.Codec, events []callwright.Event) []byte {
	var batches []callwright.Batch
	for i := range events {
		batches = append(batches, callwright.Batch{Events: events[i : i+1], More: true})
	}
	return EncodeBatches(c, batches)
}

// EncodeBatches encodes batches with a new encoder of c, for a client that requested usage.
func EncodeBatches(c wire.Codec, batches []callwright.Batch) []byte {
	e := c.NewStreamEncoder(&callwright.Request{Model: "m", Params: callwright.Params{Stream: true, StreamUsage: true}})
	var out []byte
	for _, b := range batches {
		out = e.Encode(out, b)
	}
	return out
}

func testStream(t *testing.T, s Suite, c *caseFile) {
	t.Helper()
	raw := c.file(streamName(s.Codec))
	whole := Decode(s.Codec, bytes.NewReader(raw))
	dump := whole.Dump()
	c.want(t, dump)
	for _, form := range []struct {
		name  string
		bytes []byte
	}{
		{"LF", raw},
		{"CRLF", bytes.ReplaceAll(raw, []byte("\n"), []byte("\r\n"))},
		{"CR", bytes.ReplaceAll(raw, []byte("\n"), []byte("\r"))},
	} {
		if s.Codec.StreamsJSONLines() && form.name == "CR" {
			continue
		}
		for _, cut := range []struct {
			name string
			r    io.Reader
		}{
			{"whole", bytes.NewReader(form.bytes)},
			{"bytes", iotest.OneByteReader(bytes.NewReader(form.bytes))},
			{"halves", iotest.HalfReader(bytes.NewReader(form.bytes))},
			{"late error", iotest.DataErrReader(bytes.NewReader(form.bytes))},
		} {
			if diff := cmp.Diff(dump, Decode(s.Codec, cut.r).Dump()); diff != "" {
				t.Errorf("%s, %s (-whole +cut):\n%s", form.name, cut.name, diff)
			}
		}
	}
	if whole.Err == nil && !s.Codec.StreamsJSONLines() {
		if diff := cmp.Diff(dump, Decode(s.Codec, bytes.NewReader(insertSpaces(bytes.SplitAfter(raw, []byte("\n\n"))))).Dump()); diff != "" {
			t.Errorf("with spaces in every second event (-without +with):\n%s", diff)
		}
	}
	if whole.Kept {
		if out := EncodeBatches(s.Codec, whole.Batches); !bytes.Equal(out, raw) {
			t.Errorf("unexpected pass-through (-want +got):\n%s", cmp.Diff(string(raw), string(out)))
		}
	}
	if whole.Err != nil {
		return
	}
	out := Encode(s.Codec, whole.Events)
	again := Decode(s.Codec, bytes.NewReader(out))
	if again.Err != nil {
		t.Fatalf("decode %s: %v", out, again.Err)
	}
	if diff := cmp.Diff(dumpEvents(normalizeEvents(whole.Events), false), dumpEvents(normalizeEvents(again.Events), false)); diff != "" {
		t.Errorf("unexpected events after another round (-first +second):\n%s\n%s", diff, out)
	}
	if !again.Kept {
		t.Errorf("expected a stream that can be passed through, got\n%s", out)
	}
}

// normalizeEvents returns events without differences that encoding and decoding may cause: empty arguments become {},
// reasoning loses its id, and only the final usage stays, before the end.
func normalizeEvents(events []callwright.Event) []callwright.Event {
	var out []callwright.Event
	var usage callwright.Usage
	begin, args := callwright.CallBegin{}, 0
	for _, ev := range events {
		switch ev := ev.(type) {
		case callwright.CallBegin:
			begin, args = ev, 0
		case callwright.CallDelta:
			args += len(ev.Text)
		case callwright.CallEnd:
			if args == 0 && begin.Type == callwright.FunctionTool {
				out = append(out, callwright.CallDelta{Index: ev.Index, Text: "{}"})
			}
		case callwright.UsageDelta:
			usage = usage.Merge(ev.Usage)
			continue
		case callwright.End:
			out = append(out, callwright.UsageDelta{Usage: usage}, callwright.End{Finish: normalizeFinish(ev.Finish)})
			continue
		case callwright.ReasoningEnd:
			ev.ID = "" // an encoder needs an id before the id of the reasoning arrives
			ev.Extra = lasting(ev.Extra)
			if ev.Signature == "" && ev.Redacted == "" && ev.Extra.JSON == nil {
				continue
			}
			out = append(out, ev)
			continue
		}
		out = append(out, ev)
	}
	return out
}

// lasting returns x without members that are null. Such a member only names the member that a text came in, which an
// encoder may change.
func lasting(x callwright.Extra) callwright.Extra {
	list, err := jsonx.ParseObject(x.JSON)
	if err != nil {
		return x
	}
	list = slices.DeleteFunc(list, func(m jsonx.Member) bool { return jsonx.IsNull(m.Value) })
	if len(list) == 0 {
		return callwright.Extra{}
	}
	return callwright.Extra{Wire: x.Wire, JSON: list.Append(nil)}
}

// All returns an iterator over the events, and finally the error if the stream failed.
func (s Stream) All() iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(s.AllBatches())
}

// AllBatches returns an iterator over the batches, and finally the error if the stream failed.
func (s Stream) AllBatches() iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		for _, b := range s.Batches {
			if !yield(b, nil) {
				return
			}
		}
		if s.Err != nil {
			yield(callwright.Batch{}, s.Err)
		}
	}
}
