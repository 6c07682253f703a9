package wiretest

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// insertSpaces returns the concatenated events with a space after the first brace of every second event. A decoder that
// parses each event gives the same result as before. A decoder that compares events byte by byte never sees two similar
// ones.
func insertSpaces(events [][]byte) []byte {
	var out []byte
	for i, ev := range events {
		if at := bytes.IndexByte(ev, '{'); at >= 0 && i%2 == 1 {
			out = append(append(append(out, ev[:at+1]...), ' '), ev[at+1:]...)
			continue
		}
		out = append(out, ev...)
	}
	return out
}

// Repeats checks that a decoder with a fast path for events that differ from the last one only in their text decodes
// random streams like a decoder that parses each event. begin and end are the first and the last bytes of the stream.
// shapes are events with %s in place of a JSON string.
func Repeats(t *testing.T, c wire.Codec, begin string, shapes []string, end string) {
	t.Helper()
	pieces := []string{"", "{", `{"a":`, `"b"`, "}", "{}", `{"a":1}`, "null", "word", " ", "\n", `\`, `"`, "é世", "<tool_call>",
		`{"a":1}{"a":1}`}
	rapid.Check(t, func(t *rapid.T) {
		events := [][]byte{[]byte(begin)}
		for range rapid.IntRange(1, 6).Draw(t, "runs") {
			shape := rapid.SampledFrom(shapes).Draw(t, "shape")
			for _, piece := range rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 5).Draw(t, "pieces") {
				events = append(events, []byte(strings.ReplaceAll(shape, "%s", string(jsonx.AppendQuote(nil, piece)))))
			}
		}
		if rapid.Bool().Draw(t, "ends") {
			events = append(events, []byte(end))
		}
		stream := bytes.Join(events, nil)
		got, want := Decode(c, bytes.NewReader(stream)), Decode(c, bytes.NewReader(insertSpaces(events)))
		if (got.Err == nil) != (want.Err == nil) {
			t.Fatalf("expected the error %v, got %v\n%s", want.Err, got.Err, stream)
		}
		if diff := cmp.Diff(Batches(want.Batches), Batches(got.Batches)); diff != "" {
			t.Fatalf("unexpected events (-parsed +recognised):\n%s\n%s", diff, stream)
		}
		if diff := cmp.Diff(normalizeStream(EncodeBatches(c, want.Batches)), normalizeStream(EncodeBatches(c, got.Batches))); diff != "" {
			t.Fatalf("unexpected stream (-parsed +recognised):\n%s\n%s", diff, stream)
		}
	})
}

var created = regexp.MustCompile(`"created":\d+`)

// normalizeStream returns a stream without the creation times of its events and without the spaces from insertSpaces.
func normalizeStream(stream []byte) string {
	return strings.ReplaceAll(string(created.ReplaceAll(stream, nil)), "{ ", "{")
}
