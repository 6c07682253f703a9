package directive_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/directive"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/schema"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A drawn is an answer, and what has to be read in it.
type drawn struct {
	text       string
	directives []string // of the gist
	dropped    int
	answer     string
	ends       []int // where in the answer each directive ends
	textEnd    int   // where its text ends
}

// quoted writes a string in one of the ways in which JSON has it.
func quoted(t *rapid.T, s string) string {
	if rapid.Bool().Draw(t, "escaped") {
		out, _ := json.Marshal(s) // escapes < > & and the like by number
		return string(out)
	}
	return string(jsonx.AppendQuote(nil, s))
}

// gap is white space between tokens.
func gap(t *rapid.T) string { return rapid.SampledFrom([]string{"", "", " ", "\n  "}).Draw(t, "gap") }

// words are texts that are hard to keep apart from what stands around them.
var words = rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("ab\"'{}[]:,\\`\n é😀<>/"))))

// anyAnswer draws an answer in the form that was asked for.
func anyAnswer(t *rapid.T) drawn {
	d := drawn{text: strings.ToValidUTF8(words.Draw(t, "text"), "?")}
	var b strings.Builder
	text := func() {
		b.WriteString(`"assistant_text"` + gap(t) + ":" + gap(t) + quoted(t, d.text))
		d.textEnd = b.Len()
	}
	list := func() {
		b.WriteString(`"directives"` + gap(t) + ":" + gap(t) + "[")
		for i := range rapid.IntRange(0, 5).Draw(t, "directives") {
			if i > 0 {
				b.WriteString("," + gap(t))
			}
			path := strings.ToValidUTF8(words.Draw(t, "path"), "?")
			payload := `{"path":` + quoted(t, path) + `}`
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				b.WriteString(`{"type":"save","payload":{}}`)
				d.directives = append(d.directives, saved)
			case 1:
				b.WriteString(`{"type":"reboot","payload":` + payload + `}`)
				d.dropped++
			case 2:
				b.WriteString(`{"payload":{"line":` + strconv.Itoa(i) + `},"type":"open_file"}`)
				d.dropped++
			default:
				b.WriteString(`{"type"` + gap(t) + `:"open_file","payload":` + payload + gap(t) + `}`)
				d.directives = append(d.directives, "open_file "+payload)
			}
			d.ends = append(d.ends, b.Len())
		}
		b.WriteString("]")
	}
	b.WriteString("{" + gap(t))
	parts := []func(){text, list}
	if rapid.Bool().Draw(t, "directives first") {
		parts[0], parts[1] = parts[1], parts[0]
	}
	parts[0]()
	b.WriteString(gap(t) + "," + gap(t))
	parts[1]()
	b.WriteString(gap(t) + "}")
	d.answer = b.String()
	return d
}

// Sound answers are read as they were meant: each directive is in one of the lists, the text is the text, and nothing is noted.
func TestSoundAnswers(t *testing.T) {
	reg := registry(t)
	rapid.Check(t, func(t *rapid.T) {
		d := anyAnswer(t)
		turn := reg.Read(d.answer, callwright.FinishStop)
		if got := gist(turn)[1 : 1+len(turn.Directives)]; cmp.Diff(d.directives, append([]string(nil), got...)) != "" || turn.Text != d.text || len(turn.Dropped) != d.dropped || len(turn.Notes) > 0 {
			t.Fatalf("%s\ngives text %q, %q, %v, %v\nwant %q, %q, %d dropped", d.answer, turn.Text, got, turn.Dropped, turn.Notes, d.text, d.directives, d.dropped)
		}
	})
}

