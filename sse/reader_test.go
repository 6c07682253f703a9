package sse_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/callwright/callwright/sse"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// event is an Event with its parts copied; null marks nil Data.
type event struct {
	Name, Data string
	Null       bool
	Raw        string
}

func data(name, data, raw string) event { return event{Name: name, Data: data, Raw: raw} }
func empty(name, raw string) event      { return event{Name: name, Null: true, Raw: raw} }

func readAll(r *sse.Reader) (list []event, err error) {
	for {
		ev, err := r.Next()
		if err != nil {
			if len(ev.Raw) > 0 {
				list = append(list, event{Raw: string(ev.Raw), Null: ev.Data == nil, Data: "cut"})
			}
			return list, err
		}
		list = append(list, event{ev.Name, string(ev.Data), ev.Data == nil, string(ev.Raw)})
	}
}

// pieces reads as many bytes at a time as sizes say, round and round.
type pieces struct {
	text  string
	sizes []int
	turn  int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b, p.text[:min(p.sizes[p.turn%len(p.sizes)], len(p.text))])
	p.text, p.turn = p.text[n:], p.turn+1
	return n, nil
}

var eventCases = []struct {
	name, in string
	want     []event
}{
	{"nothing", "", nil},
	{"one", "data: {\"a\":1}\n\n", []event{data("", `{"a":1}`, "data: {\"a\":1}\n\n")}},
	{"named", "event: ping\ndata: {}\n\n", []event{data("ping", "{}", "event: ping\ndata: {}\n\n")}},
	{"name after data", "data: x\nevent: late\n\n", []event{data("late", "x", "data: x\nevent: late\n\n")}},
	{"last name counts", "event: a\nevent: b\ndata: x\n\n", []event{data("b", "x", "event: a\nevent: b\ndata: x\n\n")}},
	{"name does not stay", "event: a\ndata: 1\n\ndata: 2\n\n", []event{
		data("a", "1", "event: a\ndata: 1\n\n"), data("", "2", "data: 2\n\n")}},
	{"no blank after colon", "data:x\n\n", []event{data("", "x", "data:x\n\n")}},
	{"one blank is dropped", "data:  x \n\n", []event{data("", " x ", "data:  x \n\n")}},
	{"several lines", "data: a\ndata\ndata: c\n\n", []event{data("", "a\n\nc", "data: a\ndata\ndata: c\n\n")}},
	{"several events of several lines", "data: a\ndata: b\n\ndata: c\ndata: d\n\n", []event{
		data("", "a\nb", "data: a\ndata: b\n\n"), data("", "c\nd", "data: c\ndata: d\n\n")}},
	{"empty data is data", "data:\n\n", []event{data("", "", "data:\n\n")}},
	{"name alone", "event: x\n\n", []event{empty("x", "event: x\n\n")}},
	{"comment alone", ": hold\n\n", []event{empty("", ": hold\n\n")}},
	{"comment before data", ": hold\ndata: x\n\n", []event{data("", "x", ": hold\ndata: x\n\n")}},
	{"blank lines", "\n\ndata: x\n\n\n", []event{
		empty("", "\n"), empty("", "\n"), data("", "x", "data: x\n\n"), empty("", "\n")}},
	{"other fields", "id: 7\nretry: 10\nwhat: ever\ndata: x\nnocolon\n\n", []event{
		data("", "x", "id: 7\nretry: 10\nwhat: ever\ndata: x\nnocolon\n\n")}},
	{"fields that begin like ours", "datas: 1\nda: 2\n data: 3\nDATA: 4\n\n", []event{
		empty("", "datas: 1\nda: 2\n data: 3\nDATA: 4\n\n")}},
	{"colons in the value", "data: a:b: c\n\n", []event{data("", "a:b: c", "data: a:b: c\n\n")}},
	{"CRLF", "event: e\r\ndata: x\r\n\r\ndata: y\r\n\r\n", []event{
		data("e", "x", "event: e\r\ndata: x\r\n\r\n"), data("", "y", "data: y\r\n\r\n")}},
	{"CR", "event: e\rdata: x\r\rdata: y\r\r", []event{
		data("e", "x", "event: e\rdata: x\r\r"), data("", "y", "data: y\r\r")}},
	{"all line ends in turn", "data: a\rdata: b\r\ndata: c\n\r\ndata: d\r\n\n", []event{
		data("", "a\nb\nc", "data: a\rdata: b\r\ndata: c\n\r\n"), data("", "d", "data: d\r\n\n")}},
	{"CR then CRLF", "data: x\r\r\ndata: y\n\n", []event{
		data("", "x", "data: x\r\r"), empty("", "\n"), data("", "y", "data: y\n\n")}},
	{"blank CR at the start", "\r\ndata: x\n\n\r", []event{empty("", "\r\n"), data("", "x", "data: x\n\n"), empty("", "\r")}},
	{"byte order mark", "\uFEFFdata: x\n\n", []event{data("", "x", "\uFEFFdata: x\n\n")}},
	{"byte order mark before a blank line", "\uFEFF\ndata: x\n\n", []event{empty("", "\uFEFF\n"), data("", "x", "data: x\n\n")}},
	{"byte order mark only at the start", "data: x\n\n\uFEFFdata: y\n\n", []event{
		data("", "x", "data: x\n\n"), empty("", "\uFEFFdata: y\n\n")}},
	{"text from abroad", "data: Größe 世界 🌍\n\n", []event{data("", "Größe 世界 🌍", "data: Größe 世界 🌍\n\n")}},
	{"no blank line at the end", "data: x\n\ndata: y\n", []event{data("", "x", "data: x\n\n"), data("", "y", "data: y\n")}},
	{"no line end at the end", "data: x\ndata: y", []event{data("", "x\ny", "data: x\ndata: y")}},
	{"CR at the end", "data: x\r", []event{data("", "x", "data: x\r")}},
	{"CRLF CR at the end", "data: x\r\n\r", []event{data("", "x", "data: x\r\n\r")}},
	{"comment at the end", "data: x\n\n: bye", []event{data("", "x", "data: x\n\n"), empty("", ": bye")}},
	{"bytes that are not text", "data: \xff\x00\x80\n\n", []event{data("", "\xff\x00\x80", "data: \xff\x00\x80\n\n")}},
}

