package adapter_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"strconv"
	"testing"

	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/longtest"
)

var update = flag.Bool("update", false, "write testdata anew")

// A declared is a tool in a file of tools.
type declared struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
	Function    *declared       `json:"function,omitempty"`
}

// readTools reads tools, one a line; a file that ends in gz is packed. Without the file there are none.
func readTools(t testing.TB, name string) []declared {
	t.Helper()
	raw, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	if zip, err := gzip.NewReader(bytes.NewReader(raw)); err == nil {
		lines = bufio.NewScanner(zip)
	}
	lines.Buffer(nil, 1<<20)
	var out []declared
	for lines.Scan() {
		var one declared
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		if one.Function != nil {
			one = *one.Function
		}
		out = append(out, one)
	}
	return out
}

// corpus is a collection of real tools that may lie beside the project.
const corpus = "../../../shared/corpus/tools/tools.jsonl.gz"

func TestLawOnRealTools(t *testing.T) {
	var n trial
	for _, name := range []string{"testdata/tools.jsonl", corpus} {
		if name == corpus && !longtest.IsEnabled() {
			continue
		}
		for i, tool := range readTools(t, name) {
			if tool.Parameters != nil {
				law(t, tool.Parameters, uint64(i), 5, &n)
			}
		}
	}
	t.Logf("%+v", n)
	if n.schemas < 14 || n.documents < 14*12*2 {
		t.Errorf("too few: %+v", n)
	}
}

// Schemas of the generator are kept in a file, for tests elsewhere.
func TestDrawnSchemas(t *testing.T) {
	const name = "testdata/drawn.jsonl"
	var want bytes.Buffer
	for seed := range uint64(150) {
		want.WriteString(text(declared{Name: "drawn", Parameters: json.RawMessage(text(newDraw(seed).tool()))}) + "\n")
	}
	if *update {
		if err := os.WriteFile(name, want.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s: want it as -update writes it: %v", name, err)
	}
}

// set returns the schemas of 40 tools.
func set(b *testing.B) [][]byte {
	var out [][]byte
	tools := readTools(b, "testdata/tools.jsonl")
	for len(out) < 40 {
		out = append(out, tools[len(out)%(len(tools)-1)].Parameters)
	}
	return out
}

func BenchmarkTranslate40Tools(b *testing.B) {
	schemas := set(b)
	for _, to := range adapter.Targets() {
		b.Run(string(to), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range schemas {
					if _, err := adapter.Translate(to, s); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkCached40Tools(b *testing.B) {
	schemas := set(b)
	for i := range schemas { // each one its own
		schemas[i] = append(bytes.Clone(schemas[i][:len(schemas[i])-1]), []byte(`,"title":"`+strconv.Itoa(i)+`"}`)...)
	}
	c := adapter.NewCache(0)
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range schemas {
			if _, err := c.Translate(adapter.OpenAIStrict, s); err != nil {
				b.Fatal(err)
			}
		}
	}
}