// Of an answer that was cut everything is there that was complete, and of its text all that came; no JSON gets into the text.
func TestCutAnswers(t *testing.T) {
	reg := registry(t)
	rapid.Check(t, func(t *rapid.T) {
		d := anyAnswer(t)
		at := rapid.IntRange(0, len(d.answer)-1).Draw(t, "at")
		turn := reg.Read(d.answer[:at], callwright.FinishLength)
		complete := 0
		for _, end := range d.ends {
			if end <= at {
				complete++
			}
		}
		cut := 0
		for _, p := range turn.Dropped {
			if p.Reason == directive.ReasonTruncated {
				cut++
			}
		}
		if len(turn.Directives)+len(turn.Dropped)-cut != complete || cut > 1 {
			t.Fatalf("%s\ngives %v and %v, want %d", d.answer[:at], turn.Directives, turn.Dropped, complete)
		}
		said := strings.TrimRight(turn.Text, "\uFFFD") // of a character that was cut
		if !strings.HasPrefix(d.text, said) || at >= d.textEnd && turn.Text != d.text {
			t.Fatalf("%s\nsays %q, which does not begin %q", d.answer[:at], turn.Text, d.text)
		}
	})
}

// scraps are pieces of what models write; answers are made of them.
var scraps = []string{
	`{"assistant_text":`, `"assistant_text"`, `'assistant_text': `, `"directives":`, `"directives": [`, `"Hello there."`, `"say "hi" now"`, `'it's'`, "null", "12", "true",
	opens, saves, `{"type":"reboot","payload":{}}`, `{"type":"open_file","path":"x"}`, `{"type":"open_file","payload":"{\"path\":\"a\"}"}`, `{"type":"open_file","pay`,
	"{", "}", "[", "]", ",", ":", `"`, "'", "`", "```", "```json\n", "\n```\n", "\n", " ", "\\", `\"`, "\\u00e9", "\\ud83d\\ude00", "<think>", "</think>", "[THINK]", "[/THINK]",
	"Hello. ", "é😀", "\xff", `{"a": 1}`, `{"response": `, "“", "”", plainAnswer, "assistant_text", "directives", "type", "//", "<|end|>", "</tool_call>", "&quot;",
}

// check reads an answer in pieces and reports what breaks a law.
func check(t interface{ Fatalf(string, ...any) }, reg *directive.Registry, schemas map[string]*schema.Schema, answer string, size int, finish callwright.Finish) {
	whole, events := in(reg, answer, len(answer)+1, directive.Limits{}, finish)
	pieces, later := in(reg, answer, size, directive.Limits{}, finish)
	if d := cmp.Diff(whole, pieces); d != "" {
		t.Fatalf("%q in pieces of %d (-whole +pieces)\n%s", answer, size, d)
	}
	for _, list := range [][]directive.Event{events, later} {
		var text strings.Builder
		directives, dropped := 0, 0
		for _, ev := range list {
			switch ev.Kind {
			case directive.EventText:
				if ev.Text == "" || !utf8.ValidString(ev.Text) {
					t.Fatalf("%q: a piece of text is %q", answer, ev.Text)
				}
				text.WriteString(ev.Text)
			case directive.EventDirective:
				if d := cmp.Diff(whole.Directives[directives], *ev.Directive); d != "" {
					t.Fatalf("%q: event %d (-turn +event)\n%s", answer, directives, d)
				}
				directives++
			case directive.EventDropped:
				if d := cmp.Diff(whole.Dropped[dropped], *ev.Problem); d != "" {
					t.Fatalf("%q: event %d (-turn +event)\n%s", answer, dropped, d)
				}
				dropped++
			}
		}
		if text.String() != whole.Text || directives != len(whole.Directives) || dropped != len(whole.Dropped) {
			t.Fatalf("%q: the events say %q, %d, %d, the turn %q, %v, %v", answer, text.String(), directives, dropped, whole.Text, whole.Directives, whole.Dropped)
		}
	}
	for _, d := range whole.Directives {
		if jsonx.Valid(d.Payload) != nil || schemas[d.Type].Validate(d.Payload) != nil {
			t.Fatalf("%q: %s has the payload %s", answer, d.Type, d.Payload)
		}
	}
	for _, p := range whole.Dropped {
		if len(p.Violations) == 0 || p.Reason == "" {
			t.Fatalf("%q: got %+v", answer, p)
		}
	}
	again := reg.Read(callwright.TextOf(whole.Message().Parts), callwright.FinishStop)
	if again.Text != whole.Text || cmp.Diff(whole.Directives, again.Directives) != "" || len(again.Dropped)+len(again.Notes) > 0 {
		t.Fatalf("%q: its message is read as %q, %v, %v, %v", answer, again.Text, again.Directives, again.Dropped, again.Notes)
	}
}