var lineCases = []struct {
	name, in string
	want     []event
}{
	{"nothing", "", nil},
	{"two", "{\"a\":1}\n{\"b\":2}\n", []event{data("", `{"a":1}`, "{\"a\":1}\n"), data("", `{"b":2}`, "{\"b\":2}\n")}},
	{"CRLF", "1\r\n2\r\n", []event{data("", "1", "1\r\n"), data("", "2", "2\r\n")}},
	{"CR does not end a line", "[1,\r2]\n", []event{data("", "[1,\r2]", "[1,\r2]\n")}},
	{"blank lines", "\n1\n\r\n \t\n2\n\n", []event{data("", "1", "\n1\n"), data("", "2", "\r\n \t\n2\n"), empty("", "\n")}},
	{"no line end at the end", "1\n{\"cut", []event{data("", "1", "1\n"), data("", `{"cut`, `{"cut`)}},
	{"not events", "data: x\n\n", []event{data("", "data: x", "data: x\n"), empty("", "\n")}},
	{"byte order mark", "\uFEFF{}\n", []event{data("", "{}", "\uFEFF{}\n")}},
}

// chunkings returns ways in which the same bytes may arrive.
func chunkings(text string) map[string]io.Reader {
	return map[string]io.Reader{
		"whole":         strings.NewReader(text),
		"byte by byte":  iotest.OneByteReader(strings.NewReader(text)),
		"with the end":  iotest.DataErrReader(strings.NewReader(text)),
		"three and two": &pieces{text: text, sizes: []int{3, 2}},
	}
}

