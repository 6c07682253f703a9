package access_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// A key is found among as many as there are.
func BenchmarkFind(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		var keys []access.Key
		for i := range n {
			name := fmt.Sprint("key ", i)
			keys = append(keys, access.Key{Name: name, Hash: access.HashOf(name)})
		}
		g, presented := newGate(b, access.Config{Keys: keys}), [][]byte{[]byte("key 0")}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := g.Find(presented); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkManyKeys makes a gate of ten thousand keys. The metric is the memory that it keeps, in bytes a key.
func BenchmarkManyKeys(b *testing.B) {
	keys := make([]access.Key, 10_000)
	for i := range keys {
		name := fmt.Sprint("key ", i)
		keys[i] = access.Key{Name: name, Hash: access.HashOf(name), Limits: access.Limits{Requests: 60}}
	}
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		g := newGate(b, access.Config{Keys: keys})
		runtime.GC()
		runtime.ReadMemStats(&after)
		runtime.KeepAlive(g)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(len(keys)), "B/key")
}

// A request is counted before and after it is made, with all limits and with none.
func BenchmarkUse(b *testing.B) {
	rep, models := used("lab/m", 100, 10), []callwright.ModelID{"lab/m"}
	for name, l := range map[string]access.Limits{"none": {}, "all": {Requests: 1 << 40, Tokens: 1 << 50, Spend: access.Spend{USD: 1e9, Per: access.Month}}} {
		b.Run(name, func(b *testing.B) {
			_, c := limitedGate(b, newClock(), l)
			b.ReportAllocs()
			for b.Loop() {
				if err := c.CountRequest(b.Context()); err != nil {
					b.Fatal(err)
				}
				u, err := c.Reserve(b.Context(), access.PlannedRequest{Models: models, Input: 100, MaxOutput: 10})
				if err != nil {
					b.Fatal(err)
				}
				u.Settle(b.Context(), rep, callwright.Usage{})
			}
		})
	}
}
