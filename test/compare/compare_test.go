package compare_test

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/kaptinlin/jsonrepair"
	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/parsers"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/repair"
)

var size = flag.Int("size", 64<<10, "bytes of arguments and of broken JSON; of arguments twice as many are read, too")

const schemaText = `{"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}, "required": ["path", "content"]}`

// pairs are formats that both sides read: the name here, and that of Ollama's parser.
var pairs = []struct{ format, parser string }{
	{"hermes", "qwen3"},
	{"qwen3_coder", "qwen3-coder"},
	{"glm47", "glm-4.7"},
	{"deepseek_v31", "deepseek3"},
	{"mistral_args", "ministral"},
	{"lfm2", "lfm2"},
}

func ours() dialect.Options {
	text := []string{"string"}
	return dialect.Options{Tools: []dialect.Tool{{Name: "write_file", Schema: []byte(schemaText),
		Params: []dialect.Param{{Name: "path", Types: text, Required: true}, {Name: "content", Types: text, Required: true}}}}}
}

func theirs(tb testing.TB) []api.Tool {
	tb.Helper()
	var tools []api.Tool
	raw := `[{"type": "function", "function": {"name": "write_file", "parameters": ` + schemaText + `}}]`
	if err := json.Unmarshal([]byte(raw), &tools); err != nil {
		tb.Fatal(err)
	}
	return tools
}

// A reader reads an answer in pieces and says how many calls it found and how much text it gave.
type reader func(tb testing.TB, pieces []string) (calls, said int)

func callwright(_ testing.TB, pieces []string) (calls, said int) {
	s := dialect.NewScanner(ours())
	items := make([]dialect.Item, 0, 16)
	count := func() {
		for i := range items {
			said += len(items[i].Text)
			if items[i].Kind == dialect.CallFound {
				calls++
			}
		}
	}
	for _, p := range pieces {
		items = s.Feed(p, items[:0])
		count()
	}
	items = s.Close(items[:0])
	count()
	return calls, said
}

func ollama(name string) reader {
	return func(tb testing.TB, pieces []string) (calls, said int) {
		p := parsers.ParserForName(name)
		p.Init(theirs(tb), nil, &api.ThinkValue{Value: false})
		for i, piece := range pieces {
			content, thinking, found, err := p.Add(piece, i == len(pieces)-1)
			if err != nil {
				tb.Fatal(err)
			}
			calls, said = calls+len(found), said+len(content)+len(thinking)
		}
		return calls, said
	}
}