func TestReader(t *testing.T) {
	for _, c := range eventCases {
		for how, src := range chunkings(c.in) {
			got, err := readAll(sse.NewReader(src))
			if diff := cmp.Diff(c.want, got); diff != "" || err != io.EOF {
				t.Errorf("%s, %s: error %v, events (-want +got):\n%s", c.name, how, err, diff)
			}
		}
	}
}

func TestLineReader(t *testing.T) {
	for _, c := range lineCases {
		for how, src := range chunkings(c.in) {
			got, err := readAll(sse.NewLineReader(src))
			if diff := cmp.Diff(c.want, got); diff != "" || err != io.EOF {
				t.Errorf("%s, %s: error %v, events (-want +got):\n%s", c.name, how, err, diff)
			}
		}
	}
}

// script gives one string a read, and fails the test when it is read further.
type script struct {
	t     *testing.T
	parts []string
}

func (s *script) Read(b []byte) (int, error) {
	if len(s.parts) == 0 {
		s.t.Fatal("the source was read although an event was at hand")
	}
	n := copy(b, s.parts[0])
	s.parts = s.parts[1:]
	return n, nil
}

func TestEventsComeAtOnce(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		first, second := "data: a"+end+end, "data: b"+end+"data: c"+end+end
		r := sse.NewReader(&script{t: t, parts: []string{first, second + first + "data"}})
		for i, want := range []struct {
			data     string
			buffered bool
		}{{"a", false}, {"b\nc", true}, {"a", false}} {
			ev, err := r.Next()
			buffered := r.HasEvent()
			if err != nil || string(ev.Data) != want.data || buffered != want.buffered {
				t.Errorf("line end %q, event %d: got %q, buffered %v, error %v, want %q, buffered %v",
					end, i, ev.Data, buffered, err, want.data, want.buffered)
			}
		}
	}
}

func TestBufferedAtTheEnd(t *testing.T) {
	r := sse.NewReader(iotest.DataErrReader(strings.NewReader("data: a\n\ndata: b")))
	for i, want := range []bool{true, false} {
		if _, err := r.Next(); err != nil || r.HasEvent() != want {
			t.Errorf("event %d: buffered %v, error %v, want %v", i, r.HasEvent(), err, want)
		}
	}
}

func TestBufferedKeepsTheEvent(t *testing.T) {
	r := sse.NewReader(strings.NewReader("data: a\ndata: b\n\ndata: c\ndata: d\n\n"))
	ev, _ := r.Next()
	if !r.HasEvent() || string(ev.Data) != "a\nb" {
		t.Errorf("after Buffered: got data %q, want %q", ev.Data, "a\nb")
	}
}

func TestSourceFails(t *testing.T) {
	broken := errors.New("connection reset")
	src := io.MultiReader(strings.NewReader("data: a\n\ndata: b\nda"), iotest.ErrReader(broken))
	r := sse.NewReader(src)
	got, err := readAll(r)
	want := []event{data("", "a", "data: a\n\n"), {Data: "cut", Null: true, Raw: "data: b\nda"}}
	if diff := cmp.Diff(want, got); diff != "" || err != broken {
		t.Errorf("error %v, events (-want +got):\n%s", err, diff)
	}
	if ev, err := r.Next(); err != broken || ev.Raw != nil || r.HasEvent() {
		t.Errorf("afterwards: got %q, error %v, want the same error alone", ev.Raw, err)
	}
}

func TestSourceGivesNothing(t *testing.T) {
	r := sse.NewReader(&idle{})
	if _, err := r.Next(); err != io.ErrNoProgress {
		t.Errorf("got error %v, want %v", err, io.ErrNoProgress)
	}
}

type idle struct{}

func (*idle) Read([]byte) (int, error) { return 0, nil }