// payloads are the schemas of the types.
func payloads(t testing.TB, reg *directive.Registry) map[string]*schema.Schema {
	t.Helper()
	out := map[string]*schema.Schema{}
	for _, typ := range reg.Types() {
		s, err := schema.Compile(typ.Schema)
		if err != nil {
			t.Fatal(err)
		}
		out[typ.Name] = s
	}
	return out
}

// Whatever models write, and however it is cut: the same turn, events that say the same, and payloads that satisfy their schemas.
func TestAnyAnswer(t *testing.T) {
	reg := registry(t)
	schemas := payloads(t, reg)
	rapid.Check(t, func(t *rapid.T) {
		answer := strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 1, 16).Draw(t, "scraps"), "")
		finish := rapid.SampledFrom([]callwright.Finish{callwright.FinishStop, callwright.FinishLength}).Draw(t, "finish")
		check(t, reg, schemas, answer, rapid.IntRange(1, 20).Draw(t, "size"), finish)
	})
}

func FuzzRead(f *testing.F) {
	for i, c := range answers {
		if len(c.answer) < 4096 {
			f.Add(c.answer, uint8(i))
		}
	}
	reg := registry(f)
	schemas := payloads(f, reg)
	f.Fuzz(func(t *testing.T, answer string, size uint8) {
		finish := callwright.FinishStop
		if size%2 == 1 {
			finish = callwright.FinishLength
		}
		check(t, reg, schemas, answer, int(size)%40+1, finish)
	})
}

// shapes repeat their middles until an answer is long enough.
var shapes = []struct{ name, head, middle, tail string }{
	{"text", `{"assistant_text":"`, `Some text with a \"quote\" and a line.\n`, `","directives":[]}`},
	{"directives", `{"assistant_text":"A","directives":[`, opens + ",", opens + `]}`},
	{"plain text", "", "Some prose with { braces } and [1] and `code` in it.\n", ""},
	{"documents", "", plainAnswer + "\n", ""},
	{"broken quotes", `{"assistant_text":"`, `fmt.Println("x", "y") // "z" `, `"}`},
	{"objects", "", `{"a": {"b": [1, 2]}} `, ""},
	{"openers", "", `{"a":`, ""},
	{"fences", "", "```json\n{\"a\":1}\n```\n", ""},
	{"strings in a list", `{"directives":[`, `"a",`, `]}`},
	{"deep", `{"assistant_text":"A","directives":[{"type":"save","payload":`, `[`, ``},
	{"unknown members", `{"assistant_text":"A"`, `,"x":"y"`, `}`},
	{"reasoning", "<think>", "hm { ", "</think>" + plainAnswer},
}

// BenchmarkRead prints, as the metric ratio, how much longer twice the answer takes: 2 is linear, and more than 2.2 in a quiet run is a defect.
func BenchmarkRead(b *testing.B) {
	reg := registry(b)
	for _, s := range shapes {
		for _, size := range []int{0, 8} {
			name := s.name + "/whole"
			if size > 0 {
				name = s.name + "/pieces"
			}
			b.Run(name, func(b *testing.B) {
				make := func(n int) string { return s.head + strings.Repeat(s.middle, n/len(s.middle)) + s.tail }
				small, large := make(128<<10), make(256<<10)
				b.SetBytes(int64(len(small) + len(large)))
				var once, twice time.Duration
				for b.Loop() {
					step := size
					if step == 0 {
						step = len(large)
					}
					t0 := time.Now()
					in(reg, small, step, directive.Limits{}, callwright.FinishStop)
					t1 := time.Now()
					in(reg, large, step, directive.Limits{}, callwright.FinishStop)
					once, twice = once+t1.Sub(t0), twice+time.Since(t1)
				}
				b.ReportMetric(float64(twice)/float64(once), "ratio")
			})
		}
	}
}