// BenchmarkArguments is a long argument, four bytes at a time.
func BenchmarkArguments(b *testing.B) {
	for _, p := range pairs {
		once, twice := cut(answer(b, p.format, *size), 4), cut(answer(b, p.format, 2**size), 4)
		for _, side := range []struct {
			name string
			read reader
		}{{"callwright", callwright}, {"ollama", ollama(p.parser)}} {
			b.Run(p.format+"/"+side.name, func(b *testing.B) {
				var small, large time.Duration
				n := 0
				for b.Loop() {
					small += timed(b, side.read, once, 1)
					large += timed(b, side.read, twice, 1)
					n++
				}
				b.ReportMetric(float64(small.Microseconds())/1000/float64(n), "ms")
				b.ReportMetric(float64(large)/float64(small), "ratio")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func timed(b *testing.B, read reader, pieces []string, want int) time.Duration {
	b.Helper()
	start := time.Now()
	calls, _ := read(b, pieces)
	took := time.Since(start)
	if calls != want {
		b.Fatalf("%d calls, want %d", calls, want)
	}
	return took
}

// answer is a call with an argument of n bytes, as a model of the format's family writes it.
func answer(tb testing.TB, format string, n int) string {
	tb.Helper()
	f, ok := dialect.Lookup(format)
	if !ok {
		tb.Fatalf("no format %s", format)
	}
	line := "the file says: it is so, and a + b is c\n"
	args, err := json.Marshal(map[string]string{"path": "notes.txt", "content": strings.Repeat(line, n/len(line))})
	if err != nil {
		tb.Fatal(err)
	}
	return f.RenderCalls([]dialect.RenderedCall{{Name: "write_file", Arguments: args}})
}

// cut cuts a text into pieces of n bytes, as a server sends them: a special token comes whole, and so does a character.
func cut(text string, n int) []string {
	var out []string
	for len(text) > n {
		end := n
		if token := strings.IndexByte(text, '>'); token > 0 && special(text) {
			end = token + 1
		} else if next := strings.Index(text[1:min(end, len(text))], "<"); next >= 0 && special(text[1+next:]) {
			end = 1 + next
		}
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		out, text = append(out, text[:end]), text[end:]
	}
	return append(out, text)
}

func special(text string) bool {
	return strings.HasPrefix(text, "<|") || strings.HasPrefix(text, "<｜")
}

// BenchmarkProse is text without calls: what every answer costs.
func BenchmarkProse(b *testing.B) {
	raw, err := os.ReadFile("../../dialect/testdata/prose.txt")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat(string(raw), 20)
	for _, side := range []struct {
		name string
		read reader
	}{{"callwright", callwright}, {"ollama-qwen3", ollama("qwen3")}, {"ollama-qwen3-coder", ollama("qwen3-coder")}, {"ollama-glm-4.7", ollama("glm-4.7")}} {
		for _, piece := range []struct {
			name string
			size int
		}{{"token", 4}, {"4KB", 4 << 10}} {
			pieces := cut(text, piece.size)
			b.Run(side.name+"/"+piece.name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					if calls, said := side.read(b, pieces); calls > 0 || said < len(text)*9/10 {
						b.Fatalf("%d calls, %d of %d bytes of text", calls, said, len(text))
					}
				}
			})
		}
	}
}

// BenchmarkMend is JSON with damage on every line, and some without.
func BenchmarkMend(b *testing.B) {
	for _, shape := range []struct{ name, line string }{
		{"commas and quotes", `{'path': "src/main.go", "mode": 420, "tags": ['a', "b",], "done": true},` + "\n"},
		{"keys and literals", `{path: "src/main.go", mode: 420, "done": True, "note": None},` + "\n"},
		{"valid", `{"path": "src/main.go", "mode": 420, "tags": ["a", "b"], "done": true},` + "\n"},
	} {
		text := `{"files": [` + strings.Repeat(shape.line, *size/len(shape.line)) + `{}]}`
		for _, side := range []struct {
			name string
			mend func(string) (string, error)
		}{{"callwright", mend}, {"jsonrepair", jsonrepair.Repair}} {
			b.Run(shape.name+"/"+side.name, func(b *testing.B) {
				if got, err := side.mend(text); err != nil || !json.Valid([]byte(got)) {
					b.Fatalf("not mended: %v", err)
				}
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					_, _ = side.mend(text)
				}
			})
		}
	}
}

func mend(text string) (string, error) {
	r, err := repair.JSON(text)
	return string(r.JSON), err
}

// Both sides find the call of each format, and mend to the same value: only then figures say something.
func TestAlike(t *testing.T) {
	for _, p := range pairs {
		pieces := cut(answer(t, p.format, 200), 4)
		we, _ := callwright(t, pieces)
		they, _ := ollama(p.parser)(t, pieces)
		if we != 1 || they != 1 {
			t.Errorf("%s: %d calls here, %d there", p.format, we, they)
		}
	}
	broken := `{'path': "a", mode: 420, "tags": ['a', "b",], "done": True}`
	we, err := mend(broken)
	if err != nil {
		t.Fatal(err)
	}
	they, err := jsonrepair.Repair(broken)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if json.Unmarshal([]byte(we), &a) != nil || json.Unmarshal([]byte(they), &b) != nil {
		t.Fatal(we, they)
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	if string(x) != string(y) {
		t.Errorf("%s here, %s there", x, y)
	}
}
