package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/callwright/callwright/sse"
	"pgregory.net/rapid"
)

// unitsJSON is a JSON string of units of UTF-16, all of them escaped.
func unitsJSON(units []uint16) string {
	var b strings.Builder
	for _, u := range units {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	return `"` + b.String() + `"`
}

// joinedEvents are the events of a stream as a joiner reads them.
func joinedEvents(t interface{ Fatal(...any) }, stream string, lines bool) (out []sse.Event, joined int) {
	reader := sse.NewReader(strings.NewReader(stream))
	if lines {
		reader = sse.NewLineReader(strings.NewReader(stream))
	}
	defer reader.Release()
	j := surrogateJoiner{in: reader}
	for {
		ev, err := j.Next()
		if err == io.EOF {
			return out, j.joined
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, sse.Event{Name: ev.Name, Data: bytes.Clone(ev.Data), Raw: bytes.Clone(ev.Raw)})
	}
}

// A text is whole however it is cut into events, between the halves of its characters, too, and the raw bytes say the same.
func TestJoinedCharacters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.StringOfN(rapid.RuneFrom([]rune("ab\"\\{é€😀𝒳\U0010ffff")), 0, 12, -1).Draw(t, "text")
		lines := rapid.Bool().Draw(t, "lines")
		var stream strings.Builder
		halves := 0
		for units := utf16.Encode([]rune(want)); len(units) > 0; {
			n := rapid.IntRange(1, len(units)).Draw(t, "units")
			if n < len(units) && utf16.IsSurrogate(rune(units[n-1])) && utf16.IsSurrogate(rune(units[n])) && units[n] >= 0xdc00 && units[n-1] < 0xdc00 {
				halves++
			}
			data := `{"i":"a\\","t":` + unitsJSON(units[:n]) + `}`
			if units = units[n:]; lines {
				stream.WriteString(data + "\n")
			} else {
				stream.WriteString("data: " + data + "\n\n")
			}
		}
		events, joined := joinedEvents(t, stream.String(), lines)
		var got, raw strings.Builder
		for _, ev := range events {
			var said struct{ T string }
			if err := json.Unmarshal(ev.Data, &said); err != nil {
				t.Fatal(err)
			}
			got.WriteString(said.T)
			if err := json.Unmarshal(bytes.TrimPrefix(ev.Raw, []byte("data: ")), &said); err != nil {
				t.Fatal(err)
			}
			raw.WriteString(said.T)
		}
		if got.String() != want || raw.String() != want || joined != halves {
			t.Fatalf("%q came as %q, raw as %q; %d of %d joined: %s", want, &got, &raw, joined, halves, &stream)
		}
	})
}

// What is no cut character stays as it is.
func TestNotJoined(t *testing.T) {
	for _, stream := range []string{
		"data: {\"t\":\"a\\ud83d\"}\n\ndata: {\"t\":\"b\"}\n\n", "data: {\"t\":\"a\\ud83d\"}\n\n", "data: {\"t\":\"a\\\\ud83d\"}\n\ndata: {\"t\":\"\\ude00\"}\n\n",
		"data: {\"t\":\"a\\ud83d b\"}\n\ndata: {\"t\":\"\\ude00\"}\n\n", "data: {\"t\":\"\\ud83d\"}\n\n: remark\n\ndata: {}\n\n", "data: \"\\u00e9\"\n\ndata: \"\\ude00\"\n\n",
		"data: {\"t\":\"a\\ud83d\"}\n\ndata: {\"t\":\"x\\\"\\ude00\"}\n\n",
	} {
		events, joined := joinedEvents(t, stream, false)
		var raw strings.Builder
		for _, ev := range events {
			raw.Write(ev.Raw)
		}
		if joined != 0 || raw.String() != stream {
			t.Errorf("%q became %q", stream, &raw)
		}
	}
}