func TestMaxEvent(t *testing.T) {
	fits := "data: " + strings.Repeat("x", 92) + "\n\n"
	for _, c := range []struct {
		name, in string
		want     int
		err      error
	}{
		{"as long as allowed", fits + fits, 2, io.EOF},
		{"one byte more", fits + "data: x" + fits[6:], 1, sse.ErrTooLong},
		{"more at the end", fits + "data: " + strings.Repeat("x", 95), 1, sse.ErrTooLong},
		{"many short lines", fits + strings.Repeat(": x\n", 26), 1, sse.ErrTooLong},
	} {
		for how, src := range chunkings(c.in) {
			r := sse.NewReader(src, sse.MaxEvent(100))
			got, err := readAll(r)
			if len(got) != c.want || !errors.Is(err, c.err) {
				t.Errorf("%s, %s: got %d events, error %v, want %d, %v", c.name, how, len(got), err, c.want, c.err)
			}
			if _, again := r.Next(); again != err {
				t.Errorf("%s, %s: got error %v the second time, want the same as the first, %v", c.name, how, again, err)
			}
		}
	}
}

func TestLongEvent(t *testing.T) {
	long := strings.Repeat("0123456789", 100_000)
	in := "data: short\n\ndata: " + long + "\n\ndata: short\n\n"
	got, err := readAll(sse.NewReader(&pieces{text: in, sizes: []int{700, 1, 4096}}))
	if err != io.EOF || len(got) != 3 || got[1].Data != long || got[2].Data != "short" {
		t.Errorf("got %d events, error %v, want three, the second of %d bytes", len(got), err, len(long))
	}
}

// anyStream is bytes in which the parts of events are frequent.
var anyStream = rapid.Custom(func(t *rapid.T) string {
	part := rapid.SampledFrom([]string{"\n", "\r", "\r\n", "\n\n", "data: ", "data:", "data", "event: ", "x", "{\"a\":1}",
		": c", "id: 1", "\uFEFF", "世", "\x00", " ", "\xff"})
	return strings.Join(rapid.SliceOfN(part, 0, 40).Draw(t, "parts"), "")
})

func TestChunksMakeNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyStream.Draw(t, "text")
		sizes := rapid.SliceOfN(rapid.IntRange(1, 12), 1, 8).Draw(t, "sizes")
		if err := sameInChunks(text, sizes); err != "" {
			t.Fatal(err)
		}
	})
}

func FuzzReader(f *testing.F) {
	for _, c := range eventCases {
		f.Add(c.in, []byte{1, 2, 3})
	}
	f.Fuzz(func(t *testing.T, text string, steps []byte) {
		sizes := []int{1}
		for _, s := range steps {
			sizes = append(sizes, int(s)%32+1)
		}
		if err := sameInChunks(text, sizes); err != "" {
			t.Fatal(err)
		}
	})
}

// sameInChunks checks both readers: the same events whole and in chunks, and no byte lost.
func sameInChunks(text string, sizes []int) string {
	for name, open := range map[string]func(io.Reader, ...sse.Option) *sse.Reader{"events": sse.NewReader, "lines": sse.NewLineReader} {
		whole, err := readAll(open(strings.NewReader(text)))
		split, err2 := readAll(open(&pieces{text: text, sizes: sizes}))
		if diff := cmp.Diff(whole, split); diff != "" || err != io.EOF || err2 != io.EOF {
			return name + " of " + text + " differ (-whole +split):\n" + diff
		}
		var raw strings.Builder
		for _, ev := range split {
			raw.WriteString(ev.Raw)
		}
		if raw.String() != text {
			return name + ": the raw parts joined are not the input:\n" + cmp.Diff(text, raw.String())
		}
	}
	return ""
}

func TestAppendIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[a-z_.]{0,12}`).Draw(t, "name")
		body := rapid.SliceOf(rapid.SampledFrom([]byte("ab \n:{\x80"))).Draw(t, "data")
		raw := sse.Append([]byte{}, name, body)
		got, err := readAll(sse.NewReader(bytes.NewReader(raw)))
		want := []event{data(name, string(body), string(raw))}
		if diff := cmp.Diff(want, got); diff != "" || err != io.EOF {
			t.Fatalf("error %v, events (-want +got):\n%s", err, diff)
		}
	})
}
