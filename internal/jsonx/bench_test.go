package jsonx_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/jsonx"
)

// chat returns a chat request of about 400 KB: tools with schemas, messages of prose, code with escapes, tool calls, tool results.
func chat() []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"lab/large","stream":true,"temperature":0.7,"tools":[`)
	for i := range 20 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"type":"function","function":{"name":"tool%d","description":"Reads a part of a file and returns it with line numbers.",`+
			`"parameters":{"type":"object","properties":{"path":{"type":"string","description":"where it lies"},`+
			`"first":{"type":"integer","minimum":0},"mode":{"enum":["text","raw"]}},"required":["path"]}}}`, i)
	}
	b.WriteString(`],"messages":[{"role":"system","content":"You help."}`)
	prose := strings.Repeat("The quick brown fox jumps over the lazy dog, and nobody minds it much. ", 20)
	code := strings.Repeat("func main() {\n\tfmt.Println(\"hello, world\")\n}\n", 40)
	abroad := strings.Repeat("Größe und Maß, déjà vu, 世界 ", 12)
	for i := range 96 {
		b.WriteString(`,{"role":"user","content":`)
		b.Write(jsonx.AppendQuote(nil, prose+abroad))
		fmt.Fprintf(&b, `},{"role":"assistant","content":null,"tool_calls":[{"id":"call_%d","type":"function","function":{"name":"tool1",`+
			`"arguments":"{\"path\":\"a/b.go\",\"first\":%d}"}}]},{"role":"tool","tool_call_id":"call_%d","content":`, i, i, i)
		b.Write(jsonx.AppendQuote(nil, code))
		b.WriteString(`}`)
	}
	b.WriteString(`]}`)
	return b.Bytes()
}

// source returns the source of this package, some 200 KB.
func source(b *testing.B) string {
	files, err := filepath.Glob("*.go")
	if err != nil {
		b.Fatal(err)
	}
	var all []byte
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, text...)
	}
	return string(all)
}

// words returns 400 KB of words in random order, of which a fifth has to be escaped or is not ASCII.
func words() string {
	list := []string{"review", "the", "quarterly", "numbers", "and", "check", "whether", "module", "alpha", "returns", "an", "error", "when",
		"input", "is", "empty", `"quoted"`, "line\nbreak", "naïve", "東京"}
	draw := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < 400_000 {
		b.WriteString(list[draw.IntN(len(list))])
		b.WriteByte(' ')
	}
	return b.String()
}

var sink int

func BenchmarkValid(b *testing.B) {
	long := jsonx.AppendQuote(nil, strings.Repeat("plain text without anything in it ", 12000))
	dense := []byte("[" + strings.Repeat(`{"a":1,"b":[true,null,-2.5e3],"c":"x"},`, 10000) + "0]")
	abroad := jsonx.AppendQuote(nil, strings.Repeat("世界の人々は皆", 20000))
	for _, c := range []struct {
		name string
		text []byte
	}{{"chat", chat()}, {"words", jsonx.AppendQuote(nil, words())}, {"source", jsonx.AppendQuote(nil, source(b))}, {"long", long}, {"dense", dense}, {"abroad", abroad}} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := jsonx.Valid(c.text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSkip(b *testing.B) {
	text := chat()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		sink += jsonx.Skip(text, 0)
	}
}

func BenchmarkMembers(b *testing.B) {
	text := chat()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for k, v := range jsonx.Members(text) {
			if !k.Is("messages") {
				continue
			}
			for m := range jsonx.Elements(v) {
				for k := range jsonx.Members(m) {
					if k.Is("role") {
						sink++
					}
				}
			}
		}
	}
}

func BenchmarkLookup(b *testing.B) {
	text := []byte(`{"id":"x","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":7,"details":{"cached":3}}}`)
	b.ReportAllocs()
	for b.Loop() {
		v, _ := jsonx.Lookup(text, "usage", "details", "cached")
		sink += len(v)
	}
}

func BenchmarkChecker(b *testing.B) {
	text := chat()
	for _, size := range []int{4, 64, len(text)} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var c jsonx.Checker
				for i := 0; i < len(text); i += size {
					if err := c.Feed(text[i:min(i+size, len(text))]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkAppendQuote(b *testing.B) {
	chat, words, source := string(chat()), words(), source(b)
	const short = 600
	for _, c := range []struct {
		name, text string
		size       int
	}{{"chat", chat, len(chat)}, {"words", words, len(words)}, {"short/words", words, short}, {"short/source", source, short}} {
		b.Run(c.name, func(b *testing.B) {
			dst := make([]byte, 0, 2*len(c.text))
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				for at := 0; at < len(c.text); at += c.size {
					sink += len(jsonx.AppendQuote(dst, c.text[at:min(at+c.size, len(c.text))]))
				}
			}
		})
	}
}

func BenchmarkUnquote(b *testing.B) {
	text := jsonx.AppendQuote(nil, chat())
	dst := make([]byte, 0, len(text))
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		sink += len(jsonx.Unquote(dst, text))
	}
}

func BenchmarkEqual(b *testing.B) {
	text := chat()
	b.Run("same order", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if !jsonx.Equal(text, text) {
				b.Fatal("not equal")
			}
		}
	})
	x := append([]byte(`{"x":1,"y":`), append(text, '}')...)
	y := append([]byte(`{"y":`), append(chat(), []byte(`,"x":1}`)...)...)
	b.Run("other order", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			if !jsonx.Equal(x, y) {
				b.Fatal("not equal")
			}
		}
	})
}

// BenchmarkDoubled prints how much longer twice the input takes; linear work is a ratio of about two.
func BenchmarkDoubled(b *testing.B) {
	text := chat()
	twice := bytes.Join([][]byte{{'['}, text, {','}, text, {']'}}, nil)
	onceA, onceB := turned(200_000)
	twiceA, twiceB := turned(400_000)
	for _, c := range []struct {
		name       string
		once, both func()
	}{
		{"Valid", func() { _ = jsonx.Valid(text) }, func() { _ = jsonx.Valid(twice) }},
		{"Checker", func() { feed(text) }, func() { feed(twice) }},
		{"Compact", func() { _ = jsonx.Compact(nil, text) }, func() { _ = jsonx.Compact(nil, twice) }},
		{"Equal", func() { _ = jsonx.Equal(onceA, onceB) }, func() { _ = jsonx.Equal(twiceA, twiceB) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			once, both := time.Hour, time.Hour // the best of all rounds: other work on the machine only adds
			for b.Loop() {
				start := time.Now()
				c.once()
				middle := time.Now()
				c.both()
				once, both = min(once, middle.Sub(start)), min(both, time.Since(middle))
			}
			b.ReportMetric(float64(both)/float64(once), "x-time")
		})
	}
}

func feed(text []byte) {
	var k jsonx.Checker
	for i := 0; i < len(text); i += 8 {
		_ = k.Feed(text[i:min(i+8, len(text))])
	}
}

// turned returns a deep object with a long text in it, and the same with its members in another order on each level.
func turned(size int) (a, b []byte) {
	const depth = 200
	text := `"` + strings.Repeat("x", size) + `"`
	a = []byte(strings.Repeat(`{"b":`, depth) + text + strings.Repeat(`,"a":1}`, depth))
	b = []byte(strings.Repeat(`{"a":1,"b":`, depth) + text + strings.Repeat(`}`, depth))
	return a, b
}
