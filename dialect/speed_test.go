package dialect_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/dialect"
)

// prose is English and code, about one byte in a hundred of which the scanner has to look at.
func prose(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/prose.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestProseIsTypical(t *testing.T) {
	text := prose(t)
	n := 0
	for _, mark := range []string{"<", "[", "{", "|", "`"} {
		n += strings.Count(text, mark)
	}
	if share := 1000 * n / len(text); share < 9 || share > 11 {
		t.Errorf("%d of %d bytes are marks, want 1 %%", n, len(text))
	}
}

// Prose costs at most one allocation a piece.
func TestProseAllocations(t *testing.T) {
	text := strings.Repeat(prose(t), 64)
	for _, size := range []int{4, 64, 256} {
		pieces := every(size, text)
		items := make([]dialect.Item, 0, 64)
		o := dialect.Options{Tools: tools, Names: dialect.NewNames([]string{"note", "ping"})}
		total := testing.AllocsPerRun(5, func() {
			s := dialect.NewScanner(o)
			for _, p := range pieces {
				items = s.Feed(p, items[:0])
			}
			items = s.Close(items[:0])
		})
		if total > float64(len(pieces)) {
			t.Errorf("pieces of %d bytes: %.2f allocations a piece", size, total/float64(len(pieces)))
		}
	}
}

// BenchmarkSpeedProse is prose through the scanner, whole, in pieces as they come from a network and in pieces of one token.
func BenchmarkSpeedProse(b *testing.B) {
	text := strings.Repeat(prose(b), 200)
	b.Run("whole", func(b *testing.B) { feedAll(b, text, len(text)) })
	b.Run("4KB", func(b *testing.B) { feedAll(b, text, 4<<10) })
	b.Run("token", func(b *testing.B) { feedAll(b, text, 4) })
}

// BenchmarkSpeedArguments is 1 MB of arguments, four bytes at a time. The metric ratio is how much longer it takes than the
// half of it.
func BenchmarkSpeedArguments(b *testing.B) {
	line := "for i := range rows { out = append(out, \\\"a <b>\\\") } // it's fine\\n"
	for _, shape := range []struct{ name, head, tail string }{
		{"json", `<tool_call>{"name": "note", "arguments": {"text": "`, `"}}</tool_call>`},
		{"tags", `<invoke name="note"><parameter name="text">`, `</parameter></invoke>`},
	} {
		b.Run(shape.name, func(b *testing.B) {
			whole := every(4, shape.head+strings.Repeat(line, (1<<20)/len(line))+shape.tail)
			half := every(4, shape.head+strings.Repeat(line, (1<<19)/len(line))+shape.tail)
			var once, twice time.Duration
			for b.Loop() {
				once += feedTime(b, half)
				twice += feedTime(b, whole)
			}
			b.ReportMetric(float64(twice.Microseconds())/1000/float64(b.N), "ms/MB")
			b.ReportMetric(float64(twice)/float64(once), "ratio")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// feedTime is how long it takes until a scanner has given the one call in some pieces.
func feedTime(b *testing.B, pieces []string) time.Duration {
	b.Helper()
	start := time.Now()
	s := dialect.NewScanner(dialect.Options{Tools: tools})
	var items []dialect.Item
	calls := 0
	for _, p := range pieces {
		items = s.Feed(p, items[:0])
		calls += countCalls(items)
	}
	calls += countCalls(s.Close(items[:0]))
	took := time.Since(start)
	if calls != 1 {
		b.Fatalf("%d calls", calls)
	}
	return took
}

func countCalls(items []dialect.Item) int {
	n := 0
	for i := range items {
		if items[i].Kind == dialect.CallFound {
			n++
		}
	}
	return n
}
